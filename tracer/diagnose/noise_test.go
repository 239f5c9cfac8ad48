package diagnose_test

import (
	"cmp"
	"strings"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestNoise: the lens is the cause where nothing else is left to chance, direct light where nothing is scattered twice, and indirect light in a
// room that is lit through a door. Glass and what scatters inside are causes where they are seen, to a part.
func TestNoise(t *testing.T) {
	glow, above := tracertest.Ground(0.5, 60)
	for i := range 8 {
		tracertest.AddQuad(glow, [3]float32{float32(i) - 4, 0.01, -2}, [3]float32{0, 0, 4}, [3]float32{0.4, 0, 0}, tracertest.Emitter(3))
	}
	above.Target = above.Eye.Add(above.Target.Sub(above.Eye).Mul(0.2)) // in front of the stripes
	for _, c := range []struct {
		scene, first string
		change       func(*settings.Settings)
		not          string
		least        float64 // of the share; 0: half
	}{
		{"cornell", "direct", func(s *settings.Settings) { s.Bounces = 1 }, "indirect", 0},
		{"cornell-glossy", "indirect", nil, "the lens", 0},
		{"glow", "the lens", func(s *settings.Settings) { s.Aperture, s.Bounces = 0.5, 0 }, "indirect", 0},
		{"door-ajar", "indirect", nil, "the lens", 0},
		{"glass-chain", "glass", func(s *settings.Settings) { s.Denoise = "off" }, "light that scatters inside", 0.15},
		{"media", "light that scatters inside", func(s *settings.Settings) { s.Denoise = "off" }, "glass", 0.3},
	} {
		s, camera := glow, above
		if c.scene != "glow" {
			s = tracertest.Builtin(t, c.scene, builtin.Options{})
			camera = s.Cameras[0]
		}
		set := settings.Defaults()
		if c.change != nil {
			c.change(&set)
		}
		fx := tracertest.OnFastest(t).Use(s, nil)
		fx.Frame(schedule.Request{View: view.View{Camera: camera, Width: 96, Height: 72}, Layers: true}, set, view.Target{})
		layers, err := fx.Renderer.Image().Layers()
		if err != nil {
			t.Fatal(err)
		}
		parts, err := diagnose.Noise(set, diagnose.SurfacesOf(layers, s.Materials), func(set settings.Settings) (*imageio.Image, error) {
			return fx.Render(tracertest.Shot{Camera: camera, Width: 96, Height: 72, Samples: 8, Settings: set}), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, p := range parts {
			if strings.HasPrefix(p.Why, c.first) {
				found = p.Share > cmp.Or(c.least, 0.5)
				mended := set
				if p.Mend != "" {
					p.Change(&mended)
				}
				if mended == set && set.Denoise == "off" {
					t.Errorf("%s: nothing mends %s", c.scene, p)
				}
			}
			t.Logf("%s: %s", c.scene, p)
			if strings.HasPrefix(p.Why, c.not) {
				t.Errorf("%s: %s", c.scene, p)
			}
		}
		if !found {
			t.Errorf("%s: want %s above all", c.scene, c.first)
		}
	}
}
