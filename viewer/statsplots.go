package viewer

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"

	"glint/tracer"
)

const (
	kindsHeight = 58 // of plots, at a content scale of 1
	barsHeight  = 66
	barWidth    = 0.7 // of a bar's place
)

// plot draws in a frame of the panel's style, from (0, 0) to (right, top), with labels under what stands at 0, 1, ….
func (h *hud) plot(id string, height float32, left, right, top float64, labels []string, inside func()) {
	const still = implot.AxisFlagsNoDecorations
	bottom := implot.AxisFlags(still)
	if len(labels) > 0 {
		bottom = implot.AxisFlagsNoGridLines | implot.AxisFlagsNoTickMarks | implot.AxisFlagsNoHighlight
	}
	implot.PushStyleVarVec2(implot.StyleVarPlotPadding, imgui.NewVec2(0, 2*h.scale))
	implot.PushStyleVarVec2(implot.StyleVarLabelPadding, imgui.NewVec2(2*h.scale, 2*h.scale))
	implot.PushStyleColorVec4(implot.ColFrameBg, colours().none)
	implot.PushStyleColorVec4(implot.ColPlotBg, colours().field)
	implot.PushStyleColorVec4(implot.ColPlotBorder, colours().none)
	if implot.BeginPlotV(id, imgui.NewVec2(-1, height*h.scale), implot.FlagsCanvasOnly|implot.FlagsNoInputs) {
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

// drawKinds is the log of a frame's milliseconds, kind upon kind, newest at the right.
func (h *hud) drawKinds(i *insight) {
	if i.entries < 2 {
		return
	}
	layers, top := i.layers()
	h.faint(fmt.Sprintf("ms a frame by kind, up to %s; the last %.0f s", digits(top), float64(i.entries)*askEvery.Seconds()))
	x := make([]float32, i.entries)
	for n := range x {
		x[n] = float32(n)
	}
	h.plot("##kinds", kindsHeight, 0, float64(i.entries-1), top*1.05, nil, func() {
		const floatBytes = 4
		for _, l := range layers {
			implot.SetNextFillStyleV(kindColour(l.kind), 0.8)
			implot.PlotShadedFloatPtrFloatPtrFloatPtrV("##"+string(l.kind), &x[0], &l.from[0], &l.to[0], int32(i.entries), 0, 0, floatBytes)
		}
	})
}

// layer is one kind in the stack.
type layer struct {
	kind     tracer.Kind
	from, to []float32
}

// layers stacks the log, in a frame's order; top is the highest stack, ms.
func (i *insight) layers() (layers []layer, top float64) {
	below := make([]float32, i.entries)
	for _, kind := range tracer.Kinds() {
		ms := i.log[kind]
		if ms == nil {
			continue
		}
		above := make([]float32, i.entries)
		for n := range above {
			above[n] = below[n] + ms[n]
			top = max(top, float64(above[n]))
		}
		layers = append(layers, layer{kind, below, above})
		below = above
	}
	return layers, top
}

// mostBars is how many bars have room for labels.
const mostBars = 10

// drawAlive has a bar for each bounce: the share of paths that go on after it.
func (h *hud) drawAlive(alive []float64) {
	imgui.TextColored(colours().accent, "paths alive after bounce 1, 2, …")
	values, labels := make([]float32, len(alive)), []string(nil)
	for n, share := range alive {
		values[n] = float32(share)
		labels = append(labels, fmt.Sprintf("%.0f%%", 100*share))
	}
	if len(labels) > mostBars {
		labels = nil
	}
	h.bars("##alive", labels, 1, series{colours().accent, values})
}

// drawQueues has two bars for each wave: the rays to closest hits, and those to lights.
func (h *hud) drawQueues(queues []tracer.Queue) {
	imgui.TextColored(kindColour(tracer.Extension), "rays in the queue of each wave")
	imgui.SameLine()
	imgui.TextColored(kindColour(tracer.Shadow), "and to lights")
	extension, shadow, labels := make([]float32, len(queues)), make([]float32, len(queues)), []string(nil)
	var top float32
	for n, q := range queues {
		extension[n], shadow[n] = float32(q.Extension), float32(q.Shadow)
		top = max(top, extension[n], shadow[n])
		labels = append(labels, si(q.Extension))
	}
	if len(labels) > mostBars {
		labels = nil
	}
	h.bars("##queues", labels, float64(top), series{kindColour(tracer.Extension), extension}, series{kindColour(tracer.Shadow), shadow})
}

// series is one set of bars.
type series struct {
	ink    colour
	values []float32
}

// bars draws sets of bars side by side.
func (h *hud) bars(id string, labels []string, top float64, sets ...series) {
	count := len(sets[0].values)
	h.plot(id, barsHeight, -0.5, float64(count)-0.5, top*1.05, labels, func() {
		const floatBytes = 4
		width := barWidth / float64(len(sets))
		for n, s := range sets {
			implot.SetNextFillStyleV(s.ink, 0.8)
			shift := (float64(n) - float64(len(sets)-1)/2) * width
			implot.PlotBarsFloatPtrIntV(fmt.Sprintf("%s%d", id, n), &s.values[0], int32(count), width, shift, 0, 0, floatBytes)
		}
	})
}
