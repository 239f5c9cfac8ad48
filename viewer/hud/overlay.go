package hud

import (
	"cmp"
	"fmt"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/diagnose"
	"glint/viewer/session"
)

const markerRadius = 13 // at a content scale of 1

// drawFocusMarker draws a ring around the point in focus, which fades.
func drawFocusMarker(d *drawing, m session.FocusMarker) {
	left := time.Until(m.Until)
	if left <= 0 {
		return
	}
	c := Colors().Accent
	c.W = float32(left) / float32(session.MarkerFor)
	list := imgui.BackgroundDrawList()
	list.AddCircleV(imgui.NewVec2(float32(m.X), float32(m.Y)), markerRadius*d.Scale, imgui.ColorU32Vec4(c), 0, 2*d.Scale)
}

// drawNote writes a line in the middle of an empty window.
func drawNote(d *drawing, text string) {
	d.overlay("##note", func() { imgui.TextUnformatted(text) })
}

// drawBlack says why the picture is black, and offers what mends it.
func drawBlack(d *drawing, c *diagnose.Cause) {
	d.overlayWith("##black", 0, false, func() {
		d.Covers = append(d.Covers, Rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		pad := imgui.CurrentStyle().WindowPadding().X
		imgui.PushTextWrapPosV(min(messageWidth*d.Scale, d.At.View.Width()) - pad)
		imgui.TextUnformatted(c.Why)
		imgui.PopTextWrapPos()
		if c.Mend != "" && imgui.ButtonV(c.Mend, imgui.NewVec2(-1, 0)) {
			d.act(session.Mend{})
		}
	})
}

// drawFindings shows answers about the view, and offers what may be done.
func drawFindings(d *drawing, f *session.Findings) {
	d.overlayWith("##findings", 0, f.Low, func() {
		d.Covers = append(d.Covers, Rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		imgui.PushFont(d.title, titleSize)
		imgui.TextUnformatted(f.Title)
		imgui.PopFont()
		pad := imgui.CurrentStyle().WindowPadding().X
		for i, line := range f.Lines {
			if line.Text != "" {
				imgui.PushTextWrapPosV(min(messageWidth*d.Scale, d.At.View.Width()) - pad)
				imgui.TextUnformatted(line.Text)
				imgui.PopTextWrapPos()
			}
			if line.Mend != "" && imgui.ButtonV(fmt.Sprintf("%s##finding%d", line.Mend, i), imgui.NewVec2(-1, 0)) {
				d.act(line.Do)
			}
		}
		if imgui.ButtonV(d.keyed("close%s", "escape"), imgui.NewVec2(-1, 0)) {
			d.act(f.Close)
		}
	})
}

// drawProgress shows how far a scene is loaded.
func drawProgress(d *drawing, m *session.LoadingModel) {
	d.overlay("##progress", func() {
		imgui.PushFont(d.title, titleSize)
		imgui.TextUnformatted(m.Name)
		imgui.PopFont()
		width := min(messageWidth*d.Scale, d.At.View.Width()-2*imgui.CurrentStyle().WindowPadding().X)
		imgui.ProgressBarV(float32(m.Fraction), imgui.NewVec2(width, barThickness*d.Scale), "")
		about := cmp.Or(m.Stage, "opening")
		if key := d.keys.Of("escape", d.mode); key != "" && m.CanStop {
			about += " · " + key + " cancels"
		}
		d.faint(about)
	})
}
