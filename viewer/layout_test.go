package viewer

import (
	"testing"

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
