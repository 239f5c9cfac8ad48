package hud

import (
	"cmp"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/film"
	"glint/viewer/session"
)

const markerRadius = 13 // at a content scale of 1

const overlayFlags = imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoMove | imgui.WindowFlagsNoSavedSettings |
	imgui.WindowFlagsNoNav | imgui.WindowFlagsAlwaysAutoResize | imgui.WindowFlagsNoFocusOnAppearing

// drawFocusMarker draws a ring around the point in focus, which fades.
func (h *HUD) drawFocusMarker(m session.FocusMarker) {
	left := time.Until(m.Until)
	if left <= 0 {
		return
	}
	c := Colours().Accent
	c.W = float32(left) / float32(session.MarkerFor)
	list := imgui.BackgroundDrawList()
	list.AddCircleV(imgui.NewVec2(float32(m.X), float32(m.Y)), markerRadius*h.Scale, imgui.ColorU32Vec4(c), 0, 2*h.Scale)
}

// overlay draws a small window in the middle of what panels leave free.
func (h *HUD) overlay(id string, inside func()) { h.overlayWith(id, imgui.WindowFlagsNoInputs, inside) }

// overlayWith draws it with more of ImGui's flags.
func (h *HUD) overlayWith(id string, flags imgui.WindowFlags, inside func()) {
	imgui.SetNextWindowPosV(h.At.View.Middle(), imgui.CondAlways, imgui.NewVec2(0.5, 0.5))
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, h.At.View.Max.Sub(h.At.View.Min))
	if imgui.BeginV(id, nil, overlayFlags|flags) {
		inside()
	}
	imgui.End()
}

// DrawNote writes a line in the middle of an empty window.
func (h *HUD) DrawNote(text string) {
	h.overlay("##note", func() { imgui.TextUnformatted(text) })
}

// drawDark says why the picture is black, and offers light.
func (h *HUD) drawDark() {
	h.overlayWith("##dark", 0, func() {
		h.Covers = append(h.Covers, Rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		pad := imgui.CurrentStyle().WindowPadding().X
		imgui.PushTextWrapPosV(min(messageWidth*h.Scale, h.At.View.Width()) - pad)
		imgui.TextUnformatted("Nothing lights this scene: no lamps, no environment.")
		imgui.PopTextWrapPos()
		if imgui.ButtonV("light it with a studio", imgui.NewVec2(-1, 0)) {
			h.act(session.OpenEnvironment{Spec: "studio"})
		}
	})
}

// drawProgress shows how far a scene is loaded.
func (h *HUD) drawProgress(m *session.LoadingModel) {
	h.overlay("##progress", func() {
		imgui.PushFont(h.title, titleSize)
		imgui.TextUnformatted(m.Name)
		imgui.PopFont()
		width := min(messageWidth*h.Scale, h.At.View.Width()-2*imgui.CurrentStyle().WindowPadding().X)
		imgui.ProgressBarV(float32(m.Fraction), imgui.NewVec2(width, barThickness*h.Scale), "")
		h.faint(cmp.Or(m.Stage, "opening") + m.Hint)
	})
}

// legendHeight is how high a legend of a given width is.
func (h *HUD) legendHeight(v session.Legend, width float32) float32 {
	pad := imgui.CurrentStyle().WindowPadding()
	lines := float32(1 + len(v.Colours))
	return 2*pad.Y + lines*imgui.TextLineHeightWithSpacing() + imgui.CalcTextSizeV(v.Help, false, width-2*pad.X).Y
}

// drawLegend says what the colours mean, in the lower right corner.
func (h *HUD) drawLegend(v session.Legend) {
	if v.Name == "" || h.At.legend.Empty() {
		return
	}
	h.place(h.At.legend)
	if imgui.BeginV("##legend", nil, overlayFlags&^imgui.WindowFlagsAlwaysAutoResize|imgui.WindowFlagsNoInputs) {
		imgui.TextColored(Colours().Accent, v.Name)
		imgui.PushTextWrapPos()
		h.faint(v.Help)
		imgui.PopTextWrapPos()
		for _, s := range v.Colours {
			drawSwatch(s)
		}
	}
	imgui.End()
}

// place gives the next window a part of the screen.
func (h *HUD) place(r Rect) {
	imgui.SetNextWindowPos(r.Min)
	imgui.SetNextWindowSize(r.Max.Sub(r.Min))
}

// drawSwatch draws a patch of a colour and its meaning.
func drawSwatch(s film.Swatch) {
	part := func(shift int) float32 { return float32(s.RGB>>shift&255) / 255 }
	const flags = imgui.ColorEditFlagsNoTooltip | imgui.ColorEditFlagsNoDragDrop
	side := imgui.TextLineHeight()
	imgui.ColorButtonV("##"+s.Label, colour{X: part(16), Y: part(8), Z: part(0), W: 1}, flags, imgui.NewVec2(side, side))
	imgui.SameLine()
	imgui.TextUnformatted(s.Label)
}
