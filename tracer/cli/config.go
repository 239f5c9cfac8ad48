package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"

	"glint/tracer"
	"glint/tracer/cli/terminal"
	"glint/tracer/imageio"
	"glint/tracer/settings"
)

// configPath is where the settings file lies, below $XDG_CONFIG_HOME.
const configPath = "glint/config.toml"

// maxConfig bounds the settings file, bytes.
const maxConfig = 1 << 16

// config is what the settings file holds: values of flags that the command line leaves out, key = long flag name. The file may hold
// flags of any command; each takes its own. What is wrong with it is left out, so that no command depends on the file.
type config struct {
	path     string // empty without a file
	values   map[string]string
	keys     map[string][]string // that the window has for rows of its key table
	used     []string            // flags that have their value from the file
	problems []string            // each names the file, and the line where that is known
}

// readConfig reads the settings file. checkKeys tells by name which keys the window cannot have.
func readConfig(app *kong.Application, checkKeys func(map[string][]string) map[string]string) *config {
	c := &config{}
	var err error
	if c.path, err = xdg.SearchConfigFile(configPath); err != nil {
		return c
	}
	text, err := imageio.ReadBounded(c.path, maxConfig)
	if err != nil {
		c.problem(0, err.Error())
		return c
	}
	file := map[string]any{}
	if err := toml.Unmarshal(text, &file); err != nil {
		line := 0
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ = at.Position()
		}
		c.problem(line, err.Error())
		return c
	}
	if keys, ok := file[keysTable].(map[string]any); ok {
		c.takeKeys(string(text), keys, checkKeys)
		delete(file, keysTable)
	}
	c.take(app, string(text), file)
	return c
}

// problem notes what is wrong; line 0 is not known.
func (c *config) problem(line int, what string) {
	where := c.path
	if line > 0 {
		where = fmt.Sprintf("%s:%d", c.path, line)
	}
	c.problems = append(c.problems, where+": "+what)
}

// keysTable is the table of the file that has keys for the window.
const keysTable = "keys"

// takeKeys keeps the keys that the window can have.
func (c *config) takeKeys(text string, table map[string]any, check func(map[string][]string) map[string]string) {
	c.keys = map[string][]string{}
	wrong := map[string]string{}
	for name, value := range table {
		var err error
		if c.keys[name], err = chordsOf(value); err != nil {
			delete(c.keys, name)
			wrong[name] = err.Error()
		}
	}
	maps.Copy(wrong, check(c.keys))
	head := max(lineOfKey(text, keysTable), 1)
	below := strings.SplitN(text, "\n", head)[head-1]
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		delete(c.keys, name)
		line := head
		if n := lineOfKey(below, name); n > 0 {
			line += n - 1
		}
		c.problem(line, fmt.Sprintf("%s: %s: %s", keysTable, name, wrong[name]))
	}
}

// chordsOf are the keys that a value names: one, a list of them, or none.
func chordsOf(value any) (chords []string, err error) {
	if value == "" {
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, v := range list {
		text, ok := v.(string)
		if !ok {
			return nil, errors.New(`want a key, such as "F12", or a list of keys`)
		}
		chords = append(chords, text)
	}
	return chords, nil
}

// take keeps the values that some flag accepts.
func (c *config) take(app *kong.Application, text string, file map[string]any) {
	flags := map[string][]*kong.Flag{}
	for _, command := range app.Leaves(true) {
		for _, group := range command.AllFlags(true) {
			for _, f := range group {
				flags[f.Name] = append(flags[f.Name], f)
			}
		}
	}
	delete(flags, "help")
	delete(flags, "version")
	c.values = map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(file)) {
		line := lineOfKey(text, key)
		if len(flags[key]) == 0 {
			c.problem(line, fmt.Sprintf("no flag is called %q%s", key, terminal.Suggestion(key, slices.Collect(maps.Keys(flags)))))
			continue
		}
		value, err := configText(file[key], flags[key][0])
		if err == nil {
			err = acceptedByOne(flags[key], value)
		}
		if err != nil {
			c.problem(line, fmt.Sprintf("%s: %v", key, err))
			continue
		}
		c.values[key] = value
	}
}

// lineOfKey is the line that begins with a key, or 0.
func lineOfKey(text, key string) int {
	at := regexp.MustCompile(`(?m)^[ \t]*["'[]?` + regexp.QuoteMeta(key) + `["'\] \t]*([=.]|$)`).FindStringIndex(text)
	if at == nil {
		return 0
	}
	return 1 + strings.Count(text[:at[0]], "\n")
}

// configText is a value as the command line has it.
func configText(value any, flag *kong.Flag) (string, error) {
	switch v := value.(type) {
	case bool:
		if flag.Enum == "on,off" {
			return map[bool]string{true: "on", false: "off"}[v], nil
		}
	case map[string]any:
		return "", errors.New("want one value, not a table")
	case []any:
		return strings.Join(terminal.Names(v, func(part any) string { return fmt.Sprint(part) }), ","), nil
	}
	return fmt.Sprint(value), nil
}

// acceptedByOne tells why none of the flags of one name takes a value.
func acceptedByOne(flags []*kong.Flag, value string) (err error) {
	for _, f := range flags {
		if err = accepts(f, value); err == nil {
			return nil
		}
	}
	return err
}

// accepts tells why a flag does not take a value.
func accepts(flag *kong.Flag, value string) error {
	if row, ok := settings.Lookup(tracer.SettingsTable(), flag.Name); ok {
		s := settings.Defaults()
		return row.Parse(&s, value)
	}
	scratch := reflect.New(flag.Target.Type()).Elem()
	if scratch.Kind() == reflect.Pointer { // what reads text wants something to write to
		scratch.Set(reflect.New(scratch.Type().Elem()))
	}
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	if err := flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, scratch); err != nil {
		return err
	}
	if flag.Enum != "" && !flag.IsSlice() && !flag.EnumMap()[value] {
		return fmt.Errorf("%q is none of %s", value, strings.Join(flag.EnumSlice(), ", "))
	}
	return nil
}

// resolve gives a flag its value. A flag of the same name in another command may take what this one does not.
func (c *config) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	value, ok := c.values[flag.Name]
	if !ok || accepts(flag, value) != nil {
		return nil, nil
	}
	c.used = append(c.used, flag.Name)
	return value, nil
}

// explain adds to an error about flags which of them the file has set.
func (c *config) explain(err error) error {
	for _, name := range c.used {
		if regexp.MustCompile(`--` + regexp.QuoteMeta(name) + `\b`).MatchString(err.Error()) {
			err = fmt.Errorf("%w (--%s is set in %s)", err, name, c.path)
		}
	}
	return err
}

// warn tells the user what is wrong with the file, and not more than fits a screen.
func (c *config) warn(log *slog.Logger) {
	const most = 8
	for i, problem := range c.problems {
		if i == most {
			log.Warn("more is wrong with the settings file", "problems", len(c.problems)-most)
			break
		}
		log.Warn("left out of the settings: " + problem)
	}
}
