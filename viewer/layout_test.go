package viewer

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"glint/tracer/settings"
	"glint/viewer/hud"
	"glint/viewer/session"
)

// TestNoteHasAPlace: what is drawn before there is anything else stands in the middle of the window.
func TestNoteHasAPlace(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		a.hud.At = hud.Layout{}
		a.hud.Frame(func() {
			a.hud.DrawNote("starting the renderer")
			if at := a.hud.At.View.Middle(); at.X != 400 || at.Y != 300 {
				t.Errorf("the middle is %v, %v", at.X, at.Y)
			}
		})
	})
}

// TestKeysFitTheWindow: at 1280×720 all keys of a mode are seen at once, and fill most of their place.
func TestKeysFitTheWindow(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) { o.Width, o.Height = 1280, 720 })
	for mode := range session.Modes {
		p.do(func(a *app) {
			a.input.mode, a.overlay.showKeys = mode, true
			for range 4 { // ImGui finds the size of a window
				windowImage(a)
			}
			place, shown := a.hud.At.Help, a.hud.Covers[len(a.hud.Covers)-1]
			if shown.Height() >= place.Height() || shown.Width() < 0.85*place.Width() || shown.Height() < 0.85*place.Height() {
				t.Errorf("%s: keys take %v×%v of %v×%v", mode, shown.Width(), shown.Height(), place.Width(), place.Height())
			}
			if part := place.Width() * place.Height() / (1280 * 720); part < 0.85 {
				t.Errorf("keys may take %.2f of the window", part)
			}
		})
	}
}

// TestPanelsZoom: keys make the panels larger and smaller, within bounds, and the next window begins so.
func TestPanelsZoom(t *testing.T) {
	state := filepath.Join(t.TempDir(), "window.toml")
	same := func(o *Options, _ *fake) { o.Width, o.Height, o.state, o.scale = 1280, 720, state, 1 }
	p := openProbe(t, same)
	is := func(want float32) func(a *app) bool {
		return func(a *app) bool {
			return a.hud.Scale == want && a.hud.Plan(true, false).Panel.Width() == want*hud.PanelWidth
		}
	}
	p.until("the usual size", is(1))
	for _, c := range []struct {
		keys []string
		want float32
	}{
		{[]string{"ctrl+equal"}, 1.1}, {[]string{"ctrl+minus", "ctrl+minus"}, 0.9}, {[]string{"ctrl+equal"}, 1}, {[]string{"ctrl+minus", "ctrl+minus", "ctrl+minus", "ctrl+minus"}, 0.75},
		{[]string{"ctrl+0"}, 1}, {[]string{"ctrl+equal", "ctrl+equal", "ctrl+equal", "ctrl+equal", "ctrl+equal", "ctrl+equal"}, 2}, {[]string{"ctrl+minus"}, 1.75},
	} {
		p.xdo(append([]string{"key"}, c.keys...)...)
		p.until(fmt.Sprint(c.keys), is(c.want))
	}
	p.do(func(a *app) {
		if s := a.session.Sides.Active.Settings; s != settings.Defaults() {
			t.Error("the keys change settings as well")
		}
	})
	if err := p.quit(); err != nil {
		t.Fatal(err)
	}
	again := openProbe(t, same)
	again.until("the size of before", is(1.75))
	again.do(func(a *app) {
		a.hud.TakeZoom(float32(math.NaN()))
		a.hud.TakeZoom(40)
	})
	again.until("the same after nonsense", is(1.75))
}

// TestLastButtonsStay: the last row of the panel is seen, however much is unfolded above it.
func TestLastButtonsStay(t *testing.T) {
	for _, c := range []struct {
		width, height int
		zoom          float32
		unfolded      []string
	}{
		{1280, 720, 1, nil}, {1280, 720, 1, []string{"Camera", "Light", "Status", "View"}}, {1280, 720, 2, nil}, {640, 400, 1, nil}, {1280, 960, 1, []string{}},
	} {
		p := openProbe(t, func(o *Options, _ *fake) { o.Width, o.Height, o.scale = c.width, c.height, 1 })
		var x, y float32
		p.do(func(a *app) {
			a.hud.TakeZoom(c.zoom)
			a.hud.Unfold(c.unfolded)
		})
		p.until("panels of that size", func(a *app) bool { return a.hud.Scale == c.zoom })
		p.frames(4)
		p.do(func(a *app) {
			panel := a.hud.Covers[0]
			if panel.Max.Y > a.hud.At.Panel.Max.Y {
				t.Errorf("%+v: the panel ends at %v, its place at %v", c, panel.Max.Y, a.hud.At.Panel.Max.Y)
			}
			x, y = panel.Min.X+50*a.hud.Scale, panel.Max.Y-18*a.hud.Scale
		})
		p.xdo("mousemove", strconv.Itoa(int(x)), strconv.Itoa(int(y)), "sleep", "0.1", "click", "1")
		p.until(fmt.Sprintf("%+v: keys, by the first button", c), func(a *app) bool { return a.overlay.showKeys })
		if err := p.quit(); err != nil {
			t.Fatal(err)
		}
	}
}
