package tracer_test

import (
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestTwins: two renderers of one device keep their images apart, see the same scene, and close in either order.
func TestTwins(t *testing.T) {
	fx := tracertest.OnCPU(t)
	twin, err := fx.Renderer.Engine().NewRenderer(profile.Policy{TimeEvery: 1})
	if err != nil {
		t.Fatal(err)
	}
	other := &tracertest.Fixture{T: t, Renderer: twin}
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 24, Height: 16}, Live: true}
	path := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	shared := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "restir-gi" })
	alone := fx.Render(tracertest.Shot{Camera: v.Camera, Width: 24, Height: 16, Samples: 4, Settings: path})

	for range 4 {
		fx.Frame(v, path, view.Target{})
		other.Frame(v, shared, view.Target{})
	}
	if stats := other.Frame(v, shared, view.Target{}); stats.Restarted || stats.Samples != 5 {
		t.Errorf("the twin restarted (%v) at %d samples, want 5", stats.Restarted, stats.Samples)
	}
	fx.Use(s, tracertest.Dark())
	if stats := other.Frame(v, shared, view.Target{}); !stats.Restarted {
		t.Error("the twin went on with the scene that was dropped")
	}
	for range 4 {
		fx.Frame(v, path, view.Target{})
	}
	together, err := fx.Renderer.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(alone.Pix, together.Pix) {
		t.Error("a twin's work changed the image")
	}
	if err := twin.Close(); err != nil {
		t.Errorf("close the twin: %v", err)
	}
	fx.Frame(v, path, view.Target{})
}

// TestRestart: what a renderer makes after it was told to begin anew has the bits of the first time.
func TestRestart(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 24, Height: 16}, Live: true}
	for _, integrator := range []string{"path", "restir-gi", "restir"} {
		own := tracertest.Settings(func(s *settings.Settings) { s.Integrator = integrator })
		var images [2][]float32
		for i := range images {
			for n := range 3 {
				if stats := fx.Frame(v, own, view.Target{}); stats.Restarted != (n == 0) || stats.Samples != n+1 {
					t.Errorf("%s, call %d: restarted %v, %d samples", integrator, n+1, stats.Restarted, stats.Samples)
				}
			}
			if err := fx.Renderer.Finish(); err != nil {
				t.Fatal(err)
			}
			img, err := fx.Renderer.Image().Radiance()
			if err != nil {
				t.Fatal(err)
			}
			images[i] = img.Pix
			fx.Renderer.Restart()
		}
		if !slices.Equal(images[0], images[1]) {
			t.Errorf("%s: another image after a restart", integrator)
		}
	}
}
