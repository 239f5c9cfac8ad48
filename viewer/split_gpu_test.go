package viewer

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer/imageio"
)

// TestSplitOnGPU compares path and restir-gi in a real window and leaves screenshots of the ways to see both. It needs the
// variables of TestFrameTimesOnGPU; without GLINT_TEST_KEEP_DISPLAY the CPU renders.
func TestSplitOnGPU(t *testing.T) {
	path, shots := os.Getenv("GLINT_TEST_SCENE"), os.Getenv("GLINT_TEST_SHOTS")
	if path == "" || shots == "" {
		t.Skip("set GLINT_TEST_SCENE and GLINT_TEST_SHOTS to see two sides")
	}
	backend, samples := "cuda", 64
	if os.Getenv(keepDisplay) == "" {
		backend, samples = "cpu", 2*ageFactor
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.open, o.Tracer.Backend, o.Width, o.Height, o.Split = openTracer, backend, 1280, 720, true
		o.Scene, o.Path = nil, path
		if backend == "cpu" {
			o.Settings.Bounces = 2 // so that a slow machine gets there
		}
	})
	p.until("two sides", func(a *app) bool { return a.comparing() })
	p.do(func(a *app) { glfw.SwapInterval(0); a.toggleReference() })
	p.untilAtLast("a reference", func(a *app) bool { return a.compare.reference.stats.Samples >= samples })
	p.do((*app).restartSides)
	p.untilAtLast("scores", func(a *app) bool { return a.sides[0].score.known && a.sides[1].score.known })
	p.do(func(a *app) {
		for _, s := range a.sides {
			t.Logf("%s %s: %d samples, %v each, relMSE %.4g, trimmed %.4g at %d samples against %d", s.name, s.integrator(), s.meter.samples,
				s.meter.each(), s.score.relMSE, s.score.trimmed, s.score.samples, s.score.against)
		}
		for view := range shows {
			a.compare.show, a.toast = view, toast{}
			if err := imageio.WritePNG(fmt.Sprintf("%s/split-%d.png", shots, view), windowImage(a), nil); err != nil {
				t.Error(err)
			}
		}
	})
}

// untilAtLast waits for what takes a slow machine minutes.
func (p *probe) untilAtLast(what string, holds func(a *app) bool) {
	p.t.Helper()
	const rounds = 40 // of the usual patience
	for end := time.Now().Add(rounds * patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var ok bool
		if p.do(func(a *app) { ok = holds(a) }); ok {
			return
		}
	}
	p.t.Fatalf("waited in vain for %s", what)
}
