package viewer

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"
)

// drawStatus says what renders, and how fast.
func (h *hud) drawStatus(m *model) {
	if !h.heading("Status") {
		return
	}
	if h.beginPairs("status") {
		for _, line := range m.status {
			h.pair(line.name, func() { h.drawValue(line.value, line.why) })
		}
		imgui.EndTable()
	}
	h.drawPlot(&m.frames)
}

// drawValue writes a value, and shows its reason while the mouse is over it.
func (h *hud) drawValue(value, why string) {
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(value)
	imgui.PopTextWrapPos()
	h.tip(why)
}

// drawPlot shows the last frame times, newest at the right.
func (h *hud) drawPlot(l *frameLog) {
	if l.count < 2 {
		return
	}
	const still = implot.AxisFlagsNoDecorations
	implot.PushStyleVarVec2(implot.StyleVarPlotPadding, imgui.NewVec2(0, 2*h.scale))
	implot.PushStyleColorVec4(implot.ColFrameBg, colours().none)
	implot.PushStyleColorVec4(implot.ColPlotBg, colours().field)
	implot.PushStyleColorVec4(implot.ColPlotBorder, colours().none)
	if implot.BeginPlotV("##frames", imgui.NewVec2(-1, plotHeight*h.scale), implot.FlagsCanvasOnly|implot.FlagsNoInputs) {
		implot.SetupAxesV("", "", still, still)
		implot.SetupAxesLimitsV(0, float64(l.count-1), 0, float64(l.slowest())*1.15, implot.CondAlways)
		first := int32(0)
		if l.count == len(l.ms) {
			first = int32(l.next)
		}
		const floatBytes = 4
		implot.SetNextFillStyleV(colours().glow, 1)
		implot.PlotShadedFloatPtrIntV("##area", &l.ms[0], int32(l.count), 0, 1, 0, 0, first, floatBytes)
		implot.SetNextLineStyleV(colours().accent, 1.5*h.scale)
		implot.PlotLineFloatPtrIntV("##line", &l.ms[0], int32(l.count), 1, 0, 0, first, floatBytes)
		implot.EndPlot()
	}
	implot.PopStyleColorV(3)
	implot.PopStyleVar()
	h.faint(fmt.Sprintf("frame time, up to %.0f ms", l.slowest()))
}
