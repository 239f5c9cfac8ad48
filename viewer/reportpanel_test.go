package viewer

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
	"glint/viewer/hud"
	"glint/viewer/session"
)

// giveReport makes it a scene whose file has an extension that is ignored, and things to tell of.
func giveReport(s *scene.Scene) {
	box := func(x float32) *scene.Bounds {
		return &scene.Bounds{Min: mgl32.Vec3{x, 0, 0}, Max: mgl32.Vec3{x + 0.5, 0.5, 0.5}}
	}
	s.Report.Extensions = []scene.ExtensionReport{
		{Name: "ACME_glow", Support: scene.Ignored, Required: true, Note: "unknown", Places: []scene.Place{{Name: `material 1 "lamp"`, At: box(20)}}},
		{Name: "KHR_texture_transform"},
	}
	s.Report.Notes = []scene.Note{
		{Object: "material 2", Text: "has no occlusion", At: box(5)}, {Object: "material 3", Text: "has no occlusion"},
		{Object: "material 4", Text: "has no occlusion", At: box(-7)}, {Text: "nothing moves"},
	}
}

// TestReportShowsPlaces: the key opens the report, and clicks on a line go to its places by turns, but not to what is not drawn.
func TestReportShowsPlaces(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) { giveReport(o.Scene) })
	p.xdo("key", "shift+i")
	p.until("the report", func(a *app) bool { return a.overlay.page == session.ReportPage && !a.hud.At.Page.Empty() })
	var lines []session.ReportLine
	p.do(func(a *app) {
		m := a.model()
		lines = slices.Concat(m.Report.Extensions, m.Report.Findings)
		if m.Scene.Findings != 3 {
			t.Errorf("the panel tells of %d findings, want the extension that is ignored and two", m.Scene.Findings)
		}
	})
	var texts []string
	for _, line := range lines {
		texts = append(texts, line.Text+"|"+line.About)
	}
	if got, want := strings.Join(texts, "; "), "ACME_glow|ignored, required: unknown; KHR_texture_transform|supported; "+
		"material 2 and 2 others: has no occlusion|; nothing moves|"; got != want {
		t.Fatalf("the report says %q, want %q", got, want)
	}
	var page hud.Rect
	p.do(func(a *app) { page = a.hud.At.Page })
	y := int(page.Min.Y)
	for _, c := range []struct {
		said string
		x    float64 // of the place
	}{{`material 1 "lamp"`, 20}, {"material 2 · 1 of 2", 5}, {"material 4 · 2 of 2", -7}, {"material 2 · 1 of 2", 5}} {
		y = p.clickUntil(c.said, int(page.Min.X)+40, y, 500, func(a *app) bool { return latest(a) == c.said })
		p.do(func(a *app) {
			if at := a.session.Stage.Camera.Pivot[0]; math.Abs(at-c.x-0.25) > 0.1 || a.session.Stage.Shown.Camera != -1 {
				t.Errorf("%s: the view turns about x = %v, want %v", c.said, at, c.x+0.25)
			}
		})
	}
	p.xdo("key", "i")
	p.until("statistics in its place", func(a *app) bool { return a.overlay.page == session.StatisticsPage })
}

// TestAddedLightIsTold: in the list of environments and in the report, for as long as nothing else is chosen.
func TestAddedLightIsTold(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		m := a.model()
		if m.Environment != "studio (added)" || m.Environments[0].Name != m.Environment {
			t.Errorf("a scene without light has the environment %q, the first of the list is %q", m.Environment, m.Environments[0].Name)
		}
		if len(m.Report.Light) != 1 || !strings.Contains(m.Report.Light[0].Text, "a studio was added") {
			t.Errorf("the report says %v", m.Report.Light)
		}
		a.session.Loader.OpenEnvironment("none")
	})
	p.until("no environment", func(a *app) bool { return a.session.Stage.Light.Spec == "none" })
	p.do(func(a *app) {
		if m := a.model(); m.Environment == "studio (added)" || m.Environments[0].Name != "the scene's" || len(m.Report.Light) > 0 {
			t.Errorf("with none, the environment is %q, the first of the list %q, and the report says %v", m.Environment, m.Environments[0].Name, m.Report.Light)
		}
	})
}
