package gpuscene_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// table is a black board of 2 m at a height of 1 m, on one leg. Its radius is 1.5 m, and it stands at (x, y, z).
func table(x, y, z float32) *scene.Scene {
	s := &scene.Scene{Name: "table"}
	tracertest.AddQuad(s, mgl32.Vec3{x - 1, y + 1, z + 1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, -2}, tracertest.Matte(0))
	tracertest.AddQuad(s, mgl32.Vec3{x - 0.1, y, z}, mgl32.Vec3{0.2, 0, 0}, mgl32.Vec3{0, 1, 0}, tracertest.Matte(0))
	return s
}

// noon shines straight down, 2 lux.
func noon() []scene.Light {
	return []scene.Light{{Kind: scene.LightDirectional, Direction: mgl32.Vec3{0, -1, 0}, Intensity: mgl32.Vec3{2, 2, 2}}}
}

// seenAt is the mean of a small spot of what a camera shows in its middle.
func seenAt(fx *tracertest.Fixture, eye, target mgl32.Vec3, samples int) [3]float64 {
	fx.T.Helper()
	up := mgl32.Vec3{0, 1, 0}
	if d := target.Sub(eye).Normalize(); d[1] < -0.99 {
		up = mgl32.Vec3{0, 0, -1}
	}
	return tracertest.Mean(fx.Render(tracertest.Shot{Width: 8, Height: 8, Samples: samples, Settings: settings.Defaults(),
		Camera: scene.Camera{Eye: scene.Wide(eye), Target: scene.Wide(target), Up: up, VFov: 0.5}}))
}

// TestFloorCatchesShadows: the floor is lit where nothing is in the way and dark below the table, and it fades away until
// nothing of it is left.
func TestFloorCatchesShadows(t *testing.T) {
	s := table(0, 0, 0)
	s.Lights = noon()
	fx := tracertest.OnCPU(t).UseWith(s, gpuscene.Options{Floor: true})
	lit := 2 * 0.5 / math.Pi // by a floor of albedo 0.5
	for _, row := range []struct {
		what        string
		eye, target mgl32.Vec3
		want, bound float64
	}{
		{"in the light", mgl32.Vec3{2, 10, 0}, mgl32.Vec3{2, 0, 0}, lit, 0.002},
		{"below the table", mgl32.Vec3{4, 1.5, 0.5}, mgl32.Vec3{0.4, 0, 0.5}, 0, 0.002},
		{"half faded", mgl32.Vec3{6.7, 10, 0}, mgl32.Vec3{6.7, 0, 0}, lit / 2, 0.02},
		{"just inside the rim", mgl32.Vec3{0, 10, 14.5}, mgl32.Vec3{0, 0, 14.5}, 0, 0.003},
		{"beyond the rim", mgl32.Vec3{-15.2, 10, 0}, mgl32.Vec3{-15.2, 0, 0}, 0, 0},
	} {
		if got := seenAt(fx, row.eye, row.target, 64)[0]; math.Abs(got-row.want) > row.bound {
			t.Errorf("%s: radiance %.4f, want %.4f", row.what, got, row.want)
		}
	}
}

// TestFloorLooksLikeTheGround: under a sky, and in a studio, the floor is about as bright as what it fades into.
func TestFloorLooksLikeTheGround(t *testing.T) {
	for spec, bound := range map[string]float64{"sky": 0.05, "sky:10": 0.15, "studio": 0.2} {
		t.Run(spec, func(t *testing.T) {
			tracertest.Parallel(t)
			env, err := gpuscene.LoadEnvironment(spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			fx := tracertest.OnCPU(t).UseWith(table(0, 0, 0), gpuscene.Options{Environment: env, Floor: true})
			floor := seenAt(fx, mgl32.Vec3{-2.6, 1, -12}, mgl32.Vec3{-2.6, 0, 0}, 256)
			ground := seenAt(fx, mgl32.Vec3{-2.6, 5, -12}, mgl32.Vec3{-2.6, 0, 10}, 64)
			for c := range floor {
				if off := floor[c]/ground[c] - 1; math.Abs(off) > bound {
					t.Errorf("channel %d: floor %.4f, ground %.4f: %+.0f %%", c, floor[c], ground[c], 100*off)
				}
			}
		})
	}
}

// TestFloorIsPlain: an environment without light, or none at all, has a grey floor; one that is too small to tell does too.
// White all around makes it light, but not white.
func TestFloorIsPlain(t *testing.T) {
	tiny := &gpuscene.Environment{Width: 2, Height: 1, Pixels: slices.Repeat([]float32{3}, 6)}
	for _, row := range []struct {
		name   string
		env    *gpuscene.Environment
		albedo float64
	}{{"none", nil, 0.5}, {"dark", tracertest.Dark(), 0.5}, {"tiny", tiny, 0.5}, {"white", tracertest.Constant(1), 0.8}} {
		s := table(0, 0, 0)
		s.Lights = noon()
		fx := tracertest.OnCPU(t).UseWith(s, gpuscene.Options{Environment: row.env, Floor: true})
		own := settings.Defaults()
		own.EnvStrength = 0
		img := fx.Render(tracertest.Shot{Width: 4, Height: 4, Samples: 1024, Settings: own, Camera: scene.Camera{
			Eye: mgl64.Vec3{2, 10, 0}, Target: mgl64.Vec3{2, 0, 0}, Up: mgl32.Vec3{0, 0, -1}, VFov: 0.5}})
		if got := tracertest.Mean(img)[0] * math.Pi / 2; math.Abs(got-row.albedo) > 0.015 {
			t.Errorf("%s: albedo %.3f, want %v", row.name, got, row.albedo)
		}
	}
}

// TestFloorLeavesTheScene: the scene is not touched, so that cameras, counts and all that depends on its size stay.
func TestFloorLeavesTheScene(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	s.Faces, s.Objects = slices.Grow(s.Faces, 1<<16), slices.Grow(s.Objects, 4) // room that is not the floor's
	spare := s.Faces[:len(s.Faces)+1][len(s.Faces)]
	want, framed, bounds := *s, s.FrameAll(1.5), s.Bounds()
	var frames [2]cuda.Frame
	own := settings.Defaults()
	for i, floor := range []bool{false, true} {
		fx := tracertest.OnCPU(t).UseWith(s, gpuscene.Options{Floor: floor})
		fx.Renderer.Engine().Scene().Fill(&frames[i], &own, "auto")
		if p := fx.Renderer.Engine().Scene().Prepared(); p.Scene != s {
			t.Errorf("floor %v: another scene was prepared", floor)
		}
	}
	if len(s.Faces) != len(want.Faces) || len(s.Vertices) != len(want.Vertices) || len(s.Materials) != len(want.Materials) ||
		len(s.Objects) != len(want.Objects) || s.Faces[:len(s.Faces)+1][len(s.Faces)] != spare {
		t.Error("the floor was added to the scene itself")
	}
	if s.FrameAll(1.5) != framed || s.Bounds() != bounds {
		t.Error("the scene is framed differently")
	}
	plain, floored := frames[0].Scene, frames[1].Scene
	if plain.Radius != floored.Radius || floored.Reach < 9*floored.Radius || plain.Reach != plain.Radius {
		t.Errorf("radius %v and %v, reach %v and %v", plain.Radius, floored.Radius, plain.Reach, floored.Reach)
	}
	if frames[1].Guides.ObjectCount != frames[0].Guides.ObjectCount+1 {
		t.Errorf("%d objects, and %d with a floor", frames[0].Guides.ObjectCount, frames[1].Guides.ObjectCount)
	}
}

// TestFloorBelowGround: a model with a ground of its own at its lowest point looks the same, wherever it is.
func TestFloorBelowGround(t *testing.T) {
	for _, at := range []mgl32.Vec3{{}, {2000, -500, 3000}} {
		s := table(at[0], at[1], at[2])
		tracertest.AddQuad(s, at.Add(mgl32.Vec3{-3, 0, 3}), mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 0, -6}, tracertest.Matte(0.6))
		s.Lights = noon()
		shot := tracertest.Shot{Width: 32, Height: 32, Samples: 4, Settings: settings.Defaults(), Camera: scene.Camera{
			Eye: scene.Wide(at.Add(mgl32.Vec3{0, 6, 5})), Target: scene.Wide(at), Up: mgl32.Vec3{0, 1, 0}, VFov: 25}}
		without := tracertest.OnCPU(t).Use(s, nil).Render(shot)
		with := tracertest.OnCPU(t).UseWith(s, gpuscene.Options{Floor: true}).Render(shot)
		if !slices.Equal(without.Pix, with.Pix) {
			t.Errorf("at %v the floor shows through the ground", at)
		}
	}
}
