package viewer

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/scene"
)

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
