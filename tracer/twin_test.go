package tracer_test

import (
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// TestTwins: two renderers of one device keep their images apart, see the same scene, and close in either order.
func TestTwins(t *testing.T) {
	st := onCPU(t)
	twin, err := st.r.Twin()
	if err != nil {
		t.Fatal(err)
	}
	other := &studio{t: t, r: twin}
	s := made(t, "cornell", builtin.Options{})
	st.use(s, dark())
	v := view.View{Camera: s.Cameras[0], Width: 24, Height: 16, Live: true}
	path := changed(func(s *settings.Settings) { s.Integrator = "path" })
	shared := changed(func(s *settings.Settings) { s.Integrator = "restir-gi" })
	alone := st.take(shot{camera: v.Camera, width: 24, height: 16, samples: 4, settings: path})

	for range 4 {
		st.rendered(v, path, view.Target{})
		other.rendered(v, shared, view.Target{})
	}
	if stats := other.rendered(v, shared, view.Target{}); stats.Restarted || stats.Samples != 5 {
		t.Errorf("the twin restarted (%v) at %d samples, want 5", stats.Restarted, stats.Samples)
	}
	st.use(s, dark())
	if stats := other.rendered(v, shared, view.Target{}); !stats.Restarted {
		t.Error("the twin went on with the scene that was dropped")
	}
	for range 4 {
		st.rendered(v, path, view.Target{})
	}
	together, err := st.r.Radiance()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(alone.Pix, together.Pix) {
		t.Error("a twin's work changed the image")
	}
	if err := twin.Close(); err != nil {
		t.Errorf("close the twin: %v", err)
	}
	st.rendered(v, path, view.Target{})
}

// TestRestart: what a renderer makes after it was told to begin anew has the bits of the first time.
func TestRestart(t *testing.T) {
	st := onCPU(t)
	s := made(t, "cornell", builtin.Options{})
	st.use(s, dark())
	v := view.View{Camera: s.Cameras[0], Width: 24, Height: 16, Live: true}
	for _, integrator := range []string{"path", "restir-gi"} {
		own := changed(func(s *settings.Settings) { s.Integrator = integrator })
		var images [2][]float32
		for i := range images {
			for n := range 3 {
				if stats := st.rendered(v, own, view.Target{}); stats.Restarted != (n == 0) || stats.Samples != n+1 {
					t.Errorf("%s, call %d: restarted %v, %d samples", integrator, n+1, stats.Restarted, stats.Samples)
				}
			}
			if err := st.r.Finish(); err != nil {
				t.Fatal(err)
			}
			img, err := st.r.Radiance()
			if err != nil {
				t.Fatal(err)
			}
			images[i] = img.Pix
			st.r.Restart()
		}
		if !slices.Equal(images[0], images[1]) {
			t.Errorf("%s: another image after a restart", integrator)
		}
	}
}
