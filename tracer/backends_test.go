package tracer_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestBackendsGiveTheSamePixels: two bounces leave rounding little room to grow, so the same seed gives the same pixels.
func TestBackendsGiveTheSamePixels(t *testing.T) {
	for _, info := range builtin.List() {
		t.Run(info.Name, func(t *testing.T) {
			cpu, gpu := tracertest.OnBothBackends(t)
			s := tracertest.Builtin(t, info.Name, builtin.Options{})
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 256, Height: 256, Samples: 1,
				Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 2 })}
			a, b := cpu.Use(s, nil).Render(v), gpu.Use(s, nil).Render(v)
			far := tracertest.ShareBeyond(a, b, 1e-3)
			t.Logf("%.4f %% of the pixels differ by more than 1e-3", 100*far)
			if far > 1e-3 {
				t.Errorf("%.3f %% of the pixels differ by more than 1e-3, at most 0.1 %% may", 100*far)
			}
		})
	}
}
