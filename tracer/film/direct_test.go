package film_test

import (
	"math"
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestDirectAndIndirectAddUp: layer direct is, bit for bit, what --show direct renders with the same seed, in each engine, and
// with indirect it is the image.
func TestDirectAndIndirectAddUp(t *testing.T) {
	for _, engine := range []string{"megakernel", "regeneration", "wavefront"} {
		for _, name := range []string{"cornell-glossy", "mixed-reflection"} {
			fx := tracertest.OnCPU(t)
			s := tracertest.Builtin(t, name, builtin.Options{})
			fx.Use(s, tracertest.Dark())
			v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 40, Height: 32}}
			set := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Exec = "path", engine })
			layers := layersOf(fx, v, set, 5)
			all, err := fx.Renderer.Image().Radiance()
			if err != nil {
				t.Fatal(err)
			}
			set.Show = "direct"
			direct := fx.Render(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: 5, Settings: set})
			checkDirect(t, engine+", "+name, layers, all, direct)
		}
	}
}

func checkDirect(t *testing.T, name string, layers map[string]imageio.Layer, all, direct *imageio.Image) {
	t.Helper()
	beyond := 0
	for i, x := range all.Pix {
		a, b := layers["direct"].Pix[i], layers["indirect"].Pix[i]
		if math.Abs(float64(a-direct.Pix[i])) > 1e-6*math.Abs(float64(a)) || b < -1e-5*x {
			t.Fatalf("%s: value %d is %v direct and %v indirect, and %v where direct light alone is rendered", name, i, a, b, direct.Pix[i])
		}
		if d := math.Abs(float64(a + b - x)); d > 1e-5*float64(x) {
			t.Fatalf("%s: value %d is %v direct and %v indirect of %v", name, i, a, b, x)
		}
		if b > 0 {
			beyond++
		}
	}
	if beyond < len(all.Pix)/4 {
		t.Errorf("%s: only %d of %d values have indirect light", name, beyond, len(all.Pix))
	}
}

// TestDirectInTheFurnace: of 1 + ½ + ¼ + …, emission and one bounce are direct.
func TestDirectInTheFurnace(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "furnace", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	for _, integrator := range []string{"path", "restir-gi"} {
		v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 32}}
		fx.Renderer.Restart()
		layers := layersOf(fx, v, tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Bounces = integrator, 64 }), 64)
		for name, want := range map[string]float64{"direct": 1.5, "indirect": 0.5} {
			mean := 0.0
			for _, x := range layers[name].Pix {
				mean += float64(x) / float64(len(layers[name].Pix))
			}
			if math.Abs(mean/want-1) > 0.01 {
				t.Errorf("%s: %s is %.4f, want %.1f within 1 %%", integrator, name, mean, want)
			}
		}
	}
}

// TestDirectView: the view develops the layer like light, also where a window's budget cuts samples, and switching it on and off
// leaves the image as it is.
func TestDirectView(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 40}, Live: true, Budget: 1}
	off := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	seen := off
	seen.AOVView = "direct"
	target := view.Target{Pixels: make([]byte, 4*v.Width*v.Height)}
	for samples := 0; samples < 6; {
		samples = fx.Frame(v, []settings.Settings{off, seen, seen}[samples%3], target).Samples
	}
	shared, err := fx.Renderer.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	fx.Renderer.Restart()
	plain := fx.Render(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: 6, Settings: off})
	if !slices.Equal(shared.Pix, plain.Pix) {
		t.Error("the view of direct light changes the image")
	}
	v.Budget, v.Live = 0, false
	fx.Renderer.Restart()
	fx.Frame(v, seen, target)
	only := seen
	only.AOVView, only.Show = "off", "direct"
	want := view.Target{Pixels: make([]byte, 4*v.Width*v.Height)}
	fx.Frame(v, only, want)
	if !slices.Equal(target.Pixels, want.Pixels) {
		t.Error("the view is not what --show direct shows")
	}
}
