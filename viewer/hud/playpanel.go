package hud

import (
	"fmt"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/viewer/session"
)

// drawPlay shows the animation: which, how far it is, and how it is played.
func drawPlay(d *drawing, p *session.PlayModel) {
	if p == nil || !d.beginPairs("play") {
		return
	}
	d.pair("animation", func() {
		choices := []session.Choice{{Name: session.AtRest, Help: "The scene as the file has it where nothing is animated."}}
		for _, clip := range p.Clips {
			choices = append(choices, session.Choice{Name: clip})
		}
		d.list("##clip", choices[p.Clip+1].Name, choices, func(c session.Choice) session.Command {
			for i := range choices {
				if choices[i] == c {
					return session.TakeClip{Clip: i - 1}
				}
			}
			return nil
		})
	})
	d.pair("  time", func() {
		at := float32(p.Seconds)
		imgui.SetNextItemWidth(-1)
		if imgui.SliderFloatV("##time", &at, 0, float32(p.Length), fmt.Sprintf("%%.2f of %.2f s", p.Length), imgui.SliderFlagsAlwaysClamp) {
			d.act(session.Scrub{Seconds: float64(at)})
		}
		d.tip(d.keyed("Drag to show a moment. A key goes a step ahead%s.\n--at", "play-step"))
	})
	d.pair("  speed", func() {
		speed := float32(p.Speed)
		imgui.SetNextItemWidth(-1)
		const flags = imgui.SliderFlagsAlwaysClamp | imgui.SliderFlagsLogarithmic
		if imgui.SliderFloatV("##speed", &speed, session.Slowest, session.Fastest, "%.3g ×", flags) && !math.IsNaN(float64(speed)) {
			d.act(session.SetSpeed{Factor: float64(speed)})
		}
	})
	imgui.EndTable()
	play, help := "play", d.keyed("Play the animation%s.", "play")
	if p.Playing {
		play, help = "pause", d.keyed("Pause: the picture then gathers samples%s.", "play")
	}
	d.buttonRow([]button{
		{name: play, help: help, on: p.Playing, do: session.TogglePlaying{}},
		{name: "loop", help: d.keyed("Again and again%s.", "play-loop"), on: !p.Once, do: session.ToggleLoop{}},
	})
	imgui.Spacing()
}
