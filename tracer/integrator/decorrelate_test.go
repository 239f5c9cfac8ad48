package integrator_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// decorrelated renders live frames, and tells how many copies of a sample 17×17 pixels hold then and whether the
// duplication map was drawn.
func decorrelated(t *testing.T, mode, decorrelate, denoise string) (copies float64, thinned bool) {
	t.Helper()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	v := reusing(s, 96)
	v.Settings.RestirMode, v.Settings.RestirDecorrelate, v.Settings.Denoise = mode, decorrelate, denoise
	fx.RenderLive(v, 24, nil)
	_, kept := readReservoirs(fx)
	_, thinned = fx.Timings()["thin_duplicates"]
	return meanCopies(kept, v.Width, 8), thinned
}

// For a denoiser, neighbours hold fewer copies of a sample. The duplication map biases, so interactive mode alone has it.
func TestDecorrelationLeavesFewerCopies(t *testing.T) {
	for _, mode := range []string{"reference", "interactive"} {
		plain, _ := decorrelated(t, mode, "off", "off")
		few, thinned := decorrelated(t, mode, "on", "off")
		t.Logf("%s: %.2f copies of a sample in 17×17 pixels, %.2f decorrelated", mode, plain, few)
		if !(few < 0.8*plain) {
			t.Errorf("%s: %.2f copies, and still %.2f decorrelated", mode, plain, few)
		}
		if thinned != (mode == "interactive") {
			t.Errorf("%s: the duplication map was drawn: %v", mode, thinned)
		}
	}
}

// auto leaves history out of what a denoiser works on, and does nothing else.
func TestDecorrelationIsForDenoisers(t *testing.T) {
	tracertest.NeedsOIDN(t)
	plain, _ := decorrelated(t, "interactive", "off", "off")
	for _, denoise := range []string{"off", "oidn"} {
		copies, thinned := decorrelated(t, "interactive", settings.Defaults().RestirDecorrelate, denoise)
		if thinned || (copies < plain) != (denoise != "off") {
			t.Errorf("denoiser %s: %.2f copies, %.2f without; the duplication map was drawn: %v", denoise, copies, plain, thinned)
		}
	}
}
