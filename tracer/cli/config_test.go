package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// config puts a settings file in place until the test ends.
func config(t *testing.T, put func(path string) error) {
	t.Helper()
	dir := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "glint")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := put(filepath.Join(dir, "config.toml")); err != nil {
		t.Fatal(err)
	}
}

// TestBrokenSettingsFile: it stops no command. It is told what is wrong, and where.
func TestBrokenSettingsFile(t *testing.T) {
	text := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	for _, row := range []struct {
		name string
		put  func(path string) error
		want []string
	}{
		{"no TOML", text("bounces = 2\ndenoise =\n"), []string{"config.toml:2: "}},
		{"no text", text("\x00\xff\x1b[31m"), []string{"config.toml:1: "}},
		{"misspelt", text("\n\nbouncse = 2\n"), []string{`config.toml:3: no flag is called "bouncse": did you mean bounces?`}},
		{"bad values", text("bounces = -1\nspp = \"many\"\nbackend = \"abacus\"\n"),
			[]string{"config.toml:1: bounces: ", "config.toml:2: spp: ", "config.toml:3: backend: "}},
		{"a table", text("[denoise]\nx = 1\n"), []string{"config.toml:1: denoise: want one value"}},
		{"keys", text("denoise = \"off\"\n\n[keys]\n# denoise = \"K\"\nexposure-up = \"F12\"\n\"denoise\" = [\"F11\"]\nflip = 3\n"),
			[]string{`config.toml:6: keys: denoise: no such row`, `config.toml:7: keys: flip: want a key, such as "F12", or a list`}},
		{"keys in a line", text("bounces = 3\nkeys = { side = \"K\" }\n"), []string{`config.toml:2: keys: side: no such row`}},
		{"keys without a table", text("keys = \"F12\"\n"), []string{`config.toml:1: no flag is called "keys"`}},
		{"help and version", text("help = true\nversion = true\n"), []string{"config.toml:1: ", "config.toml:2: "}},
		{"many problems", text(strings.Repeat("q", 3000) + " = 1\n" + "w = 1\ne = 1\nr = 1\nt = 1\ny = 1\nu = 1\ni = 1\nx = 1\np = 1\n"), []string{"more is wrong"}},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }, []string{"config.toml: not a regular file"}},
		{"a device", func(path string) error { return os.Symlink("/dev/zero", path) }, []string{"config.toml: not a regular file"}},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }, []string{"config.toml: not a regular file"}},
		{"huge", func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, 1<<40)
		}, []string{"config.toml: 1099511627776 bytes are above the limit"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			config(t, row.put)
			begun := time.Now()
			for _, args := range [][]string{{"--help"}, {"--version"}, {"help", "render"}, {"doctor"}, {"keys"}, small(filepath.Join(t.TempDir(), "a.png"))} {
				code, stdout, stderr := run(t, args...)
				if code != 0 {
					t.Errorf("%v: exit %d, %s", args, code, stderr)
				}
				for _, want := range row.want {
					if strings.Count(stderr, want) != 1 {
						t.Errorf("%v: %q does not say %q once", args, stderr, want)
					}
					if args[0] == "doctor" && row.name != "many problems" && !strings.Contains(stdout, want) {
						t.Errorf("doctor: %q does not say %q", stdout, want)
					}
				}
			}
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestKeysOfTheSettingsFile: the window's own commands are given them, and no other minds.
func TestKeysOfTheSettingsFile(t *testing.T) {
	config(t, func(path string) error {
		return os.WriteFile(path, []byte("bounces = 3\n[keys]\nexposure-up = [\"F12\", \"Ctrl+K\"]\n"), 0o600)
	})
	for _, row := range []struct{ command, want string }{
		{"keys", "F12\nCtrl+K"}, {"doctor", "config.toml, 1 settings, keys for 1 actions"}, {"scene", "cornell"},
	} {
		if code, stdout, stderr := run(t, row.command); code != 0 || stderr != "" || !strings.Contains(stdout, row.want) {
			t.Errorf("%s: exit %d, %s%s does not say %q", row.command, code, stdout, stderr, row.want)
		}
	}
}

// TestSettingsFileIsNamed: where a command fails by a value of the file, the message says so.
func TestSettingsFileIsNamed(t *testing.T) {
	config(t, func(path string) error { return os.WriteFile(path, []byte("vfov = 500\n"), 0o600) })
	out := filepath.Join(t.TempDir(), "a.png")
	if code, _, stderr := run(t, small(out)...); code != 2 || !strings.Contains(stderr, "--vfov is set in") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := run(t, small(out, "--vfov", "600")...); code != 2 || strings.Contains(stderr, "is set in") {
		t.Errorf("a flag of the command line: exit %d: %s", code, stderr)
	}
}

// TestSettingsFileIsForAllCommands: a key that a command has no use for is passed over, though on the command line it is refused.
func TestSettingsFileIsForAllCommands(t *testing.T) {
	dir := t.TempDir()
	picture := filepath.Join(dir, "a.png")
	config(t, func(path string) error {
		return os.WriteFile(path, fmt.Appendf(nil, "output = %q\nlaunches = 2\neye = [0, 1, 3]\nframes = 2\nbounces = 2\ncheckpoint = \"30s\"\n", picture), 0o600)
	})
	bench := []string{"--size", "24x16", "--backend", "cpu"}
	for _, row := range []struct {
		code int
		want string
		args []string
	}{
		{0, "cornell", []string{"scene"}},
		{2, "glint scene cornell -o scene.glb", []string{"scene", "cornell"}},
		{0, "written", []string{"scene", "cornell", "-o", filepath.Join(dir, "a.glb")}},
		{0, `"scene"`, append([]string{"bench", "cornell", "--seconds", "0.1"}, bench...)},
		{0, `"scene"`, append([]string{"bench", "cornell", "--rays"}, bench...)},
		{0, "cornell", []string{"info", "cornell"}},
		{0, "written", []string{"render", "cornell", "--spp", "1", "--size", "24x16", "--backend", "cpu"}},
		{2, "missing flags: --output", []string{"merge", picture}},
	} {
		code, stdout, stderr := run(t, row.args...)
		if code != row.code || !strings.Contains(stdout+stderr, row.want) || strings.Contains(stderr, "settings") {
			t.Errorf("%v: exit %d, %s%s does not say %q", row.args, code, stdout, stderr, row.want)
		}
	}
}

// TestSettingsFileOfSeveralCommands: a key may mean something to one command alone.
func TestSettingsFileOfSeveralCommands(t *testing.T) {
	config(t, func(path string) error {
		return os.WriteFile(path, []byte("frames = \"0:1\"\neye = [0, 1, 3]\ncamera = 0\n"), 0o600)
	})
	code, _, stderr := run(t, "bench", "cornell", "--size", "24x16", "--backend", "cpu", "--seconds", "0.1") // whose --frames is a number
	if code != 0 || strings.Contains(stderr, "settings") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
