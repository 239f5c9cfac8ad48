package cli

import (
	"fmt"

	"github.com/alecthomas/kong"

	"glint/tracer/cli/flags"
)

var helpOptions = kong.HelpOptions{Compact: true, FlagsLast: true, ValueFormatter: kong.DefaultHelpValueFormatter}

// helpAll is --help-all, which explains every setting.
type helpAll bool

// IgnoreDefault has kong call BeforeReset only where the flag is given.
func (helpAll) IgnoreDefault() {}

// BeforeReset prints help and ends the program.
func (helpAll) BeforeReset(line *kong.Context) error {
	if err := kong.DefaultHelpPrinter(helpOptions, line); err != nil {
		return err
	}
	line.Exit(0)
	return nil
}

// shortHelp explains a command's own flags and the settings that everybody needs, and says how many more there are.
func shortHelp(o kong.HelpOptions, line *kong.Context) error {
	more := 0
	if command := line.Selected(); command != nil {
		for _, flag := range command.Flags {
			if flags.ForExperts(flag) {
				flag.Hidden = true
				more++
			}
		}
	}
	if err := kong.DefaultHelpPrinter(o, line); err != nil || more == 0 {
		return err
	}
	_, err := fmt.Fprintf(line.Stdout, "\n%d more settings: glint help --all %s\n", more, line.Selected().Name)
	return err
}
