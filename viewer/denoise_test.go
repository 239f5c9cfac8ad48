package viewer

import (
	"testing"
	"time"

	"glint/tracer/tracertest"
	"glint/tracer/view"
	"glint/viewer/session"
)

// TestDenoisedWindow: a resting view is denoised in the background while the window goes on answering, and views of AOVs
// take turns.
func TestDenoisedWindow(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cpu", 320, 240
		o.Settings.Denoise = "off"
	})
	p.xdo("key", "l")
	var why error
	p.until("a denoised image", func(a *app) bool {
		why = a.session.Sides.Active.Stats.DenoiseError
		return a.session.Sides.Active.Settings.Denoise != "off" && (a.session.Sides.Active.Stats.Denoised > 0 || why != nil)
	})
	if why != nil {
		t.Fatal(why)
	}
	slowest := time.Duration(0)
	p.until("a later one", func(a *app) bool {
		slowest = max(slowest, a.session.Sides.Active.Stats.Elapsed)
		return a.session.Sides.Active.Stats.Denoised >= 8
	})
	t.Logf("a call of Render took %v at most", slowest)
	p.xdo("key", "u")
	p.until("direct light", func(a *app) bool {
		return a.session.Sides.Active.Settings.AOVView == "direct" && a.session.Sides.Active.Stats.Samples > 0
	})
}

// TestDenoiserOfTheFirstSeconds: before there is a denoised picture at full size, auto stands for what smooths the preview, and the key
// switches that off.
func TestDenoiserOfTheFirstSeconds(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cpu", 320, 240
	})
	p.do(func(a *app) {
		a.session.Sides.RestartSides()
		for _, s := range a.session.Sides.Sides {
			if err := s.Call(a.session.Frames.Rendered.View, view.Target{}, &s.Stats); err != nil {
				t.Fatal(err)
			}
		}
		if m := a.model(); a.session.Sides.Active.Stats.Shown > 0 || m.Automatic["denoise"] != "atrous" {
			t.Errorf("with a picture of %d samples auto stands for %q", a.session.Sides.Active.Stats.Shown, m.Automatic["denoise"])
		}
		a.session.Editor.ToggleDenoiser()
		if now := a.session.Sides.Active.Settings.Denoise; now != "off" {
			t.Errorf("the key turns to %q", now)
		}
	})
}

// TestWindowDenoisedByOIDN at rest, from its first memory plan on.
func TestWindowDenoisedByOIDN(t *testing.T) {
	tracertest.NeedsOIDN(t)
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cpu", 320, 240
		o.Settings.Denoise = "oidn"
	})
	p.until("an image by OIDN", func(a *app) bool {
		return a.session.Sides.Active.Stats.Denoised > 0 && a.session.Sides.Active.Stats.Denoiser == "oidn"
	})
	p.quit()
}
