package viewer

import (
	"context"
	"os"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
	"glint/viewer/session"
)

// TestRestGathersSamples: a window that rests on a processor spends its time on samples: without a denoiser at least 85 % of those
// that rendering without a window gathers in the same time of the processor. It also tells what the denoiser costs.
func TestRestGathersSamples(t *testing.T) {
	if os.Getenv("GLINT_LONG") != "1" {
		t.Skip("set GLINT_LONG=1 to compare the samples of a resting window with those of a render")
	}
	const width, height = 960, 540
	s, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	measure := func(samples func() int, wait func()) float64 {
		begun, before := tracertest.ProcessorTime(t), samples()
		wait()
		return float64(samples()-before) / (tracertest.ProcessorTime(t) - begun).Seconds()
	}
	var shown schedule.Request
	var own settings.Settings
	window := map[string]float64{}
	for _, denoise := range []string{"auto", "off"} {
		p := openProbe(t, func(o *Options, _ *fake) {
			o.Open, o.Tracer.Backend, o.Width, o.Height, o.Scene = session.OpenTracer, "cpu", width, height, s
			o.Settings.Denoise = denoise
			own = o.Settings
		})
		p.until("a sample", func(a *app) bool { return a.session.Sides.Active.Stats.Samples > 1 })
		window[denoise] = measure(func() (n int) {
			p.do(func(a *app) { n, shown = a.session.Sides.Active.Stats.Samples, a.session.Frames.Rendered.View })
			return n
		}, func() { time.Sleep(20 * time.Second) })
		p.quit()
	}

	r, err := tracer.Open(tracer.Options{Backend: "cpu"}, profile.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	prepared, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{})
	if err == nil {
		err = r.Engine().Use(prepared)
	}
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	v := schedule.Request{View: view.View{Camera: shown.Camera, Width: width, Height: height}}
	alone := measure(func() int { return n }, func() {
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); n++ {
			if _, err := r.Render(v, own, view.Target{}); err != nil {
				t.Fatal(err)
			}
		}
	})
	for denoise, rate := range window {
		t.Logf("denoise %s: %.2f samples a second of the processor in the window, %.2f without (%.0f %%)", denoise, rate, alone, 100*rate/alone)
	}
	if window["off"] < 0.85*alone {
		t.Errorf("the window gathers %.0f %% of the samples of a render", 100*window["off"]/alone)
	}
}
