package flags

import (
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"glint/tracer"
	"glint/tracer/cli/terminal"
	"glint/tracer/settings"
)

// Given are those of the named flags that the command line itself holds. Flags of the settings file are not among them: the file is for
// all commands, so what a command has no use for is passed over there.
func Given(line *kong.Context, names ...string) []string {
	var found []string
	for _, step := range line.Path {
		if step.Flag != nil && !step.Resolved && slices.Contains(names, step.Flag.Name) {
			found = append(found, "--"+step.Flag.Name)
		}
	}
	return found
}

// RefuseIdle refuses flags of the command line that do nothing in the way a command is used.
func RefuseIdle(line *kong.Context, use string, names []string) error {
	if idle := Given(line, names...); len(idle) > 0 {
		return fmt.Errorf("%s: leave out %s: no effect with %s", line.Selected().Name, terminal.InWords(idle, "and"), use)
	}
	return nil
}

// SettingsBut are the names of all settings except some.
func SettingsBut(some ...string) []string {
	return but(some, terminal.Names(tracer.SettingsTable(), func(row settings.Setting) string { return row.Name }))
}

// Others are the names of all flags of the command except some.
func Others(line *kong.Context, some ...string) []string {
	return but(some, terminal.Names(line.Selected().Flags, func(f *kong.Flag) string { return f.Name }))
}

func but(some, names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(some, name) })
}
