package grid

import (
	"image"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// TestGridRatios: each integrator is divided by the first of its own scene and setup.
func TestGridRatios(t *testing.T) {
	at, other := setup{"orbit", 8, "off"}, setup{"orbit", 8, "atrous"}
	rows := ratiosOver([]*outcome{
		{Scene: "a", setup: at, Integrator: "path", FLIP: 0.1, RelMSE: 4, Flicker: 2},
		{Scene: "a", setup: at, Integrator: "new", FLIP: 0.2, RelMSE: 1, Flicker: 1},
		{Scene: "a", setup: other, Integrator: "path", FLIP: 0.3},
		{Scene: "a", setup: other, Integrator: "new", FLIP: 0.3},
		{Scene: "b", setup: at, Integrator: "path", FLIP: 0.4, RelMSE: 1},
		{Scene: "b", setup: at, Integrator: "new", FLIP: 0.05, RelMSE: 0},
		{Scene: "c", setup: at, Integrator: "new", FLIP: 9}, // without a first one
	}, "path")
	if len(rows) != 2 || rows[0].setup != at || rows[1].setup != other || rows[0].Integrator != "new" {
		t.Fatalf("%+v", rows)
	}
	flip := rows[0].Ratios["flip"]
	if math.Abs(flip.Mean-math.Sqrt(2*0.125)) > 1e-12 || math.Abs(flip.Worst-2) > 1e-12 || flip.Scene != "a" || len(flip.Scenes) != 2 {
		t.Errorf("FLIP %+v: want the mean of 2 and 1/8, which is 1/2", flip)
	}
	if r := rows[0].Ratios["relmse"]; r.Mean != 0.25 || r.Scene != "a" || len(r.Scenes) != 1 {
		t.Errorf("relMSE %+v: scene b has no error, so no ratio", r)
	}
	if _, ok := rows[1].Ratios["flicker"]; ok || rows[1].Ratios["flip"].Mean != 1 {
		t.Errorf("denoised: %+v", rows[1])
	}
}

// TestGridMotions: the camera is elsewhere in every frame, by the step that the motion is to have, and its own place is one
// of them.
func TestGridMotions(t *testing.T) {
	c := scene.Camera{Eye: mgl64.Vec3{0, 1, 4}, Target: mgl64.Vec3{0, 1, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	for name, want := range map[string]float64{"orbit": 2 * 4 * math.Sin(math.Pi/360), "walk": 0.04} {
		m, err := motionOf(name, c, 16)
		if err != nil {
			t.Fatal(err)
		}
		own := false
		for i := range 16 {
			p := m.At(i).Camera
			own = own || p.Eye.ApproxEqualThreshold(c.Eye, 1e-5)
			if i == 0 {
				continue
			}
			before := m.At(i - 1).Camera
			if step := p.Eye.Sub(before.Eye).Len(); math.Abs(step-want) > 1e-4 {
				t.Errorf("%s, frame %d: the camera moves by %g m, want %g", name, i, step, want)
			}
			if turns := p.Target.Sub(before.Target).Len() < 1e-6; turns != (name == "orbit") {
				t.Errorf("%s, frame %d: the target stays: %v", name, i, turns)
			}
		}
		if !own {
			t.Errorf("%s never passes the camera's own place", name)
		}
	}
}

// TestMomentsOfGrid: play goes on from the moment that is asked for, and begins again after the end; without it the scene keeps its pose.
func TestMomentsOfGrid(t *testing.T) {
	s, err := scene.Load(t.Context(), tracertest.MovingFile(t), scene.Options{Scene: -1, Animated: true})
	if err != nil {
		t.Fatal(err)
	}
	at := s.Motion.Clips[0].Seconds - 0.5
	c := &Command{ImageFlags: job.ImageFlags{PoseFlags: flags.PoseFlags{At: &at}}}
	g := &grid{Job: &job.Job{Pose: s.Motion.Pose(0, at), Prepared: &gpuscene.Prepared{Scene: s}}, command: c}
	m, err := motionOf("play", s.FrameAll(1), 60)
	if err != nil {
		t.Fatal(err)
	}
	if g.poseOf(&m, 7) != g.Pose {
		t.Error("a motion of the camera moves the scene")
	}
	m.moment = g.moment
	for frame, want := range map[int]float64{0: at, 12: at + 0.2, 45: 0.25} {
		if got := g.moment(frame); math.Abs(got-want) > 1e-9 {
			t.Errorf("frame %d is at %g s, want %g", frame, got, want)
		}
		if now, want := g.poseOf(&m, frame), s.Motion.Pose(0, g.moment(frame)); !slices.Equal(now.Instances, want.Instances) {
			t.Errorf("frame %d is not the pose of its moment", frame)
		}
		if m.At(frame) != m.At(0) {
			t.Errorf("the camera moves in frame %d", frame)
		}
	}
}

// TestFlickerIsOfErrors: what the reference does from frame to frame is no flicker.
func TestFlickerIsOfErrors(t *testing.T) {
	gray := func(v uint8) *image.NRGBA {
		return &image.NRGBA{Pix: slices.Repeat([]uint8{v, v, v, 255}, 4), Stride: 8, Rect: image.Rect(0, 0, 2, 2)}
	}
	first, second := lumaErrors(gray(30), gray(20)), lumaErrors(gray(90), gray(80))
	if change := meanChange(first, second); math.Abs(change) > 1e-9 {
		t.Errorf("both are 10 above their references, yet the errors change by %g", change)
	}
	if change := meanChange(first, lumaErrors(gray(85), gray(80))); math.Abs(change-5) > 1e-9 {
		t.Errorf("errors of 10 and 5 change by %g", change)
	}
	if got := meanChange(lumas(gray(30)), lumas(gray(90))); math.Abs(got-60) > 1e-9 {
		t.Errorf("pictures of 30 and 90 differ by %g", got)
	}
}
