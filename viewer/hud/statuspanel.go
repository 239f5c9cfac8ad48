package hud

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"

	"glint/viewer/session"
)

// drawStatus says what renders, and how fast.
func drawStatus(d *drawing, m *session.Model) {
	if !d.heading("Status") {
		return
	}
	if d.beginPairs("status") {
		for _, line := range m.Status {
			d.pair(line.Name, func() { d.drawValue(line.Value, line.Why) })
		}
		imgui.EndTable()
	}
	drawPlot(d, &m.Frames)
}

// drawPlot shows the last frame times, newest at the right.
func drawPlot(d *drawing, l *session.FrameLog) {
	if l.Count < 2 {
		return
	}
	const still = implot.AxisFlagsNoDecorations
	implot.PushStyleVarVec2(implot.StyleVarPlotPadding, imgui.NewVec2(0, 2*d.Scale))
	implot.PushStyleColorVec4(implot.ColFrameBg, Colors().none)
	implot.PushStyleColorVec4(implot.ColPlotBg, Colors().field)
	implot.PushStyleColorVec4(implot.ColPlotBorder, Colors().none)
	if implot.BeginPlotV("##frames", imgui.NewVec2(-1, plotHeight*d.Scale), implot.FlagsCanvasOnly|implot.FlagsNoInputs) {
		implot.SetupAxesV("", "", still, still)
		implot.SetupAxesLimitsV(0, float64(l.Count-1), 0, float64(l.Slowest())*1.15, implot.CondAlways)
		first := int32(0)
		if l.Count == len(l.Ms) {
			first = int32(l.Next)
		}
		const floatBytes = 4
		implot.SetNextFillStyleV(Colors().glow, 1)
		implot.PlotShadedFloatPtrIntV("##area", &l.Ms[0], int32(l.Count), 0, 1, 0, 0, first, floatBytes)
		implot.SetNextLineStyleV(Colors().Accent, 1.5*d.Scale)
		implot.PlotLineFloatPtrIntV("##line", &l.Ms[0], int32(l.Count), 1, 0, 0, first, floatBytes)
		implot.EndPlot()
	}
	implot.PopStyleColorV(3)
	implot.PopStyleVar()
	d.faint(fmt.Sprintf("frame time, up to %.0f ms", l.Slowest()))
}
