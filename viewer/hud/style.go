package hud

import "github.com/AllenDang/cimgui-go/imgui"

const (
	textSize  = 15 // at a content scale of 1
	titleSize = 19
	smallSize = 13 // of tables
	keyGap    = 28 // between columns, and between a title and what follows
	glslText  = "#version 410 core"
)

// color has sRGB-encoded components and alpha, 0…1, as ImGui takes them.
type color = imgui.Vec4

// palette is warm light on near-black glass, so that text stands out from any picture.
type palette struct{ glass, field, raised, active, line, ink, faint, Accent, grab, glow, none, brighterA, brighterB color }

// Colors is the palette of everything over the image.
func Colors() palette {
	return palette{
		glass: color{X: 0.05, Y: 0.055, Z: 0.065, W: 0.88},
		field: white(0.08), raised: white(0.14), active: white(0.20), line: white(0.10),
		ink:    color{X: 0.94, Y: 0.94, Z: 0.92, W: 1},
		faint:  color{X: 0.67, Y: 0.68, Z: 0.69, W: 1},
		Accent: color{X: 1, Y: 0.74, Z: 0.36, W: 1},
		grab:   color{X: 1, Y: 0.74, Z: 0.36, W: 0.45},
		glow:   color{X: 1, Y: 0.74, Z: 0.36, W: 0.22},
		// The same as in shaders/present.frag.glsl.
		brighterA: color{X: 1, Y: 0.62, Z: 0.2, W: 1},
		brighterB: color{X: 0.25, Y: 0.6, Z: 1, W: 1},
	}
}

func white(alpha float32) color { return color{X: 1, Y: 1, Z: 1, W: alpha} }

// styleColors assigns the palette to what ImGui draws.
func styleColors(p palette) map[imgui.Col]color {
	return map[imgui.Col]color{
		imgui.ColText: p.ink, imgui.ColTextDisabled: p.faint, imgui.ColTextSelectedBg: p.glow,
		imgui.ColWindowBg: p.glass, imgui.ColChildBg: p.none, imgui.ColPopupBg: {X: 0.08, Y: 0.085, Z: 0.095, W: 0.97},
		imgui.ColBorder: p.line, imgui.ColSeparator: p.line, imgui.ColTableBorderLight: p.line,
		imgui.ColFrameBg: p.field, imgui.ColFrameBgHovered: p.raised, imgui.ColFrameBgActive: p.active,
		imgui.ColButton: p.field, imgui.ColButtonHovered: p.raised, imgui.ColButtonActive: p.active,
		imgui.ColHeader: p.none, imgui.ColHeaderHovered: p.field, imgui.ColHeaderActive: p.raised,
		imgui.ColCheckMark: p.Accent, imgui.ColSliderGrab: p.grab, imgui.ColSliderGrabActive: p.Accent,
		imgui.ColPlotHistogram: p.Accent, imgui.ColPlotLines: p.Accent, imgui.ColNavCursor: p.Accent,
		imgui.ColScrollbarBg: p.none, imgui.ColScrollbarGrab: p.raised, imgui.ColScrollbarGrabHovered: p.active,
		imgui.ColScrollbarGrabActive: p.active,
	}
}

// applyStyle sets every size for a content scale. It may be called again with another.
func applyStyle(scale float32) {
	imgui.StyleColorsDark()
	style := imgui.CurrentStyle()
	table := style.Colors()
	for what, c := range styleColors(Colors()) {
		table[what] = c
	}
	style.SetColors(&table)
	style.SetFontSizeBase(textSize)
	style.SetFontScaleDpi(scale)
	pair := func(x, y float32) imgui.Vec2 { return imgui.NewVec2(x*scale, y*scale) }
	style.SetWindowPadding(pair(14, 12))
	style.SetFramePadding(pair(8, 3))
	style.SetItemSpacing(pair(8, 4))
	style.SetItemInnerSpacing(pair(6, 4))
	style.SetCellPadding(pair(4, 1))
	style.SetWindowRounding(8 * scale)
	style.SetFrameRounding(4 * scale)
	style.SetPopupRounding(6 * scale)
	style.SetGrabRounding(4 * scale)
	style.SetScrollbarRounding(4 * scale)
	style.SetGrabMinSize(8 * scale)
	style.SetScrollbarSize(9 * scale)
	style.SetWindowBorderSize(1)
	style.SetFrameBorderSize(0)
	style.SetPopupBorderSize(1)
}
