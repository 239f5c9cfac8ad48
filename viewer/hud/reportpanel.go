package hud

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/scene"
	"glint/viewer/session"
)

// drawReport shows at the right what becomes of the file's extensions, and what could not be drawn as the file means it.
func drawReport(d *drawing, m *session.Model) {
	d.scrolling("##report", d.At.Page, func() {
		d.pageTitle("Report", "report")
		if m.Report == nil {
			d.faint("no scene yet")
			return
		}
		drawReportLines(d, "Extensions", "The file uses none.", m.Report.Extensions)
		if len(m.Report.Light) > 0 {
			drawReportLines(d, "Light", "", m.Report.Light)
		}
		drawReportLines(d, "Findings", "None: nothing is left out or replaced.", m.Report.Findings)
	})
}

func drawReportLines(d *drawing, title, none string, lines []session.ReportLine) {
	imgui.Spacing()
	imgui.TextColored(Colors().Accent, title)
	imgui.PushTextWrapPos()
	if len(lines) == 0 {
		d.faint(none)
	}
	for _, line := range lines {
		drawReportLine(d, line)
	}
	imgui.PopTextWrapPos()
}

func drawReportLine(d *drawing, line session.ReportLine) {
	imgui.BeginGroup()
	imgui.TextUnformatted(line.Text)
	if line.About != "" {
		d.faint(line.About)
	}
	clickable := len(line.Places) > 0
	if clickable {
		imgui.TextColored(Colors().Accent, showsText(line.Places))
	}
	imgui.EndGroup()
	if clickable && imgui.IsItemHovered() {
		imgui.SetMouseCursor(imgui.MouseCursorHand)
		if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
			d.act(session.ShowPlace{Line: line})
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
