package viewer

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer"
	"glint/tracer/settings"
)

// legend is what a view's colours stand for; empty when no view is on.
type legend struct {
	name, help string
	colours    []tracer.Swatch
}

func legendOf(s settings.Settings, integrator string) legend {
	if v := tracer.LookupReuseView(s.ReuseView); v.Help != "" {
		return legend{v.Name, legendText(v, integrator), v.Legend}
	}
	if v, found := tracer.LookupAOV(s.AOVView); found {
		return legend{v.Name, v.Help, v.Legend()}
	}
	return legend{}
}

// drawLegend tells, in the lower right corner, what the colours of a view stand for.
func (h *hud) drawLegend(a *app) {
	v := legendOf(a.settings, a.stats.Integrator)
	if a.shown == nil || v.name == "" {
		return
	}
	size := imgui.MainViewport().Size()
	corner := imgui.NewVec2(size.X-margin*h.scale, size.Y-margin*h.scale)
	imgui.SetNextWindowPosV(corner, imgui.CondAlways, imgui.NewVec2(1, 1))
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, imgui.NewVec2(panelWidth*h.scale, size.Y))
	if imgui.BeginV("##legend", nil, overlayFlags|imgui.WindowFlagsNoInputs) {
		imgui.TextColored(colours().accent, v.name)
		imgui.PushTextWrapPosV((panelWidth - 2*margin) * h.scale)
		h.faint(v.help)
		imgui.PopTextWrapPos()
		for _, s := range v.colours {
			drawSwatch(s)
		}
	}
	imgui.End()
}

// legendText is what a view shows, or why it does not.
func legendText(v tracer.ReuseView, integrator string) string {
	if integrator != "restir-gi" {
		return integrator + " shares nothing: choose the integrator restir-gi"
	}
	return v.Help
}

// drawSwatch is a patch of a colour with its meaning.
func drawSwatch(s tracer.Swatch) {
	part := func(shift int) float32 { return float32(s.RGB>>shift&255) / 255 }
	const flags = imgui.ColorEditFlagsNoTooltip | imgui.ColorEditFlagsNoDragDrop
	side := imgui.TextLineHeight()
	imgui.ColorButtonV("##"+s.Label, colour{X: part(16), Y: part(8), Z: part(0), W: 1}, flags, imgui.NewVec2(side, side))
	imgui.SameLine()
	imgui.TextUnformatted(s.Label)
}
