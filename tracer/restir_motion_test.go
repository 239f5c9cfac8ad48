package tracer_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/metric"
	"glint/tracer/scene"
)

// truck is a camera that moves sideways by two pixels a frame, where it looks at, and ends at the given one.
func truck(c scene.Camera, side, frames int) func(int) scene.Camera {
	toTarget := c.Target.Sub(c.Eye)
	pixel := 2 * float32(math.Tan(float64(mgl32.DegToRad(c.VFov))/2)) * toTarget.Len() / float32(side)
	right := toTarget.Cross(c.Up).Normalize()
	return func(frame int) scene.Camera {
		move := right.Mul(2 * pixel * float32(frame-frames+1))
		moved := c
		moved.Eye, moved.Target = c.Eye.Add(move), c.Target.Add(move)
		return moved
	}
}

// B6 and B7: neither a moving camera nor an open lens may shift the mean.
func TestReuseIsUnbiasedWhenItMoves(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	for _, row := range []struct {
		name     string
		moving   bool
		aperture float64
	}{{"B6 truck", true, 0}, {"B7 open lens", false, 0.4}} {
		t.Run(row.name, func(t *testing.T) {
			side, runs, samples, frames := 32, 96, 16, 4
			if long() {
				side, runs, samples, frames = 64, 8192, 1024, 8
			}
			view := reusing(s, side)
			view.settings.Aperture, view.samples = row.aperture, samples
			reference := view
			reference.settings.Integrator = "path"
			var camera func(int) scene.Camera
			if row.moving {
				camera = truck(view.camera, side, frames)
			}
			st := onFastest(t).use(s, nil)
			g := metric.Agreement{B: *st.runs(reference, 64, 1000)}
			for seed := range runs {
				view.settings.Seed = seed + 1
				if err := g.A.Add(st.live(view, frames, camera)); err != nil {
					t.Fatal(err)
				}
			}
			checkCoarsely(t, g)
		})
	}
}

// checkCoarsely applies the full bounds in the full version; the fast one sees a bias of some per cent.
func checkCoarsely(t *testing.T, g metric.Agreement) {
	t.Helper()
	if long() {
		checkUnbiased(t, g)
		return
	}
	r, err := g.Result()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.MaxZ > 5.4 || r.GlobalRelativeDifference > 4*r.ImageStandardError || r.ImageStandardError > 0.01 {
		t.Errorf("reuse shifts the mean, or the runs are too few to tell: %+v", r)
	}
}
