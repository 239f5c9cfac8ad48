package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/adrg/xdg"
	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"
)

// configPath is where the settings file lies, below $XDG_CONFIG_HOME.
const configPath = "glint/config.toml"

// configResolver gives flags that the command line leaves out the values of the settings file: key = long flag name.
func configResolver() (kong.Resolver, error) {
	path, err := xdg.SearchConfigFile(configPath)
	if err != nil {
		return noConfig, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return noConfig, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	values := map[string]any{}
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("read settings %s: %w; mend or remove the file", path, err)
	}
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		v, ok := values[flag.Name]
		if !ok {
			return nil, nil
		}
		if b, isBool := v.(bool); isBool && flag.Enum == "on,off" {
			return map[bool]string{true: "on", false: "off"}[b], nil
		}
		return fmt.Sprint(v), nil
	}), nil
}

var noConfig = kong.ResolverFunc(func(*kong.Context, *kong.Path, *kong.Flag) (any, error) { return nil, nil })
