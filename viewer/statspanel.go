package viewer

import (
	"fmt"
	"math"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer"
)

const (
	statsWidth = 372 // at a content scale of 1
	smallSize  = 13  // of text in tables
)

// drawStatistics shows at the right where a frame's time goes, and how paths fare.
func (h *hud) drawStatistics(a *app) {
	size := imgui.MainViewport().Size()
	width := min(statsWidth*h.scale, size.X-2*margin*h.scale)
	imgui.SetNextWindowPosV(imgui.NewVec2(size.X-margin*h.scale, margin*h.scale), imgui.CondAlways, imgui.NewVec2(1, 0))
	imgui.SetNextWindowSizeConstraints(imgui.NewVec2(width, 0), imgui.NewVec2(width, size.Y-2*margin*h.scale))
	if imgui.BeginV("##statistics", nil, overlayFlags&^imgui.WindowFlagsNoDecoration|imgui.WindowFlagsNoTitleBar|imgui.WindowFlagsNoResize) {
		h.statsMin = imgui.WindowPos()
		h.statsMax = h.statsMin.Add(imgui.WindowSize())
		imgui.PushFont(h.title, titleSize)
		title := "Statistics"
		if a.comparing() {
			title += " · " + a.name
		}
		imgui.TextUnformatted(title)
		imgui.PopFont()
		h.drawInsight(&a.insight)
	}
	imgui.End()
}

func (h *hud) drawInsight(i *insight) {
	s := &i.told
	h.faint(rates(s))
	if s.Timed == 0 {
		return
	}
	imgui.PushFont(h.plain, smallSize)
	defer imgui.PopFont()
	h.drawKinds(i)
	h.drawKernels(s)
	if alive := s.Alive(); len(alive) > 0 {
		h.drawAlive(alive)
	}
	if len(s.Queues) > 0 {
		h.drawQueues(s.Queues)
	}
	h.drawMemory(s.Memory)
}

// rates are how much gets done, by the time in kernels.
func rates(s *tracer.Statistics) string {
	if s.Timed == 0 {
		return "waiting for a whole frame"
	}
	ms := s.MsPerFrame()
	if s.Whole.Frames > 0 {
		ms = s.Whole.Mean() // kernels overlap
	}
	text := fmt.Sprintf("%s · %s paths/s", duration(time.Duration(ms*float64(time.Millisecond))), si(s.PathRate()))
	if rays := s.RaysPerPath(); rays > 0 {
		text += fmt.Sprintf(" · %s rays/s", si(s.PathRate()*rays))
	}
	return text
}

// si writes a number to three digits with its metric prefix.
func si(x float64) string {
	for _, p := range []struct {
		unit float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if x >= p.unit {
			return fmt.Sprintf("%.3g%s", x/p.unit, p.name)
		}
	}
	return fmt.Sprintf("%.3g", x)
}

// drawKernels is a table of the milliseconds a frame of each kernel, under its kind's share and cost.
func (h *hud) drawKernels(s *tracer.Statistics) {
	const columns = 5
	if !imgui.BeginTableV("##kernels", columns, imgui.TableFlagsSizingStretchProp, imgui.Vec2{}, 0) {
		return
	}
	heads := []struct {
		name  string
		share float32
	}{{"ms a frame", 2.7}, {"mean", 1}, {"min", 1}, {"max", 1}, {"a million", 1.8}}
	for _, c := range heads {
		imgui.TableSetupColumnV(c.name, imgui.TableColumnFlagsWidthStretch, c.share, 0)
	}
	h.cells(colours().faint, heads[0].name, heads[1].name, heads[2].name, heads[3].name, heads[4].name)
	for _, c := range s.Costs() {
		each := ""
		if c.PerMillion > 0 {
			each = digits(c.PerMillion) + " " + c.Unit
		}
		h.drawCost(c, each, s.Of(c.Kind))
	}
	imgui.EndTable()
}

// drawCost is a row for a kind and one for each of its kernels, or one for both where there is a single kernel.
func (h *hud) drawCost(c tracer.Cost, each string, kernels []tracer.KernelTime) {
	row := func(ink colour, name string, ms tracer.Spread, each string) {
		h.cells(ink, name, digits(ms.Mean()), digits(ms.Min), digits(ms.Max), each)
	}
	if len(kernels) == 1 {
		name := kernels[0].Name
		if c.Kind != c.Kind.Main() {
			name = string(c.Kind) // shorter, and says what for
		}
		row(kindColour(c.Kind), name, kernels[0].Ms, each)
		return
	}
	h.cells(kindColour(c.Kind), string(c.Kind), digits(c.Ms), "", "", each)
	for _, k := range kernels {
		row(colours().ink, "  "+k.Name, k.Ms, "")
	}
}

// cells writes a row of a table, numbers to the right.
func (h *hud) cells(ink colour, name string, values ...string) {
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

// digits writes a time in ms to what is worth knowing of it.
func digits(ms float64) string {
	places := 3 - int(math.Floor(math.Log10(max(ms, 0.1))+1))
	return fmt.Sprintf("%.*f", min(max(places, 0), 3), ms)
}

// drawMemory tells what is held on the device, and the most that was held beside it.
func (h *hud) drawMemory(m tracer.Memory) {
	imgui.TextColored(colours().accent, "memory on the device: "+inBytes(m.Device()))
	text := ""
	for _, row := range []struct {
		name string
		size int
	}{{"film", m.Film}, {"reuse", m.Restir}, {"paths", m.Pool}, {"first hits", m.Hits}, {"denoiser", m.Denoiser}, {"upscaling", m.Upscaler}, {"scene", m.Scene}} {
		if row.size > 0 {
			text += row.name + " " + inBytes(row.size) + "   "
		}
	}
	if m.HostPeak > 0 {
		text += "host at most " + inBytes(int(m.HostPeak))
	}
	imgui.PushTextWrapPos()
	h.faint(text)
	imgui.PopTextWrapPos()
}

func inBytes(n int) string { return si(float64(n)) + "B" }

// kindColour tells kinds of kernels apart; what shades one class of materials looks like all shading.
func kindColour(k tracer.Kind) colour {
	rgb, known := map[tracer.Kind]uint32{
		tracer.Generation: 0xb39ddb, tracer.Extension: 0x64b5f6, tracer.Shading: 0xffbd5c, tracer.Shadow: 0x4db6ac,
		tracer.Queueing: 0x90a4ae,
		tracer.Whole:    0xffbd5c, tracer.Reuse: 0xe57373, tracer.Output: 0xaed581, tracer.Denoising: 0xf48fb1,
		tracer.Upscaling: 0x4dd0e1,
	}[k.Main()]
	if !known {
		return colours().faint
	}
	part := func(shift int) float32 { return float32(rgb>>shift&255) / 255 }
	return colour{X: part(16), Y: part(8), Z: part(0), W: 1}
}
