package session

import (
	"fmt"
	"math"
	"slices"

	"glint/tracer/settings"
)

// StepOf is how much one key press or notch changes a setting. Steps of lengths follow the scene: unit is in m.
func StepOf(row settings.Setting, unit float32) float64 {
	if row.Unit == "m" {
		return row.Step * float64(unit)
	}
	return row.Step
}

// Adjust changes a setting by steps: a number within its range, a switch to its other state, a word cyclically.
func Adjust(row settings.Setting, s *settings.Settings, steps int, unit float32) {
	switch field := row.Value(s).(type) {
	case *bool:
		*field = !*field
	case *string:
		n := len(row.Choices)
		at := max(slices.Index(row.Choices, *field), 0)
		*field = row.Choices[((at+steps)%n+n)%n]
	case *int:
		*field = min(max(*field+steps*int(row.Step), int(row.Min)), int(row.Max))
	case *float64:
		*field = min(max(*field+float64(steps)*StepOf(row, unit), row.Min), row.Max)
	}
}

// Describe is a setting and its value in words.
func Describe(row settings.Setting, s settings.Settings) string {
	switch field := row.Value(&s).(type) {
	case *bool:
		if *field {
			return row.Label + ": on"
		}
		return row.Label + ": off"
	case *string:
		return row.Label + ": " + *field
	case *int:
		return fmt.Sprintf("%s: %d", row.Label, *field)
	case *float64:
		if *field == 0 && row.Zero != "" {
			return row.Label + ": " + row.Zero
		}
		return fmt.Sprintf("%s: %s", row.Label, WithUnit(*field, row.Unit))
	}
	return row.Label
}

// WithUnit writes a number with its unit, to three digits or to the decimal point.
func WithUnit(value float64, unit string) string {
	format := "%.3g"
	if math.Abs(value) >= 1000 {
		format = "%.0f"
	}
	if unit == "" {
		return fmt.Sprintf(format, value)
	}
	return fmt.Sprintf(format+" %s", value, unit)
}
