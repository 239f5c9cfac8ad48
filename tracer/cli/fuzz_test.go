package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/adrg/xdg"
)

// notPrintable is what a terminal would obey.
func notPrintable(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }

// FuzzConfig: whatever the settings file holds, a command that needs none of it ends with 0 or 2 and prints nothing that a
// terminal would obey.
func FuzzConfig(f *testing.F) {
	f.Add("spp = 16\nbackend = \"cpu\"\n")
	f.Add("spp = [1, 2]\n[a.b]\nsize = 1979-05-27\n\"\\u001b[31m\" = true\n")
	f.Add("floor = true\nexposure = nan\nfloor = false\n")
	f.Add("\"")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "glint"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, configPath), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("XDG_CONFIG_HOME", dir)
		xdg.Reload()
		errs, err := os.Create(filepath.Join(dir, "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		defer errs.Close()
		var out bytes.Buffer
		p := Program{Version: "test", Stdout: &out, Stderr: errs, Keys: func(bool, map[string][]string) string { return "" }, CheckKeys: func(map[string][]string) map[string]string { return nil }}
		if code := p.Run(t.Context(), []string{"keys"}); code != 0 && code != exitUsage {
			t.Fatalf("exit %d", code)
		}
		said, err := os.ReadFile(errs.Name())
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(string(said)+out.String(), notPrintable) {
			t.Fatalf("prints %q", said)
		}
	})
}
