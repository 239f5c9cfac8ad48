package hud

import (
	"fmt"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"

	"glint/tracer/profile"
	"glint/viewer/session"
)

const (
	smallSize     = 13  // of text in tables, at a content scale of 1
	extremesWidth = 320 // from which on there is room for the shortest and the longest time of each kernel
)

// drawStatistics shows at the right where the time of a frame goes, and how far paths get.
func (h *HUD) drawStatistics(m *session.Model) {
	h.scrolling("##statistics", h.At.Page, func() {
		imgui.PushFont(h.title, titleSize)
		title := "Statistics"
		if name := m.SideName(); name != "" {
			title += " · " + name
		}
		imgui.TextUnformatted(title)
		imgui.PopFont()
		imgui.SameLineV(0, keyGap*h.Scale)
		h.faint("I closes")
		h.drawStatsModel(&m.Statistics, m.Frames.PathRate())
	})
}

func (h *HUD) drawStatsModel(m *session.StatsModel, pathRate float64) {
	s := &m.Latest
	h.faint(rates(s, pathRate))
	if s.Timed == 0 {
		return
	}
	imgui.PushFont(h.plain, smallSize)
	defer imgui.PopFont()
	h.drawKinds(m)
	h.drawKernels(s)
	if alive := s.Alive(); len(alive) > 0 {
		h.drawAlive(alive)
	}
	if len(s.Queues) > 0 {
		h.drawQueues(s.Queues)
	}
	h.drawMemory(s.Memory)
}

// rates are the time of a whole sample, and the window's paths and rays a second.
func rates(s *profile.Statistics, pathRate float64) string {
	if s.Timed == 0 {
		return "waiting for a whole frame"
	}
	ms := s.MsPerFrame()
	if s.Whole.Frames > 0 {
		ms = s.Whole.Mean() // less than the sum, since kernels overlap
	}
	text := fmt.Sprintf("%s · %s paths/s", session.Duration(time.Duration(ms*float64(time.Millisecond))), session.SI(pathRate))
	if rays := s.RaysPerPath(); rays > 0 {
		text += fmt.Sprintf(" · %s rays/s", session.SI(pathRate*rays))
	}
	return text
}

// drawKernels is a table of the milliseconds a frame of each kernel, by kinds.
func (h *HUD) drawKernels(s *profile.Statistics) {
	const columns = 5
	narrow := imgui.ContentRegionAvail().X < extremesWidth*h.Scale
	if !imgui.BeginTableV("##kernels", columns, imgui.TableFlagsSizingStretchProp, imgui.Vec2{}, 0) {
		return
	}
	heads := []struct {
		name    string
		share   float32
		extreme bool
	}{{"ms a frame", 2.7, false}, {"mean", 1, false}, {"min", 1, true}, {"max", 1, true}, {"each", 1.8, false}}
	for _, c := range heads {
		flags := imgui.TableColumnFlagsWidthStretch
		if narrow && c.extreme {
			flags |= imgui.TableColumnFlagsDisabled
		}
		imgui.TableSetupColumnV(c.name, flags, c.share, 0)
	}
	h.cells(Colours().faint, heads[0].name, heads[1].name, heads[2].name, heads[3].name, heads[4].name)
	for _, c := range s.Costs() {
		each := ""
		if c.PerMillion > 0 {
			each = session.Digits(c.PerMillion) + " ns/" + strings.TrimSuffix(c.Unit, "s") // as many ms for a million
		}
		h.drawCost(c, each, s.Of(c.Kind))
	}
	imgui.EndTable()
}

// drawCost is a row for a kind and one for each of its kernels, or one for both where there is a single kernel.
func (h *HUD) drawCost(c profile.Cost, each string, kernels []profile.KernelTime) {
	row := func(ink colour, name string, ms profile.Spread, each string) {
		h.cells(ink, name, session.Digits(ms.Mean()), session.Digits(ms.Min), session.Digits(ms.Max), each)
	}
	if len(kernels) == 1 {
		name := kernels[0].Name
		if c.Kind != c.Kind.Main() {
			name = string(c.Kind) // shorter, and says what for
		}
		row(kindColour(c.Kind), name, kernels[0].Ms, each)
		return
	}
	h.cells(kindColour(c.Kind), string(c.Kind), session.Digits(c.Ms), "", "", each)
	for _, k := range kernels {
		row(Colours().ink, "  "+k.Name, k.Ms, "")
	}
}

// cells writes a row of a table, numbers to the right.
func (h *HUD) cells(ink colour, name string, values ...string) {
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

// drawMemory shows the memory held on the device, and the peak of the host.
func (h *HUD) drawMemory(m profile.Memory) {
	imgui.TextColored(Colours().Accent, "memory on the device: "+session.InBytes(m.Device()))
	text := ""
	for _, row := range []struct {
		name string
		size int
	}{
		{"film", m.Film}, {"reuse", m.Restir}, {"paths", m.Pool}, {"first hits", m.Hits}, {"denoiser", m.Denoiser},
		{"upscaling", m.Upscaler}, {"trials for auto", m.Trials}, {"scene", m.Scene},
	} {
		if row.size > 0 {
			text += row.name + " " + session.InBytes(row.size) + "   "
		}
	}
	if m.HostPeak > 0 {
		text += "host at most " + session.InBytes(int(m.HostPeak))
	}
	imgui.PushTextWrapPos()
	h.faint(text)
	imgui.PopTextWrapPos()
}

// kindColour is the colour of a kind of kernels; all shading has the same.
func kindColour(k profile.Kind) colour {
	rgb, known := map[profile.Kind]uint32{
		profile.Generation: 0xb39ddb, profile.Extension: 0x64b5f6, profile.Shading: 0xffbd5c, profile.Shadow: 0x4db6ac,
		profile.Queueing: 0x90a4ae,
		profile.Whole:    0xffbd5c, profile.Reuse: 0xe57373, profile.Output: 0xaed581, profile.Denoising: 0xf48fb1,
		profile.Upscaling: 0x4dd0e1,
	}[k.Main()]
	if !known {
		return Colours().faint
	}
	part := func(shift int) float32 { return float32(rgb>>shift&255) / 255 }
	return colour{X: part(16), Y: part(8), Z: part(0), W: 1}
}

const (
	kindsHeight = 58 // of plots, at a content scale of 1
	barsHeight  = 66
	barWidth    = 0.7 // share of the distance between bars
)

// plot draws in a frame of the panel's style, from (0, 0) to (right, top), with labels under what stands at 0, 1, ….
func (h *HUD) plot(id string, height float32, left, right, top float64, labels []string, inside func()) {
	const still implot.AxisFlags = implot.AxisFlagsNoDecorations
	bottom := still
	if len(labels) > 0 {
		bottom = implot.AxisFlagsNoGridLines | implot.AxisFlagsNoTickMarks | implot.AxisFlagsNoHighlight
	}
	implot.PushStyleVarVec2(implot.StyleVarPlotPadding, imgui.NewVec2(0, 2*h.Scale))
	implot.PushStyleVarVec2(implot.StyleVarLabelPadding, imgui.NewVec2(2*h.Scale, 2*h.Scale))
	implot.PushStyleColorVec4(implot.ColFrameBg, Colours().none)
	implot.PushStyleColorVec4(implot.ColPlotBg, Colours().field)
	implot.PushStyleColorVec4(implot.ColPlotBorder, Colours().none)
	if implot.BeginPlotV(id, imgui.NewVec2(-1, height*h.Scale), implot.FlagsCanvasOnly|implot.FlagsNoInputs) {
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

// drawKinds plots the log: milliseconds a frame of each kind, stacked, newest at the right.
func (h *HUD) drawKinds(m *session.StatsModel) {
	if m.Entries < 2 {
		return
	}
	layers, top := m.Layers()
	h.faint(fmt.Sprintf("ms a frame by kind, up to %s; the last %.0f s", session.Digits(top), float64(m.Entries)*session.StatsEvery.Seconds()))
	x := make([]float32, m.Entries)
	for n := range x {
		x[n] = float32(n)
	}
	h.plot("##kinds", kindsHeight, 0, float64(m.Entries-1), top*1.05, nil, func() {
		const floatBytes = 4
		for _, l := range layers {
			implot.SetNextFillStyleV(kindColour(l.Kind), 0.8)
			implot.PlotShadedFloatPtrFloatPtrFloatPtrV("##"+string(l.Kind), &x[0], &l.From[0], &l.To[0], int32(m.Entries),
				0, 0, floatBytes)
		}
	})
}

// maxBars is how many bars have room for labels.
const maxBars = 10

// drawAlive has a bar for each bounce: the share of paths that go on after it.
func (h *HUD) drawAlive(alive []float64) {
	imgui.TextColored(Colours().Accent, "paths alive after bounce 1, 2, …")
	values, labels := make([]float32, len(alive)), []string(nil)
	for n, share := range alive {
		values[n] = float32(share)
		labels = append(labels, fmt.Sprintf("%.0f%%", 100*share))
	}
	if len(labels) > maxBars {
		labels = nil
	}
	h.bars("##alive", labels, 1, series{Colours().Accent, values})
}

// drawQueues has two bars for each wave: the rays to closest hits, and those to lights.
func (h *HUD) drawQueues(queues []profile.Queue) {
	imgui.TextColored(kindColour(profile.Extension), "rays in the queue of each wave")
	imgui.SameLine()
	imgui.TextColored(kindColour(profile.Shadow), "and to lights")
	extension, shadow, labels := make([]float32, len(queues)), make([]float32, len(queues)), []string(nil)
	var top float32
	for n, q := range queues {
		extension[n], shadow[n] = float32(q.Extension), float32(q.Shadow)
		top = max(top, extension[n], shadow[n])
		labels = append(labels, session.SI(q.Extension))
	}
	if len(labels) > maxBars {
		labels = nil
	}
	h.bars("##queues", labels, float64(top), series{kindColour(profile.Extension), extension},
		series{kindColour(profile.Shadow), shadow})
}

// series is one set of bars.
type series struct {
	ink    colour
	values []float32
}

// bars draws sets of bars side by side.
func (h *HUD) bars(id string, labels []string, top float64, sets ...series) {
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
