package hud

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/scene"
	"glint/viewer/session"
)

// drawReport shows at the right what becomes of the file's extensions, and what could not be drawn as the file means it.
func (h *HUD) drawReport(m *session.Model) {
	h.scrolling("##report", h.At.Page, func() {
		imgui.PushFont(h.title, titleSize)
		imgui.TextUnformatted("Report")
		imgui.PopFont()
		imgui.SameLineV(0, keyGap*h.Scale)
		h.faint("Shift+I closes")
		if m.Report == nil {
			h.faint("no scene yet")
			return
		}
		h.drawReportLines("Extensions", "The file uses none.", m.Report.Extensions)
		if len(m.Report.Light) > 0 {
			h.drawReportLines("Light", "", m.Report.Light)
		}
		h.drawReportLines("Findings", "None: nothing is left out or replaced.", m.Report.Findings)
	})
}

func (h *HUD) drawReportLines(title, none string, lines []session.ReportLine) {
	imgui.Spacing()
	imgui.TextColored(Colours().Accent, title)
	imgui.PushTextWrapPos()
	if len(lines) == 0 {
		h.faint(none)
	}
	for _, line := range lines {
		h.drawReportLine(line)
	}
	imgui.PopTextWrapPos()
}

func (h *HUD) drawReportLine(line session.ReportLine) {
	imgui.BeginGroup()
	imgui.TextUnformatted(line.Text)
	if line.About != "" {
		h.faint(line.About)
	}
	clickable := len(line.Places) > 0
	if clickable {
		imgui.TextColored(Colours().Accent, showsText(line.Places))
	}
	imgui.EndGroup()
	if clickable && imgui.IsItemHovered() {
		imgui.SetMouseCursor(imgui.MouseCursorHand)
		if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
			h.act(session.ShowPlace{Line: line})
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
