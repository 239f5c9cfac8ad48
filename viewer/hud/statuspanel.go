package hud

import (
	"fmt"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

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
	ms := l.Ms[:l.Count]
	if l.Count == len(l.Ms) {
		ms = slices.Concat(l.Ms[l.Next:], l.Ms[:l.Next])
	}
	p := d.plot(plotHeight, 0, float64(l.Count-1), float64(l.Slowest())*1.15)
	p.band(Colors().glow, make([]float32, l.Count), ms)
	p.curve(Colors().Accent, 1.5*d.Scale, ms)
	d.faint(fmt.Sprintf("frame time, up to %.0f ms", l.Slowest()))
}
