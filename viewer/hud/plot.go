package hud

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"
)

// plot draws in a frame of the panel's style, from (0, 0) to (right, top), with labels under what stands at 0, 1, ….
func (d *drawing) plot(id string, height float32, left, right, top float64, labels []string, inside func()) {
	const still implot.AxisFlags = implot.AxisFlagsNoDecorations
	bottom := still
	if len(labels) > 0 {
		bottom = implot.AxisFlagsNoGridLines | implot.AxisFlagsNoTickMarks | implot.AxisFlagsNoHighlight
	}
	implot.PushStyleVarVec2(implot.StyleVarPlotPadding, imgui.NewVec2(0, 2*d.Scale))
	implot.PushStyleVarVec2(implot.StyleVarLabelPadding, imgui.NewVec2(2*d.Scale, 2*d.Scale))
	implot.PushStyleColorVec4(implot.ColFrameBg, Colors().none)
	implot.PushStyleColorVec4(implot.ColPlotBg, Colors().field)
	implot.PushStyleColorVec4(implot.ColPlotBorder, Colors().none)
	if implot.BeginPlotV(id, imgui.NewVec2(-1, height*d.Scale), implot.FlagsCanvasOnly|implot.FlagsNoInputs) {
		implot.SetupAxesV("", "", bottom, still)
		implot.SetupAxesLimitsV(left, right, 0, top, implot.CondAlways)
		if len(labels) > 0 {
			at := make([]float64, len(labels))
			for i := range at {
				at[i] = float64(i)
			}
			implot.SetupAxisTicksdoublePtrV(implot.AxisX1, &at[0], int32(len(at)), labels, false)
		}
		inside()
		implot.EndPlot()
	}
	implot.PopStyleColorV(3)
	implot.PopStyleVarV(2)
}

// cells writes a row of a table, numbers to the right.
func (d *drawing) cells(ink color, name string, values ...string) {
	imgui.TableNextRow()
	imgui.TableNextColumn()
	imgui.TextColored(ink, name)
	for _, v := range values {
		imgui.TableNextColumn()
		if room := imgui.ContentRegionAvail().X - imgui.CalcTextSize(v).X; room > 0 {
			imgui.SetCursorPosX(imgui.CursorPosX() + room)
		}
		imgui.TextColored(ink, v)
	}
}

// series is one set of bars.
type series struct {
	ink    color
	values []float32
}

// bars draws sets of bars side by side.
func (d *drawing) bars(id string, labels []string, top float64, sets ...series) {
	count := len(sets[0].values)
	d.plot(id, barsHeight, -0.5, float64(count)-0.5, top*1.05, labels, func() {
		const floatBytes = 4
		width := barWidth / float64(len(sets))
		for n, s := range sets {
			implot.SetNextFillStyleV(s.ink, 0.8)
			shift := (float64(n) - float64(len(sets)-1)/2) * width
			implot.PlotBarsFloatPtrIntV(fmt.Sprintf("%s%d", id, n), &s.values[0], int32(count), width, shift, 0, 0, floatBytes)
		}
	})
}

const (
	kindsHeight = 58 // of plots, at a content scale of 1
	barsHeight  = 66
	barWidth    = 0.7 // share of the distance between bars
)
