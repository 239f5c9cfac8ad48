package bench

import (
	"fmt"
	"slices"
	"strings"

	"glint/tracer"
	"glint/tracer/settings"
)

// apply reads settings written as on the command line, "--exec wavefront --bounces 4", over s. A setting or value that this
// build does not have is ErrNotHere.
func apply(s settings.Settings, flags string) (settings.Settings, error) {
	words := strings.Fields(flags)
	table := tracer.SettingsTable()
	for len(words) > 0 {
		name, ok := strings.CutPrefix(words[0], "--")
		if !ok || len(words) == 1 {
			return s, fmt.Errorf("settings %q: want pairs of --name and value", flags)
		}
		i := slices.IndexFunc(table, func(row settings.Setting) bool { return row.Name == name })
		if i < 0 {
			return s, fmt.Errorf("%s: %w", words[0], ErrNotHere)
		}
		if err := table[i].Parse(&s, words[1]); err != nil {
			return s, fmt.Errorf("%s %s: %w", words[0], words[1], ErrNotHere)
		}
		words = words[2:]
	}
	return s, nil
}

// joined puts flags behind each other.
func joined(flags ...string) string {
	return strings.Join(slices.DeleteFunc(flags, func(f string) bool { return f == "" }), " ")
}
