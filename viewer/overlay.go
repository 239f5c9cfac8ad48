package viewer

import (
	"cmp"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/film"
)

const markerRadius = 13 // at a content scale of 1

const overlayFlags = imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoMove | imgui.WindowFlagsNoSavedSettings |
	imgui.WindowFlagsNoNav | imgui.WindowFlagsAlwaysAutoResize | imgui.WindowFlagsNoFocusOnAppearing

// drawFocusMarker draws a ring around the point in focus, which fades.
func (h *hud) drawFocusMarker(m focusMarker) {
	left := time.Until(m.until)
	if left <= 0 {
		return
	}
	c := colours().accent
	c.W = float32(left) / float32(markerFor)
	list := imgui.BackgroundDrawList()
	list.AddCircleV(imgui.NewVec2(float32(m.x), float32(m.y)), markerRadius*h.scale, imgui.ColorU32Vec4(c), 0, 2*h.scale)
}

// overlay draws a small window in the middle of what panels leave free.
func (h *hud) overlay(id string, inside func()) { h.overlayWith(id, imgui.WindowFlagsNoInputs, inside) }

// overlayWith draws it with more of ImGui's flags.
func (h *hud) overlayWith(id string, flags imgui.WindowFlags, inside func()) {
	imgui.SetNextWindowPosV(h.at.view.middle(), imgui.CondAlways, imgui.NewVec2(0.5, 0.5))
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, h.at.view.max.Sub(h.at.view.min))
	if imgui.BeginV(id, nil, overlayFlags|flags) {
		inside()
	}
	imgui.End()
}

// drawNote writes a line in the middle of an empty window.
func (h *hud) drawNote(text string) {
	h.overlay("##note", func() { imgui.TextUnformatted(text) })
}

// drawDark says why the picture is black, and offers light.
func (h *hud) drawDark() {
	h.overlayWith("##dark", 0, func() {
		h.covers = append(h.covers, rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		pad := imgui.CurrentStyle().WindowPadding().X
		imgui.PushTextWrapPosV(min(messageWidth*h.scale, h.at.view.width()) - pad)
		imgui.TextUnformatted("Nothing lights this scene: no lamps, no environment.")
		imgui.PopTextWrapPos()
		if imgui.ButtonV("light it with a studio", imgui.NewVec2(-1, 0)) {
			h.act(OpenEnvironment{"studio"})
		}
	})
}

// drawProgress shows how far a scene is loaded.
func (h *hud) drawProgress(m *loadingModel) {
	h.overlay("##progress", func() {
		imgui.PushFont(h.title, titleSize)
		imgui.TextUnformatted(m.name)
		imgui.PopFont()
		width := min(messageWidth*h.scale, h.at.view.width()-2*imgui.CurrentStyle().WindowPadding().X)
		imgui.ProgressBarV(float32(m.fraction), imgui.NewVec2(width, barThickness*h.scale), "")
		h.faint(cmp.Or(m.stage, "opening") + m.hint)
	})
}

// legendHeight is how high a legend of a given width is.
func (h *hud) legendHeight(v legend, width float32) float32 {
	pad := imgui.CurrentStyle().WindowPadding()
	lines := float32(1 + len(v.colours))
	return 2*pad.Y + lines*imgui.TextLineHeightWithSpacing() + imgui.CalcTextSizeV(v.help, false, width-2*pad.X).Y
}

// drawLegend says what the colours mean, in the lower right corner.
func (h *hud) drawLegend(v legend) {
	if v.name == "" || h.at.legend.empty() {
		return
	}
	h.place(h.at.legend)
	if imgui.BeginV("##legend", nil, overlayFlags&^imgui.WindowFlagsAlwaysAutoResize|imgui.WindowFlagsNoInputs) {
		imgui.TextColored(colours().accent, v.name)
		imgui.PushTextWrapPos()
		h.faint(v.help)
		imgui.PopTextWrapPos()
		for _, s := range v.colours {
			drawSwatch(s)
		}
	}
	imgui.End()
}

// place gives the next window a part of the screen.
func (h *hud) place(r rect) {
	imgui.SetNextWindowPos(r.min)
	imgui.SetNextWindowSize(r.max.Sub(r.min))
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
