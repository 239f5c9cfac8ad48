package integrator_test

import (
	"image"
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/integrator"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// viewShot is a small live shot of the Cornell box.
func viewShot(t *testing.T) (*tracertest.Fixture, tracertest.Shot) {
	t.Helper()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	return tracertest.OnCPU(t).Use(s, tracertest.Dark()), reusing(s, 40)
}

// seen is the picture with a view on, after frames more frames.
func showReuse(fx *tracertest.Fixture, s tracertest.Shot, frames int, seen string) *image.NRGBA {
	fx.T.Helper()
	s.Settings.ReuseView = seen
	v := schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width, Height: s.Height}, Live: true}
	for range frames {
		fx.Frame(v, s.Settings, view.Target{})
	}
	img, err := fx.Renderer.Image().Picture(v, s.Settings)
	if err != nil {
		fx.T.Fatal(err)
	}
	return img
}

// shares is how much of a picture each of its colours covers, by 0xRRGGBB.
func shares(img *image.NRGBA) map[uint32]float64 {
	out := map[uint32]float64{}
	for i := 0; i < len(img.Pix); i += 4 {
		rgb := uint32(img.Pix[i])<<16 | uint32(img.Pix[i+1])<<8 | uint32(img.Pix[i+2])
		out[rgb] += 4 / float64(len(img.Pix))
	}
	return out
}

// swatch is the colour of a label in a view's legend.
func swatch(t *testing.T, v, label string) uint32 {
	t.Helper()
	for _, s := range integrator.LookupReuseView(v).Legend {
		if s.Label == label {
			return s.RGB
		}
	}
	t.Fatalf("view %s has no label %q", v, label)
	return 0
}

// Looking must not change what is looked at: no restart, and the same bits.
func TestViewsLeaveTheImageAlone(t *testing.T) {
	fx, s := viewShot(t)
	plain, s2 := viewShot(t)
	v := schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width, Height: s.Height}, Live: true}
	for i, seen := range integrator.ReuseViews() {
		s.Settings.ReuseView = seen.Name
		if stats := fx.Frame(v, s.Settings, view.Target{}); stats.Samples != i+1 {
			t.Errorf("view %s: %d samples, want %d", seen.Name, stats.Samples, i+1)
		}
		plain.Frame(v, s2.Settings, view.Target{})
	}
	a, errA := fx.Renderer.Image().Radiance()
	b, errB := plain.Renderer.Image().Radiance()
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !slices.Equal(a.Pix, b.Pix) {
		t.Error("views changed the accumulated image")
	}
}

// Every view shows something of its own, and nothing where the integrator shares nothing.
func TestViewsDiffer(t *testing.T) {
	fx, s := viewShot(t)
	pictures := map[string]string{}
	for _, v := range integrator.ReuseViews() {
		picture := string(showReuse(fx, s, 2, v.Name).Pix)
		if other, same := pictures[picture]; same {
			t.Errorf("views %s and %s look the same", v.Name, other)
		}
		pictures[picture] = v.Name
	}
	s.Settings.Integrator = "path"
	if !slices.Equal(showReuse(fx, s, 1, "confidence").Pix, showReuse(fx, s, 0, "off").Pix) {
		t.Error("a view of reuse covers an image that was made without")
	}
}

// Views with an exact answer: one colour of the legend covers the picture.
func TestViewsShowWhatIsKnown(t *testing.T) {
	alone := func(s *tracertest.Shot) { s.Settings.RestirSpatial = false }
	still := func(s *tracertest.Shot) { s.Settings.RestirSpatial, s.Settings.Antialias = false, false }
	for _, c := range []struct {
		name   string
		change func(*tracertest.Shot)
		frames int
		view   string
		label  string
		least  float64 // of the picture
	}{
		{"the first frame has no history", alone, 1, "rejection", "no frame before", 0.97},
		{"a resting view finds it", still, 2, "rejection", "found", 0.85},
		{"and need not move it", still, 2, "temporal-jacobian", "1", 0.5},
		{"nobody asks neighbours", alone, 1, "neighbours", "0", 0.97},
		{"so nobody has copies", alone, 1, "duplicates", "0", 0.5},
		{"and nothing moves", alone, 1, "spatial-jacobian", "nobody to take from", 0.97},
		{"all eight neighbours of a large wall", func(s *tracertest.Shot) {
			s.Settings.RestirNeighbors, s.Settings.RestirRadius = 8, tracertest.ReuseRadius(2.2, 40)
		}, 1, "neighbours", "8", 0.15},
		{"a fresh sample", alone, 1, "age", "0", 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			fx, s := viewShot(t)
			c.change(&s)
			got := shares(showReuse(fx, s, c.frames, c.view))
			if share := got[swatch(t, c.view, c.label)]; share < c.least {
				t.Errorf("%q covers %.3f of the picture, want %.2f: %v", c.label, share, c.least, got)
			}
		})
	}
}

// A camera that steps aside finds history in part, and says why not elsewhere.
func TestRejectionHasReasons(t *testing.T) {
	fx, s := viewShot(t)
	s.Camera.VFov *= 0.6
	showReuse(fx, s, 2, "rejection")
	moved := s
	ahead := s.Camera.Sight()
	aside := scene.Wide(ahead.Cross(s.Camera.Up).Normalize().Mul(0.25 * ahead.Len()))
	moved.Camera.Eye, moved.Camera.Target = s.Camera.Eye.Add(aside), s.Camera.Target.Add(aside)
	got := shares(showReuse(fx, moved, 1, "rejection"))
	known := map[uint32]bool{}
	for _, l := range integrator.LookupReuseView("rejection").Legend {
		known[l.RGB] = true
	}
	for rgb := range got {
		if !known[rgb] {
			t.Errorf("colour %06x is not in the legend", rgb)
		}
	}
	for _, label := range []string{"found", "out of sight", "distance", "normal"} {
		if got[swatch(t, "rejection", label)] == 0 {
			t.Errorf("nowhere %q: %v", label, got)
		}
	}
}

// A parallel view finds its history everywhere, not in its middle alone: rays are as long as the place is deep.
func TestParallelViewsFindHistory(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 60)
	camera.VFov, camera.Orthographic = 0, 3
	fx := tracertest.OnCPU(t).Use(s, tracertest.Constant(1))
	got := shares(showReuse(fx, reusing(&scene.Scene{Cameras: []scene.Camera{camera}}, 40), 2, "rejection"))
	if share := got[swatch(t, "rejection", "found")]; share < 0.95 {
		t.Errorf("history is found in %.3f of the picture: %v", share, got)
	}
}
