package hud

import (
	"fmt"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/profile"
	"glint/viewer/session"
)

// extremesWidth is that from which on there is room for the shortest and the longest time of each kernel.
const extremesWidth = 320

// drawStatistics shows at the right where the time of a frame goes, and how far paths get.
func drawStatistics(d *drawing, m *session.Model) {
	d.scrolling("##statistics", d.At.Page, func() {
		title := "Statistics"
		if name := m.SideName(); name != "" {
			title += " · " + name
		}
		d.pageTitle(title, "statistics")
		if m.Rays != "" {
			imgui.PushTextWrapPos()
			d.faint("rays by " + m.Rays)
			imgui.PopTextWrapPos()
		}
		drawStatsModel(d, &m.Statistics, m.Frames.PathRate())
	})
}

func drawStatsModel(d *drawing, m *session.StatsModel, pathRate float64) {
	s := &m.Latest
	d.faint(rates(s, pathRate))
	if s.Timed == 0 {
		return
	}
	imgui.PushFont(d.plain, smallSize)
	defer imgui.PopFont()
	drawKinds(d, m)
	drawKernels(d, s)
	if alive := s.Alive(); len(alive) > 0 {
		drawAlive(d, alive)
	}
	if len(s.Queues) > 0 {
		drawQueues(d, s.Queues)
	}
	drawMemory(d, s.Memory)
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
func drawKernels(d *drawing, s *profile.Statistics) {
	const columns = 5
	narrow := imgui.ContentRegionAvail().X < extremesWidth*d.Scale
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
	d.cells(Colors().faint, heads[0].name, heads[1].name, heads[2].name, heads[3].name, heads[4].name)
	for _, c := range s.Costs() {
		each := ""
		if c.PerMillion > 0 {
			each = session.Digits(c.PerMillion) + " ns/" + strings.TrimSuffix(c.Unit, "s") // as many ms for a million
		}
		drawCost(d, c, each, s.Of(c.Kind))
	}
	imgui.EndTable()
}

// drawCost is a row for a kind and one for each of its kernels, or one for both where there is a single kernel.
func drawCost(d *drawing, c profile.Cost, each string, kernels []profile.KernelTime) {
	row := func(ink color, name string, ms profile.Spread, each string) {
		d.cells(ink, name, session.Digits(ms.Mean()), session.Digits(ms.Min), session.Digits(ms.Max), each)
	}
	if len(kernels) == 1 {
		name := kernels[0].Name
		if c.Kind != c.Kind.Main() {
			name = string(c.Kind) // shorter, and says what for
		}
		row(kindColor(c.Kind), name, kernels[0].Ms, each)
		return
	}
	d.cells(kindColor(c.Kind), string(c.Kind), session.Digits(c.Ms), "", "", each)
	for _, k := range kernels {
		row(Colors().ink, "  "+k.Name, k.Ms, "")
	}
}

// drawMemory shows the memory held on the device, and the peak of the host.
func drawMemory(d *drawing, m profile.Memory) {
	imgui.TextColored(Colors().Accent, "memory on the device: "+session.InBytes(m.Device()))
	text := ""
	for _, row := range []struct {
		name string
		size int
	}{
		{"film", m.Film}, {"reuse", m.Restir}, {"paths", m.Pool}, {"first hits", m.Hits}, {"denoiser", m.Denoiser},
		{"upscaling", m.Upscaler}, {"scene", m.Scene},
	} {
		if row.size > 0 {
			text += row.name + " " + session.InBytes(row.size) + "   "
		}
	}
	if m.HostPeak > 0 {
		text += "host at most " + session.InBytes(int(m.HostPeak))
	}
	imgui.PushTextWrapPos()
	d.faint(text)
	imgui.PopTextWrapPos()
}

// kindColor is the colour of a kind of kernels; all shading has the same.
func kindColor(k profile.Kind) color {
	rgb, known := map[profile.Kind]uint32{
		profile.Generation: 0xb39ddb, profile.Extension: 0x64b5f6, profile.Shading: 0xffbd5c, profile.Shadow: 0x4db6ac,
		profile.Queueing: 0x90a4ae,
		profile.Whole:    0xffbd5c, profile.Reuse: 0xe57373, profile.Output: 0xaed581, profile.Denoising: 0xf48fb1,
		profile.Upscaling: 0x4dd0e1,
	}[k.Main()]
	if !known {
		return Colors().faint
	}
	part := func(shift int) float32 { return float32(rgb>>shift&255) / 255 }
	return color{X: part(16), Y: part(8), Z: part(0), W: 1}
}

// drawKinds plots the log: milliseconds a frame of each kind, stacked, newest at the right.
func drawKinds(d *drawing, m *session.StatsModel) {
	if m.Entries < 2 {
		return
	}
	layers, top := m.Layers()
	d.faint(fmt.Sprintf("ms a frame by kind, up to %s; the last %.0f s", session.Digits(top), float64(m.Entries)*session.StatsEvery.Seconds()))
	p := d.plot(kindsHeight, 0, float64(m.Entries-1), top*1.05)
	for _, l := range layers {
		ink := kindColor(l.Kind)
		ink.W *= barInk
		p.band(ink, l.From, l.To)
	}
}

// maxBars is how many bars have room for labels.
const maxBars = 10

// drawAlive has a bar for each bounce: the share of paths that go on after it.
func drawAlive(d *drawing, alive []float64) {
	imgui.TextColored(Colors().Accent, "paths alive after bounce 1, 2, …")
	values, labels := make([]float32, len(alive)), []string(nil)
	for n, share := range alive {
		values[n] = float32(share)
		labels = append(labels, fmt.Sprintf("%.0f%%", 100*share))
	}
	if len(labels) > maxBars {
		labels = nil
	}
	d.bars(labels, 1, series{Colors().Accent, values})
}

// drawQueues has two bars for each wave: the rays to closest hits, and those to lights.
func drawQueues(d *drawing, queues []profile.Queue) {
	imgui.TextColored(kindColor(profile.Extension), "rays in the queue of each wave")
	imgui.SameLine()
	imgui.TextColored(kindColor(profile.Shadow), "and to lights")
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
	d.bars(labels, float64(top), series{kindColor(profile.Extension), extension},
		series{kindColor(profile.Shadow), shadow})
}
