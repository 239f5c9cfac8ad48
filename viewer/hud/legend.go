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
	if v.Bar {
		lines = 3
	}
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
		if v.Bar {
			drawBar(v.Colors)
		} else {
			for _, s := range v.Colors {
				drawSwatch(s)
			}
		}
	}
	imgui.End()
}

// drawBar draws the steps of a scale next to each other, and below them what those mean that say so: each within the width, at its step.
func drawBar(steps []film.Swatch) {
	at, list := imgui.CursorScreenPos(), imgui.WindowDrawList()
	width, line := imgui.ContentRegionAvail().X, imgui.TextLineHeight()
	step := width / float32(len(steps))
	for i, s := range steps {
		left := float32(i) * step
		list.AddRectFilled(at.Add(imgui.NewVec2(left, 0)), at.Add(imgui.NewVec2(left+step, line)), imgui.ColorU32Vec4(colorOf(s)))
		text := imgui.CalcTextSize(s.Label).X
		place := min(max(left+(step-text)/2, 0), width-text)
		list.AddTextVec2(at.Add(imgui.NewVec2(place, imgui.TextLineHeightWithSpacing())), imgui.ColorU32Vec4(Colors().ink), s.Label)
	}
}

// colorOf is a swatch's colour.
func colorOf(s film.Swatch) color {
	part := func(shift int) float32 { return float32(s.RGB>>shift&255) / 255 }
	return color{X: part(16), Y: part(8), Z: part(0), W: 1}
}

// drawSwatch draws a patch of a colour and its meaning.
func drawSwatch(s film.Swatch) {
	const flags = imgui.ColorEditFlagsNoTooltip | imgui.ColorEditFlagsNoDragDrop
	side := imgui.TextLineHeight()
	imgui.ColorButtonV("##"+s.Label, colorOf(s), flags, imgui.NewVec2(side, side))
	imgui.SameLine()
	imgui.TextUnformatted(s.Label)
}
