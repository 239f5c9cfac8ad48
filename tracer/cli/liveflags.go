package cli

import (
	"fmt"
	"glint/tracer/settings"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// liveFlags are the settings that mean something to views that move alone, and the commands that have such. In the settings
// file they may stand for those.
var liveFlags = map[string][]string{"render-scale": {"view", "video"}, "target-fps": {"view"}}

// without leaves out what means nothing to the command, where the settings file says it.
func (f *settingsFlags) without(s settings.Settings) settings.Settings {
	defaults := settings.Defaults()
	for _, row := range f.rows {
		if commands, live := liveFlags[row.Name]; live && !slices.Contains(commands, f.command) {
			row.Copy(&s, &defaults)
		}
	}
	return s
}

func commandOf(ctx *kong.Context) string {
	if ctx.Selected() == nil {
		return ""
	}
	return ctx.Selected().Name
}

// refuseLiveFlags finds one that was given to another command.
func refuseLiveFlags(ctx *kong.Context) error {
	command := commandOf(ctx)
	for _, p := range ctx.Path {
		if p.Flag == nil || p.Resolved {
			continue
		}
		commands, live := liveFlags[p.Flag.Name]
		if live && !slices.Contains(commands, command) {
			return fmt.Errorf("--%s is for views that move: leave it out, or use it with glint %s", p.Flag.Name, strings.Join(commands, " and glint "))
		}
	}
	return nil
}
