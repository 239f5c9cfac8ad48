package viewer

import (
	"fmt"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/guard"
)

// drawPlay shows the animation: which, how far it is, and how it is played.
func (h *hud) drawPlay(p *playModel) {
	if p == nil || !h.beginPairs("play") {
		return
	}
	h.pair("animation", func() {
		choices := []choice{{name: atRest, help: "The scene as the file has it where nothing is animated."}}
		for _, clip := range p.clips {
			choices = append(choices, choice{name: clip})
		}
		h.list("##clip", choices[p.clip+1].name, choices, func(c choice) Command {
			for i := range choices {
				if choices[i] == c {
					return TakeClip{i - 1}
				}
			}
			return nil
		})
	})
	h.pair("  time", func() {
		at := float32(p.seconds)
		imgui.SetNextItemWidth(-1)
		if imgui.SliderFloatV("##time", &at, 0, float32(p.length), fmt.Sprintf("%%.2f of %.2f s", p.length), imgui.SliderFlagsAlwaysClamp) {
			h.act(Scrub{float64(at)})
		}
		h.tip("Drag to show a moment (PageUp, PageDown).\n--at")
	})
	h.pair("  speed", func() {
		speed := float32(p.speed)
		imgui.SetNextItemWidth(-1)
		const flags = imgui.SliderFlagsAlwaysClamp | imgui.SliderFlagsLogarithmic
		if imgui.SliderFloatV("##speed", &speed, slowest, fastest, "%.3g ×", flags) && !math.IsNaN(float64(speed)) {
			h.act(SetSpeed{float64(speed)})
		}
	})
	imgui.EndTable()
	play, help := "play", "Play the animation (Enter)."
	if p.playing {
		play, help = "pause", "Pause: the picture then gathers samples (Enter)."
	}
	h.buttonRow([]button{
		{name: play, help: help, on: p.playing, do: TogglePlaying{}},
		{name: "loop", help: "Again and again (Shift+Enter).", on: !p.once, do: ToggleLoop{}},
	})
	imgui.Spacing()
}

// drawVariants is the list of the file's variants of materials.
func (h *hud) drawVariants(m *model) {
	const byDefault = "default"
	choices := []choice{{name: byDefault}}
	current := byDefault
	for _, name := range m.scene.variants {
		shown := guard.Name(name)
		choices = append(choices, choice{name: shown, value: name})
		if name == m.scene.variant {
			current = shown
		}
	}
	h.list("##variant", current, choices, func(c choice) Command { return TakeVariant{c.value} })
}
