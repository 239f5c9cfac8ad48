package viewer

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"
)

// drawCompare is the panel's part about two sides: which one the settings below are of, how they are shown, and their figures.
func (h *hud) drawCompare(a *app) {
	if !a.comparing() {
		if a.shown != nil && imgui.ButtonV("compare two sides (X)", imgui.NewVec2(-1, 0)) {
			a.openSplit()
		}
		return
	}
	if !h.heading("Compare") {
		return
	}
	h.drawTabs(a)
	h.drawFigures(a)
	if h.beginPairs("compare") {
		h.pair("show", func() {
			if i, ok := pick("##show", int(a.compare.show), int(shows), func(i int) string { return show(i).String() }); ok {
				a.compare.show = show(i)
			}
		})
		h.pair("give each", func() {
			if i, ok := pick("##pacing", int(a.compare.pacing), int(pacings), func(i int) string { return pacing(i).String() }); ok {
				a.setPacing(pacing(i))
			}
		})
		h.pair("reference", func() { h.drawReference(a) })
		h.pair("amplify", func() {
			gain := int32(a.compare.gain)
			imgui.SetNextItemWidth(-1)
			if imgui.SliderIntV("##gain", &gain, 1, mostGain, "%d×", imgui.SliderFlagsAlwaysClamp|imgui.SliderFlagsLogarithmic) {
				a.compare.gain = int(gain)
			}
		})
		imgui.EndTable()
	}
	if imgui.ButtonV("start anew (N)", imgui.NewVec2(-1, 0)) {
		a.restartSides()
	}
}

// pick is a list of numbered choices; true when the user took one.
func pick(id string, current, count int, name func(int) string) (int, bool) {
	imgui.SetNextItemWidth(-1)
	if !imgui.BeginCombo(id, name(current)) {
		return current, false
	}
	defer imgui.EndCombo()
	for i := range count {
		if imgui.SelectableBoolV(name(i), i == current, 0, imgui.Vec2{}) {
			return i, true
		}
	}
	return current, false
}

// drawTabs chooses the side that keys and settings change.
func (h *hud) drawTabs(a *app) {
	width := (imgui.ContentRegionAvail().X - imgui.CurrentStyle().ItemSpacing().X) / 2
	for i, s := range a.sides {
		if i > 0 {
			imgui.SameLine()
		}
		ground, ink := colours().field, colours().faint
		if i == a.active() {
			ground, ink = colours().grab, colours().ink
		}
		imgui.PushStyleColorVec4(imgui.ColButton, ground)
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		if imgui.ButtonV(s.name+"  "+s.integrator()+"###tab"+s.name, imgui.NewVec2(width, 0)) {
			a.choose(i)
		}
		imgui.PopStyleColorV(2)
	}
}

func (h *hud) drawReference(a *app) {
	on := a.compare.reference != nil
	if imgui.Checkbox("##reference", &on) {
		a.toggleReference()
	}
	imgui.SameLine()
	text := "off"
	if r := a.compare.reference; r != nil {
		text = grouped(r.stats.Samples) + " spp"
	}
	imgui.TextUnformatted(text)
}

// figure is one row about both sides.
type figure struct {
	name string
	of   func(s *side) string
}

func figures(r *reference) []figure {
	rows := []figure{
		{"samples", func(s *side) string { return grouped(s.meter.samples) }},
		{"each took", func(s *side) string { return duration(s.meter.each()) }},
		{"in all", func(s *side) string { return duration(s.meter.spent) }},
	}
	if r == nil {
		return rows
	}
	known := func(s *side, value float64) string {
		switch {
		case s.score.known:
			return fmt.Sprintf("%.3g", value)
		case r.young(s):
			return "too young"
		}
		return "…"
	}
	return append(rows,
		figure{"relMSE", func(s *side) string { return known(s, s.score.relMSE) }},
		figure{"trimmed", func(s *side) string { return known(s, s.score.trimmed) }})
}

// drawFigures sets the sides' figures beside each other.
func (h *hud) drawFigures(a *app) {
	const columns = 3
	if !imgui.BeginTableV("##figures", columns, imgui.TableFlagsSizingStretchSame, imgui.Vec2{}, 0) {
		return
	}
	for _, row := range figures(a.compare.reference) {
		imgui.TableNextRow()
		imgui.TableNextColumn()
		h.faint(row.name)
		for _, s := range a.sides {
			imgui.TableNextColumn()
			imgui.TextUnformatted(row.of(s))
		}
	}
	imgui.EndTable()
}
