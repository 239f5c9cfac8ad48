package hud

import (
	"fmt"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/settings"
	"glint/viewer/session"
)

// widget is how the panel shows a row of the settings table.
type widget int

const (
	checkbox widget = iota
	combo
	intDrag
	slider // of a range so short that a pixel is no more than a step
	drag
)

const (
	sliderSteps  = 137  // the longest range of a slider: as many steps as it has pixels
	dragPerPixel = 0.1  // steps: a drag is relative, and as fine in any range
	intPerPixel  = 0.15 // of a whole number
	fineDrag     = 0.1  // how much slower a drag is with Shift
	shiftedDrag  = 10   // how much faster ImGui makes it
)

// dragSpeed is what a pixel of a drag changes: as in other programs less with Shift.
func dragSpeed(perPixel float32) float32 {
	if imgui.CurrentIO().KeyShift() {
		return perPixel * fineDrag / shiftedDrag
	}
	return perPixel
}

// widgetOf chooses by the type of the row's field and its range.
func widgetOf(row settings.Setting) widget {
	switch row.Value(&settings.Settings{}).(type) {
	case *bool:
		return checkbox
	case *string:
		return combo
	case *int:
		return intDrag
	}
	if row.Step > 0 && row.Max-row.Min <= sliderSteps*row.Step && row.Unit != "m" {
		return slider
	}
	return drag
}

// drawWidget lets the user change one setting. Lengths move by the scene's unit, m.
// automatic is what the choice auto stands for at present, if that is known; words say a number in other terms.
func drawWidget(row settings.Setting, s *settings.Settings, unit float32, automatic, words string) {
	id := "##" + row.Name
	imgui.SetNextItemWidth(-1)
	switch field := row.Value(s).(type) {
	case *bool:
		imgui.Checkbox(id, field)
	case *string:
		drawCombo(id, row, s, automatic)
	case *int:
		value := int32(*field)
		if imgui.DragIntV(id, &value, dragSpeed(intPerPixel), int32(row.Min), int32(row.Max), "%d", imgui.SliderFlagsAlwaysClamp) {
			*field = int(value)
		}
	case *float64:
		drawNumber(id, row, field, unit, words)
	}
}

// drawCombo lets the user choose a word; of settings that may be colours any colour, too.
func drawCombo(id string, row settings.Setting, s *settings.Settings, automatic string) {
	field := row.Value(s).(*string)
	shown := *field
	if shown == "auto" && automatic != "" {
		shown += ": " + automatic
	}
	if !imgui.BeginCombo(id, shown) {
		return
	}
	if row.Colors {
		pickColor(id, field)
	}
	for _, choice := range row.Choices {
		if imgui.SelectableBoolV(choice, choice == *field, 0, imgui.Vec2{}) {
			*field = choice
		}
	}
	imgui.EndCombo()
}

// pickColor lets the user choose a colour, which begins as the one that there is.
func pickColor(id string, field *string) {
	color, _ := settings.Color(*field)
	rgb := [3]float32{}
	for k := range rgb {
		rgb[k] = float32(color>>(16-8*k)&255) / 255
	}
	if imgui.ColorEdit3V("any colour"+id, &rgb, imgui.ColorEditFlagsDisplayHex|imgui.ColorEditFlagsNoLabel) {
		*field = fmt.Sprintf("#%02x%02x%02x", channel(rgb[0]), channel(rgb[1]), channel(rgb[2]))
	}
}

// channel is a value of 0…1 in 8 bits.
func channel(x float32) int { return int(min(max(x, 0), 1)*255 + 0.5) }

// drawNumber edits a float64 through ImGui's float32, and leaves it alone unless the user changes it.
func drawNumber(id string, row settings.Setting, field *float64, unit float32, words string) {
	format := "%.3g"
	if math.Abs(*field) >= 1000 {
		format = "%.0f"
	}
	if row.Unit != "" {
		format += " " + row.Unit
	}
	if *field == 0 && row.Zero != "" {
		format = row.Zero
	}
	if words != "" {
		format += " · " + words
	}
	const flags = imgui.SliderFlagsAlwaysClamp | imgui.SliderFlagsNoRoundToFormat
	value := float32(*field)
	var changed bool
	if widgetOf(row) == slider {
		changed = imgui.SliderFloatV(id, &value, float32(row.Min), float32(row.Max), format, flags)
	} else {
		speed := dragSpeed(float32(session.StepOf(row, unit)) * dragPerPixel)
		changed = imgui.DragFloatV(id, &value, speed, float32(row.Min), float32(row.Max), format, flags)
	}
	if changed {
		*field = min(max(float64(value), row.Min), row.Max)
	}
}
