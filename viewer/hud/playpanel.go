package hud

import (
	"fmt"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/guard"
	"glint/viewer/session"
)

// drawPlay shows the animation: which, how far it is, and how it is played.
func (h *HUD) drawPlay(p *session.PlayModel) {
	if p == nil || !h.beginPairs("play") {
		return
	}
	h.pair("animation", func() {
		choices := []session.Choice{{Name: session.AtRest, Help: "The scene as the file has it where nothing is animated."}}
		for _, clip := range p.Clips {
			choices = append(choices, session.Choice{Name: clip})
		}
		h.list("##clip", choices[p.Clip+1].Name, choices, func(c session.Choice) session.Command {
			for i := range choices {
				if choices[i] == c {
					return session.TakeClip{Clip: i - 1}
				}
			}
			return nil
		})
	})
	h.pair("  time", func() {
		at := float32(p.Seconds)
		imgui.SetNextItemWidth(-1)
		if imgui.SliderFloatV("##time", &at, 0, float32(p.Length), fmt.Sprintf("%%.2f of %.2f s", p.Length), imgui.SliderFlagsAlwaysClamp) {
			h.act(session.Scrub{Seconds: float64(at)})
		}
		h.tip("Drag to show a moment (PageUp, PageDown).\n--at")
	})
	h.pair("  speed", func() {
		speed := float32(p.Speed)
		imgui.SetNextItemWidth(-1)
		const flags = imgui.SliderFlagsAlwaysClamp | imgui.SliderFlagsLogarithmic
		if imgui.SliderFloatV("##speed", &speed, session.Slowest, session.Fastest, "%.3g ×", flags) && !math.IsNaN(float64(speed)) {
			h.act(session.SetSpeed{Factor: float64(speed)})
		}
	})
	imgui.EndTable()
	play, help := "play", "Play the animation (Enter)."
	if p.Playing {
		play, help = "pause", "Pause: the picture then gathers samples (Enter)."
	}
	h.buttonRow([]button{
		{name: play, help: help, on: p.Playing, do: session.TogglePlaying{}},
		{name: "loop", help: "Again and again (Shift+Enter).", on: !p.Once, do: session.ToggleLoop{}},
	})
	imgui.Spacing()
}

// drawVariants is the list of the file's variants of materials.
func (h *HUD) drawVariants(m *session.Model) {
	const byDefault = "default"
	choices := []session.Choice{{Name: byDefault}}
	current := byDefault
	for _, name := range m.Scene.Variants {
		shown := guard.Name(name)
		choices = append(choices, session.Choice{Name: shown, Value: name})
		if name == m.Scene.Variant {
			current = shown
		}
	}
	h.list("##variant", current, choices, func(c session.Choice) session.Command { return session.TakeVariant{Name: c.Value} })
}
