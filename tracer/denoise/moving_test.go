package denoise_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// moment poses the moving scene.
func moment(fx *tracertest.Fixture, s *scene.Scene, seconds float64) {
	fx.T.Helper()
	if err := fx.Renderer.Engine().Pose(s.Motion.Pose(0, seconds)); err != nil {
		fx.T.Fatal(err)
	}
}

// wherePoint is the pixel that shows a point.
func wherePoint(v schedule.Request, p mgl32.Vec3) (x, y float64) {
	s := settings.Defaults()
	c := v.Lens(&s)
	to := p.Sub(c.Eye)
	depth := to.Dot(c.Forward)
	right, up := to.Dot(c.Right)/(depth*c.TanHalfFovY*c.Aspect), to.Dot(c.Up)/(depth*c.TanHalfFovY)
	return (float64(right) + 1) / 2 * float64(v.Width), (1 - float64(up)) / 2 * float64(v.Height)
}

// TestMotionOfMovingThings: the motion that is kept of a pixel is that of the point of the surface which it shows, of an instance
// that turns and of vertices that move. What rests has none.
func TestMotionOfMovingThings(t *testing.T) {
	s := tracertest.Moving(t)
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Constant(1))
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 160, Height: 120}, Live: true, Layers: true}
	v.Camera.Eye[2] = 9
	own := filtering(func(s *settings.Settings) { s.Antialias = false })
	const from, to = 0.5, 0.6
	for i, at := range []float64{from, to} {
		moment(fx, s, at)
		v.Frame = i + 1
		fx.Frame(v, own, view.Target{})
	}
	layers, err := fx.Renderer.Image().Layers()
	if err != nil {
		t.Fatal(err)
	}
	planes := map[string]imageio.Layer{}
	for _, l := range layers {
		planes[l.Name] = l
	}
	turn := func(at float64) mgl32.Mat4 { // of the box, as tracertest has it
		return mgl32.Translate3D(float32(at-1), 0.5, -0.5).Mul4(mgl32.HomogRotate3DY(float32(at * math.Pi / 2)))
	}
	lamp := func(at float64) float32 { return float32(1.8 + 0.25*at*at*at - 0.5*at*at) }
	var boxes, lamps, resting int
	for i := range v.Width * v.Height {
		at := mgl32.Vec3(planes["position"].Pix[3*i : 3*i+3])
		got := planes["motion"].Pix[2*i : 2*i+2]
		if planes["object"].Pix[i] < 0 {
			continue
		}
		before := at
		inBox := mgl32.TransformCoordinate(at, turn(to).Inv())
		switch {
		case max(abs(inBox[0]), abs(inBox[1]), abs(inBox[2])) < 0.301:
			before = mgl32.TransformCoordinate(inBox, turn(from))
			boxes++
		case abs(at[0]-1.2) < 0.31 && abs(at[2]) < 0.31 && abs(at[1]-lamp(to)) < 1e-3:
			before[1] += lamp(from) - lamp(to)
			lamps++
		case abs(at[1]) < 1e-4: // the floor
			resting++
		default:
			continue
		}
		x, y := wherePoint(v, at)
		wasX, wasY := wherePoint(v, before)
		if dx, dy := x-wasX-float64(got[0]), y-wasY-float64(got[1]); math.Hypot(dx, dy) > 0.01 {
			t.Fatalf("pixel %d shows %v: its motion is %v, want %.3f %.3f", i, at, got, x-wasX, y-wasY)
		}
	}
	if boxes < 50 || lamps < 5 || resting < 1000 {
		t.Errorf("%d pixels show the box, %d the lamp, %d the floor: too few to tell", boxes, lamps, resting)
	}
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// TestHistoryFollowsMovingThings: while things move, pictures gain from those before, and nothing is left behind.
func TestHistoryFollowsMovingThings(t *testing.T) {
	s := tracertest.Moving(t)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 120, Height: 90}, Live: true, Moving: true}
	const frames, step = 16, 1. / 60
	play := func(own settings.Settings) *imageio.Image {
		fx := tracertest.OnBestBackend(t).Use(s, tracertest.Gradient())
		var img *imageio.Image
		for i := range frames {
			moment(fx, s, 0.4+float64(i)*step)
			v.Frame = i + 1
			img = shoot(fx, v, own, 1, nil, nil)
		}
		return img
	}
	own := filtering(func(s *settings.Settings) { s.Bounces, s.Sampling = 3, "bsdf" }) // lamps are met by chance: noise is what history is for
	alone := own
	alone.DenoiseHistory = false
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Gradient())
	moment(fx, s, 0.4+(frames-1)*step)
	truth := fx.Render(asReference(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: 256, Settings: own}))
	with, without := tracertest.RelMSE(t, play(own), truth), tracertest.RelMSE(t, play(alone), truth)
	t.Logf("error %.4f with the pictures before, %.4f without", with, without)
	if !(with < 0.9*without) {
		t.Errorf("error %.4f with the pictures before, %.4f without: they are not followed", with, without)
	}
}
