package cli

import (
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"glint/tracer"
)

// given are those of the named flags that the command line itself holds. Flags of the settings file are not among them: the file is for
// all commands, so what a command has no use for is passed over there.
func given(line *kong.Context, names ...string) []string {
	var found []string
	for _, step := range line.Path {
		if step.Flag != nil && !step.Resolved && slices.Contains(names, step.Flag.Name) {
			found = append(found, "--"+step.Flag.Name)
		}
	}
	return found
}

// refuseIdle refuses flags of the command line that do nothing in the way a command is used.
func refuseIdle(line *kong.Context, use string, names []string) error {
	if idle := given(line, names...); len(idle) > 0 {
		return fmt.Errorf("%s: leave out %s: no effect with %s", line.Selected().Name, inWords(idle, "and"), use)
	}
	return nil
}

// settingsBut are the names of all settings except some.
func settingsBut(some ...string) []string {
	var names []string
	for _, row := range tracer.SettingsTable() {
		if !slices.Contains(some, row.Name) {
			names = append(names, row.Name)
		}
	}
	return names
}

// flagsBut are the names of all flags of the command except some.
func flagsBut(line *kong.Context, some ...string) []string {
	var names []string
	for _, f := range line.Selected().Flags {
		if !slices.Contains(some, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}
