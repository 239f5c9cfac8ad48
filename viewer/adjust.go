package viewer

import (
	"fmt"
	"math"
	"slices"

	"glint/tracer"
	"glint/tracer/settings"
)

// lookup finds the settings table's row of a name.
func lookup(name string) (settings.Setting, bool) {
	table := tracer.SettingsTable()
	i := slices.IndexFunc(table, func(row settings.Setting) bool { return row.Name == name })
	if i < 0 {
		return settings.Setting{}, false
	}
	return table[i], true
}

// stepOf is how much one key press or notch changes a row. Lengths follow the scene: unit is in m.
func stepOf(row settings.Setting, unit float32) float64 {
	if row.Unit == "m" {
		return row.Step * float64(unit)
	}
	return row.Step
}

// adjust moves a setting by steps: a number within its range, a switch to its other side, a word round its choices.
func adjust(row settings.Setting, s *settings.Settings, steps int, unit float32) {
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
		*field = min(max(*field+float64(steps)*stepOf(row, unit), row.Min), row.Max)
	}
}

// describe is a setting and its value in words.
func describe(row settings.Setting, s settings.Settings) string {
	switch field := row.Value(&s).(type) {
	case *bool:
		if *field {
			return label(row) + ": on"
		}
		return label(row) + ": off"
	case *string:
		return label(row) + ": " + *field
	case *int:
		return fmt.Sprintf("%s: %d", label(row), *field)
	case *float64:
		return fmt.Sprintf("%s: %s", label(row), withUnit(*field, row.Unit))
	}
	return label(row)
}

// withUnit writes a number to three digits, or all of them before the point, with its unit.
func withUnit(value float64, unit string) string {
	format := "%.3g"
	if math.Abs(value) >= 1000 {
		format = "%.0f"
	}
	if unit == "" {
		return fmt.Sprintf(format, value)
	}
	return fmt.Sprintf(format+" %s", value, unit)
}

// restarts tells whether the change from one to another throws the accumulated image away.
func restarts(from, to settings.Settings) bool {
	return differ(from, to, func(row settings.Setting) bool { return row.Restarts })
}

// differ tells whether two settings differ in one of the rows that count.
func differ(from, to settings.Settings, counts func(settings.Setting) bool) bool {
	for _, row := range tracer.SettingsTable() {
		if counts(row) && !sameValue(row, from, to) {
			return true
		}
	}
	return false
}

func sameValue(row settings.Setting, a, b settings.Settings) bool {
	switch x := row.Value(&a).(type) {
	case *bool:
		return *x == *row.Value(&b).(*bool)
	case *string:
		return *x == *row.Value(&b).(*string)
	case *int:
		return *x == *row.Value(&b).(*int)
	case *float64:
		return *x == *row.Value(&b).(*float64)
	}
	return true
}
