package hud

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/film"
	"glint/viewer/session"
)

// legendSize is how high a legend of a given width is.
func legendSize(v session.Legend, width float32) float32 {
	pad := imgui.CurrentStyle().WindowPadding()
	lines := float32(1 + len(v.Colors))
	return 2*pad.Y + lines*imgui.TextLineHeightWithSpacing() + imgui.CalcTextSizeV(v.Help, false, width-2*pad.X).Y
}

// drawLegend says what the colours mean, in the lower right corner.
func drawLegend(d *drawing, v session.Legend) {
	if v.Name == "" || d.At.legend.Empty() {
		return
	}
	d.place(d.At.legend)
	if imgui.BeginV("##legend", nil, overlayFlags&^imgui.WindowFlagsAlwaysAutoResize|imgui.WindowFlagsNoInputs) {
		imgui.TextColored(Colors().Accent, v.Name)
		imgui.PushTextWrapPos()
		d.faint(v.Help)
		imgui.PopTextWrapPos()
		for _, s := range v.Colors {
			drawSwatch(s)
		}
	}
	imgui.End()
}

// drawSwatch draws a patch of a colour and its meaning.
func drawSwatch(s film.Swatch) {
	part := func(shift int) float32 { return float32(s.RGB>>shift&255) / 255 }
	const flags = imgui.ColorEditFlagsNoTooltip | imgui.ColorEditFlagsNoDragDrop
	side := imgui.TextLineHeight()
	imgui.ColorButtonV("##"+s.Label, color{X: part(16), Y: part(8), Z: part(0), W: 1}, flags, imgui.NewVec2(side, side))
	imgui.SameLine()
	imgui.TextUnformatted(s.Label)
}
