package viewer

import (
	"slices"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"

	"glint/tracer/gpuscene"
	"glint/tracer/integrator"
	"glint/viewer/hud"
)

// corner is what the next frame would show near the window's lower right corner, legend and all.
func corner(a *app) [4]byte {
	w, h := a.display.window.GetFramebufferSize()
	a.screen.present(a.composition(w), w, h)
	a.hud.Frame(func() { a.hud.Draw(a.model()) })
	var rgba [4]byte
	gl.ReadPixels(int32(w-hud.Margin-20), hud.Margin+4, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&rgba[0]))
	return rgba
}

// The legend lies over the image in the corner while a view is on, and leaves the mouse to it.
func TestLegendIsDrawn(t *testing.T) {
	p := openProbe(t, nil)
	var image [4]byte
	p.do(func(a *app) { image = corner(a) })
	for _, view := range integrator.ReuseViews() {
		p.do(func(a *app) {
			a.session.Sides.Active.Settings.ReuseView = view.Name
			corner(a) // ImGui places a new window one frame late
			if covered := corner(a) != image; covered != (view.Name != "off") {
				t.Errorf("%s: the corner is covered: %v", view.Name, covered)
			}
			if a.hud.WantsMouse(790, 590) {
				t.Errorf("%s: the legend takes the mouse", view.Name)
			}
		})
	}
}

// TestDarkSceneOffersLight: where nothing lights a scene the window says so, and one click lights it. AOVs need no light.
func TestDarkSceneOffersLight(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Width, o.Height, o.Environment, o.EnvironmentFlag = 640, 400, &gpuscene.Environment{}, "none"
	})
	offered := func(a *app) bool { return covered(a.hud, 480, 200) }
	p.until("the offer", offered)
	p.do(func(a *app) { a.session.Sides.Active.Settings.AOVView = "normal" })
	p.until("normals without the offer", func(a *app) bool { return !offered(a) })
	p.do(func(a *app) { a.session.Sides.Active.Settings.AOVView = "off" })
	p.until("the offer again", offered)
	p.clickUntil("a studio", 480, 170, 240, func(a *app) bool { return a.session.Stage.Light.Spec == "studio" })
	p.until("no offer", func(a *app) bool { return !offered(a) })
}

// covered tells whether a panel is at a point.
func covered(h *hud.HUD, x, y float64) bool {
	return slices.ContainsFunc(h.Covers, func(r hud.Rect) bool { return r.Holds(x, y) })
}
