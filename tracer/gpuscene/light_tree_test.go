package gpuscene_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// lampGround has detail where lamps are to stand, since what place would gain is judged on surfaces.
func lampGround() (*scene.Scene, scene.Camera) {
	s, camera := tracertest.Ground(albedo, planeView)
	for i := range 100 {
		tracertest.AddQuad(s, mgl32.Vec3{float32(i%10)*2.6 - 13, 0.01, float32(i/10)*2.6 - 13}, mgl32.Vec3{0, 0, 0.2}, mgl32.Vec3{0.2, 0, 0}, tracertest.Matte(albedo))
	}
	return s, camera
}

// lampYard is a ground under lamps of all kinds, at many places and in clusters.
func lampYard() (*scene.Scene, scene.Camera) {
	s, camera := lampGround()
	r := rand.New(rand.NewPCG(1, 2))
	about := func(center mgl32.Vec3, size float32) mgl32.Vec3 {
		return center.Add(mgl32.Vec3{r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5}.Mul(size))
	}
	direction := func() mgl32.Vec3 { return about(mgl32.Vec3{}, 1).Add(mgl32.Vec3{0, -0.1, 0}).Normalize() }
	for i := range 120 {
		center := mgl32.Vec3{float32(i%12)*2 - 12, 0.6, float32(i/12)*2 - 10}
		lamp := tracertest.Emitter(1 + 4*r.Float32())
		lamp.DoubleSided = i%3 == 0
		tracertest.AddQuad(s, about(center, 0.3), direction().Mul(0.02), direction().Mul(0.05), lamp)
		l := scene.Light{Kind: scene.LightPoint, Position: about(center, 1), Intensity: mgl32.Vec3{r.Float32(), 0.2, 0.1}}
		if i%2 == 0 {
			l.Kind, l.Direction, l.InnerCone, l.OuterCone = scene.LightSpot, direction(), 0.2, 0.2+1.2*r.Float32()
		}
		s.Lights = append(s.Lights, l)
	}
	s.Lights = append(s.Lights, scene.Light{Kind: scene.LightDirectional, Direction: mgl32.Vec3{0, -1, 0}, Intensity: mgl32.Vec3{1e-4, 1e-4, 1e-4}})
	return s, camera
}

// lightFrame is the frame that a scene is rendered by.
func lightFrame(t *testing.T, s *scene.Scene, camera scene.Camera, choice string) *cuda.Frame {
	t.Helper()
	_, f := litBy(t, s, camera, choice)
	return f
}

func litBy(t *testing.T, s *scene.Scene, camera scene.Camera, choice string) (*tracertest.Fixture, *cuda.Frame) {
	t.Helper()
	fx := tracertest.OnCPU(t).Use(s, &gpuscene.Environment{Constant: mgl32.Vec3{0.2, 0.2, 0.2}})
	fx.Frame(schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}}, tracertest.Settings(func(s *settings.Settings) {
		s.Integrator, s.LightChoice = "path", choice
	}), view.Target{})
	f := fx.Device.FrameOf(cuda.TracePaths)
	return fx, &f
}

// Lights are drawn as often as their probabilities say, and none is out of reach.
func TestDrawsByPlaceFollowTheirProbability(t *testing.T) {
	const draws = 1 << 17
	s, camera := lampYard()
	f := lightFrame(t, s, camera, "place")
	n := int(f.Scene.LightCount)
	if f.Scene.LightTree.Share < 0.2 || n != 2*120+120+2 {
		t.Fatalf("the tree answers %g of the draws among %d lights", f.Scene.LightTree.Share, n)
	}
	var values []float64
	for i, at := range []struct{ from, normal mgl32.Vec3 }{
		{mgl32.Vec3{0, 0, 0}, mgl32.Vec3{0, 1, 0}},
		{mgl32.Vec3{0.4, 0, -0.3}, mgl32.Vec3{}},
		{mgl32.Vec3{-1, 0.6, -0.7}, mgl32.Vec3{1, 0, 0}},
		{mgl32.Vec3{0.2, 0.9, 0.1}, mgl32.Vec3{0, -1, 0}},
		{mgl32.Vec3{900, 50, 10}, mgl32.Vec3{-1, 0, 0}},
	} {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		point := []float32{at.from[0], at.from[1], at.from[2], at.normal[0], at.normal[1], at.normal[2]}
		var chances, in []float32
		for light := range n {
			chances = append(append(chances, point...), float32(light))
		}
		for range draws {
			in = append(append(in, point...), r.Float32(), r.Float32())
		}
		expected, sum := make([]float64, n+1), 0.0
		for k, c := range probe.ChanceOfLight.Map(f, chances) {
			switch {
			case k%2 == 0 && c <= 0:
				t.Errorf("%v never finds light %d", at, k/2)
			case k%2 == 0:
				expected[k/2], sum = float64(c)*draws, sum+float64(c)
			case at.normal == (mgl32.Vec3{}) && float64(c)*draws != expected[k/2]:
				t.Errorf("%v: light %d has two probabilities without a normal", at, k/2)
			}
		}
		if sum > 1+1e-5 {
			t.Errorf("%v: probabilities add up to %.6f", at, sum)
		}
		expected[n] = max(1-sum, 0) * draws // nothing can arrive
		observed := make([]float64, n+1)
		out := probe.DrawnLight.Map(f, in)
		for k := 0; k < len(out); k += 3 {
			light := int(out[k])
			if light < 0 {
				observed[n]++
				continue
			}
			observed[light]++
			if want := expected[light] / draws; math.Abs(float64(out[k+1])-want) > 1e-5*want {
				t.Fatalf("%v: light %d was drawn with a probability of %g, but has %g", at, light, out[k+1], want)
			}
		}
		result, err := tracertest.ChiSquare(observed, expected, 5)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, result.P)
	}
	for i, p := range tracertest.Holm(values) {
		if p < 1e-3 {
			t.Errorf("place %d: lights are not drawn by their probabilities: p = %.2g", i, p)
		}
	}
}

// Lights that shine on a place are in reach of the tree there: no cluster is taken to face away though one of its lights does not.
func TestTreeReachesAllThatShines(t *testing.T) {
	s, camera := lampYard()
	fx, f := litBy(t, s, camera, "place")
	lights := tracertest.ReadBuffer[cuda.Light](t, fx.Device, f.Scene.Lights)
	table := tracertest.ReadBuffer[cuda.AliasEntry](t, fx.Device, f.Scene.LightTree.Alias)
	shining := 0
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		from := mgl32.Vec3{30*r.Float32() - 15, 2 * r.Float32(), 30*r.Float32() - 15}
		for i := range lights {
			l, in := &lights[i], []float32{from[0], from[1], from[2], 0, 0, 0, float32(i)}
			to := from.Sub(l.Position).Normalize()
			shines := false
			switch l.Kind {
			case cuda.LightTriangle:
				cosine := mgl32.Vec3(l.Direction).Cross(l.Intensity).Normalize().Dot(to)
				shines = cosine > 1e-3 || cosine < -1e-3 && l.Material&cuda.TwoSidedBit != 0
			case cuda.LightPoint:
				shines = true
			case cuda.LightSpot:
				shines = mgl32.Vec3(l.Direction).Dot(to) > l.CosOuter+1e-3
			}
			if !shines {
				continue
			}
			shining++
			if chance := probe.ChanceOfLight.Map(f, in)[0]; chance <= table[i].Pdf {
				t.Fatalf("light %d shines on %v, but the tree never draws it there", i, from)
			}
		}
	}
	if shining < 200*len(lights)/4 {
		t.Fatalf("only %d pairs were looked at", shining)
	}
}

// A lamp near by is chosen far more often than by its power.
func TestNearLampsAreChosen(t *testing.T) {
	s, camera := lampGround()
	for i := range 400 {
		s.Lights = append(s.Lights, scene.Light{Kind: scene.LightPoint, Position: mgl32.Vec3{float32(i%20) - 10, 0.3, float32(i/20) - 10},
			Intensity: mgl32.Vec3{1, 1, 1}})
	}
	f := lightFrame(t, s, camera, "place")
	out := probe.ChanceOfLight.Map(f, []float32{0.1, 0, 0.1, 0, 1, 0, 10*20 + 10})
	if out[0] < 15./400 {
		t.Errorf("the nearest of 400 lamps is chosen %.1f times as often as others on average", out[0]*400)
	}
}

// Few lights, lights that are all alike to the scene, those that clips move, and the choice of power do without a tree.
func TestWhoDoesWithoutATree(t *testing.T) {
	s, camera := lampYard()
	if f := lightFrame(t, s, camera, "power"); f.Scene.LightTree.Share != 0 {
		t.Error("lights chosen by power are chosen by place")
	}
	s.Motion = &scene.Motion{}
	f, moving := lightFrame(t, s, camera, "place"), float32(2*120+1)
	if f.Scene.LightTree.Share == 0 {
		t.Fatal("there is no tree")
	}
	near, far := probe.ChanceOfLight.Map(f, []float32{0, 0, 0, 0, 1, 0, moving}), probe.ChanceOfLight.Map(f, []float32{50, 0, 0, 0, 1, 0, moving})
	if near[0] != far[0] {
		t.Error("a light that may move is chosen by where it stands")
	}
	few, camera := lampGround()
	alike, _ := lampGround()
	for i := range 100 {
		l := scene.Light{Kind: scene.LightPoint, Position: mgl32.Vec3{float32(i%10) * 0.2, 1, float32(i/10) * 0.2}, Intensity: mgl32.Vec3{1, 1, 1}}
		if i < 31 {
			few.Lights = append(few.Lights, l)
		}
		l.Position[1] = 20
		alike.Lights = append(alike.Lights, l)
	}
	for name, s := range map[string]*scene.Scene{"few": few, "alike": alike} {
		if f := lightFrame(t, s, camera, "place"); f.Scene.LightTree.Share != 0 {
			t.Errorf("%s lights have a tree", name)
		}
	}
}
