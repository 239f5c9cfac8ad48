package tracer_test

import (
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
)

// U5: without history, the first frame is the same on both backends, but for few pixels where rounding turned a choice.
func TestReuseGivesTheSamePixelsOnBothBackends(t *testing.T) {
	cpu, gpu := bothBackends(t)
	s := made(t, "cornell", builtin.Options{})
	view := shot{camera: s.DefaultCamera(1), width: 256, height: 256,
		settings: changed(func(o *tracer.Settings) { o.Integrator, o.Bounces = "restir-gi", 2 })}
	a, b := cpu.use(s, nil).live(view, 1, nil), gpu.use(s, nil).live(view, 1, nil)
	far := shareBeyond(a, b, 1e-3)
	t.Logf("%.4f %% of the pixels differ by more than 1e-3", 100*far)
	if far > 1e-3 {
		t.Errorf("%.3f %% of the pixels differ by more than 1e-3, at most 0.1 %% may", 100*far)
	}
}
