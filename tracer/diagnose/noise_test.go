package diagnose_test

import (
	"strings"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestNoise: the lens is the cause where nothing else is left to chance, direct light where nothing is scattered twice, and indirect light in a
// room that is lit through a door.
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
	}{
		{"cornell", "direct", func(s *settings.Settings) { s.Bounces = 1 }, "indirect"},
		{"cornell-glossy", "indirect", nil, "the lens"},
		{"glow", "the lens", func(s *settings.Settings) { s.Aperture, s.Bounces = 0.5, 0 }, "indirect"},
		{"door-ajar", "indirect", nil, "the lens"},
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
		parts, err := diagnose.Noise(set, func(set settings.Settings) (*imageio.Image, error) {
			return fx.Render(tracertest.Shot{Camera: camera, Width: 96, Height: 72, Samples: 8, Settings: set}), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, p := range parts {
			found = found || strings.HasPrefix(p.Why, c.first) && p.Share > 0.5
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
