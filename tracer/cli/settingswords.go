package cli

import (
	"glint/tracer/settings"
	"strings"

	"github.com/alecthomas/kong"
)

// parseSettings reads settings written as flags, "--integrator path --bounces 4". What they leave out is as in common.
func parseSettings(words string, common settings.Settings) (settings.Settings, error) {
	flags := newSettingsFlags()
	byName := map[string]settings.Setting{}
	for _, row := range flags.rows {
		byName[row.Name] = row
	}
	inherit := kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		row, ok := byName[flag.Name]
		if !ok {
			return nil, nil
		}
		return row.Text(&common), nil
	})
	parser, err := kong.New(flags.target(), kong.NoDefaultHelp(), kong.Resolvers(inherit), kong.WithHyphenPrefixedParameters(true))
	if err != nil {
		return common, err
	}
	ctx, err := parser.Parse(strings.Fields(words))
	if err == nil {
		err = refuseLiveFlags(ctx)
	}
	if err != nil {
		return common, err
	}
	return flags.settings()
}
