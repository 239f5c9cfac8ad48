package viewer

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// reportModel is what loading has found out about the file on the screen.
type reportModel struct {
	extensions, findings []reportLine
	light                []reportLine // that the file does not have
	count                int          // of what is not drawn as the file says
}

// reportLine is one line of the report. A click on it shows its places, one after another.
type reportLine struct {
	text   string
	about  string // smaller, below it; empty: nothing
	places []scene.Place
}

// newReportModel is the report of a file as the window shows it.
func newReportModel(p *gpuscene.Prepared) *reportModel {
	r := &p.Scene.Report
	m := &reportModel{count: len(r.Summary())}
	if p.Added != "" {
		m.light = []reportLine{{text: p.Added}}
	}
	for _, e := range r.Extensions {
		about := e.Support.String()
		if e.Required {
			about += ", required"
		}
		if e.Note != "" {
			about += ": " + e.Note
		}
		m.extensions = append(m.extensions, reportLine{guard.Name(e.Name), about, seenPlaces(e.Places)})
	}
	for _, f := range r.Findings() {
		m.findings = append(m.findings, reportLine{f.String(), "", seenPlaces(f.Places)})
	}
	return m
}

// seenPlaces are those where something is drawn.
func seenPlaces(list []scene.Place) (seen []scene.Place) {
	for _, p := range list {
		if p.At != nil {
			seen = append(seen, p)
		}
	}
	return seen
}

// drawReport shows at the right what becomes of the file's extensions, and what could not be drawn as the file means it.
func (h *hud) drawReport(m *model) {
	h.scrolling("##report", h.at.page, func() {
		imgui.PushFont(h.title, titleSize)
		imgui.TextUnformatted("Report")
		imgui.PopFont()
		imgui.SameLineV(0, keyGap*h.scale)
		h.faint("Shift+I closes")
		if m.report == nil {
			h.faint("no scene yet")
			return
		}
		h.drawReportLines("Extensions", "The file uses none.", m.report.extensions)
		if len(m.report.light) > 0 {
			h.drawReportLines("Light", "", m.report.light)
		}
		h.drawReportLines("Findings", "None: nothing is left out or replaced.", m.report.findings)
	})
}

func (h *hud) drawReportLines(title, none string, lines []reportLine) {
	imgui.Spacing()
	imgui.TextColored(colours().accent, title)
	imgui.PushTextWrapPos()
	if len(lines) == 0 {
		h.faint(none)
	}
	for _, line := range lines {
		h.drawReportLine(line)
	}
	imgui.PopTextWrapPos()
}

func (h *hud) drawReportLine(line reportLine) {
	imgui.BeginGroup()
	imgui.TextUnformatted(line.text)
	if line.about != "" {
		h.faint(line.about)
	}
	clickable := len(line.places) > 0
	if clickable {
		imgui.TextColored(colours().accent, showsText(line.places))
	}
	imgui.EndGroup()
	if clickable && imgui.IsItemHovered() {
		imgui.SetMouseCursor(imgui.MouseCursorHand)
		if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
			h.act(ShowPlace{line})
		}
	}
	imgui.Spacing()
}

// showsText is what a click on a line shows.
func showsText(places []scene.Place) string {
	text := "show " + places[0].Name
	if n := len(places) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more, by turns", n)
	}
	return text
}

// visit is the place of a line of the report that was shown last.
type visit struct {
	line  string
	place int
}

// showPlace looks at the next place of a line of the report.
func (a *app) showPlace(line reportLine) {
	if a.shown == nil {
		return
	}
	last, next := &a.shown.visited, 0
	if last.line == line.text {
		next = (last.place + 1) % len(line.places)
	}
	*last = visit{line.text, next}
	at := line.places[next]
	a.frameWith(at.At.Frame)
	text := at.Name
	if n := len(line.places); n > 1 {
		text += fmt.Sprintf(" · %d of %d", next+1, n)
	}
	a.say(text)
}
