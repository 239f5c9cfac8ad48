package tracer_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestFarScenePicture: a scene in the coordinates of a country gives the picture that it gives at the origin, within rounding.
func TestFarScenePicture(t *testing.T) {
	fx := tracertest.OnCPU(t)
	render := func(origin mgl64.Vec3) []float32 {
		s := tracertest.Builtin(t, "cornell", builtin.Options{})
		s.Origin = origin
		path := filepath.Join(t.TempDir(), "far.glb")
		if err := builtin.WriteGLB(path, s); err != nil {
			t.Fatal(err)
		}
		loaded, err := scene.Load(t.Context(), path, scene.Options{Scene: -1})
		if err != nil {
			t.Fatal(err)
		}
		fx.Use(loaded, tracertest.Dark())
		return fx.Render(tracertest.Shot{Camera: loaded.Cameras[0], Width: 48, Height: 48, Samples: 4,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Bounces = "path", 2 })}).Pix
	}
	want := render(mgl64.Vec3{})
	for _, at := range []mgl64.Vec3{{500_000, 4_000_000, 0}, {-16_000_000, 0, 1_000_000}} {
		got, others := render(at), 0
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > 1e-3*(1+math.Abs(float64(want[i]))) {
				others++ // a path that has taken another turn at an edge
			}
		}
		if others > len(want)/50 {
			t.Errorf("about %v m, %d of %d values differ", at, others, len(want))
		}
	}
}
