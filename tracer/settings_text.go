package tracer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Text is the setting's value as flags and files write it.
func (row Setting) Text(s *Settings) string {
	switch v := row.Value(s).(type) {
	case *bool:
		if *v {
			return "on"
		}
		return "off"
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return strconv.FormatFloat(*v, 'g', -1, 64)
	case *string:
		return *v
	}
	return ""
}

// Parse sets the value from text. It refuses what is out of range or unknown, and says what would do.
func (row Setting) Parse(s *Settings, text string) error {
	switch v := row.Value(s).(type) {
	case *bool:
		if text != "on" && text != "off" {
			return fmt.Errorf("%q: want on or off", text)
		}
		*v = text == "on"
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil || float64(n) < row.Min || float64(n) > row.Max {
			return fmt.Errorf("%q: want a whole number from %g to %g", text, row.Min, row.Max)
		}
		*v = n
	case *float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= row.Min && x <= row.Max) {
			return fmt.Errorf("%q: want a number from %g to %g", text, row.Min, row.Max)
		}
		*v = x
	case *string:
		if !slices.Contains(row.Choices, text) {
			return fmt.Errorf("%q: want one of %s", text, strings.Join(row.Choices, ", "))
		}
		*v = text
	}
	return nil
}

// Copy copies this setting's value from one set of settings to another.
func (row Setting) Copy(to, from *Settings) {
	switch dst := row.Value(to).(type) {
	case *bool:
		*dst = *row.Value(from).(*bool)
	case *int:
		*dst = *row.Value(from).(*int)
	case *float64:
		*dst = *row.Value(from).(*float64)
	case *string:
		*dst = *row.Value(from).(*string)
	}
}
