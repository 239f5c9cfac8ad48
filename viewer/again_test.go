package viewer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

// losing is a renderer that is a GPU's, until that stops working.
type losing struct {
	session.Renderer
	lost bool
}

func (l *losing) Backend() device.Info {
	info := l.Renderer.Backend()
	info.Kind = device.KindCUDA
	return info
}

func (l *losing) Attach(uint32) error { return errors.New("it has no interop") }

func (l *losing) Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error) {
	if l.lost {
		return view.Stats{}, device.ErrLost
	}
	return l.Renderer.Render(v, s, t)
}

// TestAWindowGoesOn: a window whose GPU was lost closes when the user asks for another start, and the next one is as large, fills the screen
// where that did, and has its samples.
func TestAWindowGoesOn(t *testing.T) {
	for _, full := range []bool{false, true} {
		var gpu *losing
		state, file := "", ""
		options := func(o *Options, _ *fake) {
			o.Scene, o.Path = nil, "cornell"
			o.Settings.Bounces, o.Settings.Integrator, o.Settings.Denoise = 0, "path", "off"
			o.Load = func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) {
				return builtin.Make(path, builtin.Options{})
			}
			o.Open = func(on tracer.Options, _ []tracer.Options) (session.Renderer, error) {
				if gpu != nil && gpu.lost && on.Backend != device.KindCPU {
					return nil, errors.New("this process has no GPU any more")
				}
				r, err := session.OpenTracer(tracer.Options{Backend: device.KindCPU}, nil)
				if gpu != nil && gpu.lost {
					return r, err
				}
				gpu = &losing{Renderer: r}
				return gpu, err
			}
			o.StartAgain = func(string) error { return nil }
			if o.Width, o.Height = 320, 240; file != "" {
				o.Width, o.Height, o.Path, o.GoOn, o.state = 0, 0, "", file, state
			}
			state = o.state
		}
		p := openProbe(t, options)
		p.patience = 4 * patience
		if full {
			p.do(func(a *app) { a.toggleFullscreen() })
		}
		p.do(func(a *app) { a.session.Stage.Camera.Orbit(0.2, 0.1) })
		p.until("samples", func(a *app) bool { return a.session.Sides.Active.View.Camera == a.session.Stage.Camera.Camera })
		p.do(func(*app) { gpu.lost = true })
		p.until("the offer", func(a *app) bool {
			return a.session.Model(false).Findings != nil && a.session.Sides.Active.Stats.Samples > 0
		})
		p.do(func(a *app) { a.do(session.StartAgain{}) })
		if err := p.closed(); err != nil {
			t.Fatal(err)
		}
		shown := p.app.session.Sides.Active
		file = p.app.session.Again.Left
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
		gpu = nil
		next := openProbe(t, options)
		next.patience = 4 * patience
		next.until("the samples", func(a *app) bool { return strings.Contains(fmt.Sprint(a.session.Messages), "kept") })
		next.do(func(a *app) {
			now := a.session.Sides.Active
			if now.Stats.Samples < shown.Stats.Samples || now.View.Camera != shown.View.Camera || now.View.Width != shown.View.Width || now.View.Height != shown.View.Height {
				t.Errorf("filling the screen %v: it shows %+v, want %+v", full, now.View, shown.View)
			}
			if _, err := os.Stat(file); err == nil {
				t.Error("the file stays")
			}
		})
		if err := next.quit(); err != nil {
			t.Error(err)
		}
	}
}
