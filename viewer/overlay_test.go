package viewer

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"

	"glint/tracer/film"
	"glint/tracer/gpuscene"
	"glint/tracer/integrator"
	"glint/tracer/settings"
	"glint/tracer/view"
)

func TestLegendText(t *testing.T) {
	view := integrator.LookupReuseView("confidence")
	if got := legendText(view, "restir-gi"); got != view.Help {
		t.Errorf("the legend says %q, want %q", got, view.Help)
	}
	if got := legendText(view, "path"); !strings.Contains(got, "path shares nothing") {
		t.Errorf("without reuse the legend says %q", got)
	}
}

// corner is what the next frame would show near the window's lower right corner, legend and all.
func corner(a *app) [4]byte {
	w, h := a.window.GetFramebufferSize()
	a.screen.present(a.composition(w), w, h)
	a.hud.frame(func() { a.hud.draw(a.model()) })
	var rgba [4]byte
	gl.ReadPixels(int32(w-margin-20), margin+4, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&rgba[0]))
	return rgba
}

// The legend lies over the image in the corner while a view is on, and leaves the mouse to it.
func TestLegendIsDrawn(t *testing.T) {
	p := openProbe(t, nil)
	var image [4]byte
	p.do(func(a *app) { image = corner(a) })
	for _, view := range integrator.ReuseViews() {
		p.do(func(a *app) {
			a.active.settings.ReuseView = view.Name
			corner(a) // ImGui places a new window one frame late
			if covered := corner(a) != image; covered != (view.Name != "off") {
				t.Errorf("%s: the corner is covered: %v", view.Name, covered)
			}
			if a.hud.wantsMouse(790, 590) {
				t.Errorf("%s: the legend takes the mouse", view.Name)
			}
		})
	}
}

func TestLegendOfAOV(t *testing.T) {
	s := settings.Defaults()
	if l := legendOf(s, view.Stats{Integrator: "path"}); l.name != "" {
		t.Errorf("a legend of %q without a view", l.name)
	}
	for _, aov := range film.AOVs() {
		s.AOVView = aov.Name
		if l := legendOf(s, view.Stats{Integrator: "path", ErrorMapSamples: 8}); l.name != aov.Name || l.help == "" {
			t.Errorf("%s: legend %+v", aov.Name, l)
		}
	}
}

// TestLegendWithoutAnErrorMap: nothing is said of colours that are not shown.
func TestLegendWithoutAnErrorMap(t *testing.T) {
	s := settings.Defaults()
	s.AOVView = trustView
	for want, row := range map[string]struct {
		denoise string
		stats   view.Stats
	}{
		"press L":    {"off", view.Stats{}},
		"none is on": {"auto", view.Stats{}},
		"being made": {"atrous", view.Stats{}},
		"no OIDN":    {"oidn", view.Stats{DenoiseError: errors.New("no OIDN (here)")}},
	} {
		s.Denoise = row.denoise
		if l := legendOf(s, row.stats); len(l.colours) > 0 || !strings.Contains(l.help, want) {
			t.Errorf("%s: %d colours, and it says %q", row.denoise, len(l.colours), l.help)
		}
	}
	if l := legendOf(s, view.Stats{ErrorMapSamples: 8}); len(l.colours) == 0 {
		t.Error("with a map there are no colours")
	}
}

// TestDarkSceneOffersLight: where nothing lights a scene the window says so, and one click lights it. AOVs need no light.
func TestDarkSceneOffersLight(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Width, o.Height, o.Environment, o.EnvironmentFlag = 640, 400, &gpuscene.Environment{}, "none"
	})
	offered := func(a *app) bool { return a.hud.covered(480, 200) }
	p.until("the offer", offered)
	p.do(func(a *app) { a.active.settings.AOVView = "normal" })
	p.until("normals without the offer", func(a *app) bool { return !offered(a) })
	p.do(func(a *app) { a.active.settings.AOVView = "off" })
	p.until("the offer again", offered)
	p.clickUntil("a studio", 480, 170, 240, func(a *app) bool { return a.light.spec == "studio" })
	p.until("no offer", func(a *app) bool { return !offered(a) })
}

// covered tells whether a panel is at a point.
func (h *hud) covered(x, y float64) bool {
	return slices.ContainsFunc(h.covers, func(r rect) bool { return r.holds(x, y) })
}
