package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// liveFlags are the settings that mean something to views that move alone, and the commands that have such. In the settings
// file they may stand for those.
var liveFlags = map[string][]string{"render-scale": {"view", "video"}, "target-fps": {"view"}}

// refuseLiveFlags finds one that was given to another command.
func refuseLiveFlags(ctx *kong.Context) error {
	command := ""
	if ctx.Selected() != nil {
		command = ctx.Selected().Name
	}
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
