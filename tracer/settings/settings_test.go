package settings_test

import (
	"errors"
	"strings"
	"testing"

	"glint/tracer/settings"
)

// table has the choices of a small program.
func table() []settings.Setting {
	return settings.Table(settings.Vocabulary{
		Integrators: []settings.Choice{{Name: "path", Help: "does it all"}, {Name: "direct", Help: "stops early"}},
		AOVs:        []settings.Choice{{Name: "depth"}},
		ReuseViews:  []settings.Choice{{Name: "age"}},
	})
}

func TestParseFlags(t *testing.T) {
	base := settings.Defaults()
	base.Bounces, base.Aperture = 3, 0.5
	got, err := settings.ParseFlags(table(), " --integrator path  --rr=off --exposure -1.5 --restir-cap=7 ", base)
	want := base
	want.Integrator, want.Roulette, want.Exposure, want.RestirCap = "path", false, -1.5, 7
	if err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := settings.ParseFlags(table(), "", base); err != nil || got != base {
		t.Errorf("no words: %+v, %v", got, err)
	}
	if got, err := settings.ParseFlags(table(), "--bounces 1 --bounces 2", base); err != nil || got.Bounces != 2 {
		t.Errorf("the last word does not count: %d bounces, %v", got.Bounces, err)
	}
}

// TestParseFlagsRefuses also checks which of the errors a program may tell from others.
func TestParseFlagsRefuses(t *testing.T) {
	for flags, row := range map[string]struct {
		want           string
		unknown, value bool
	}{
		"--sorcery on":                     {"no setting --sorcery", true, false},
		"--sorcery":                        {"no setting --sorcery", true, false},
		"--integrator teleport":            {`--integrator "teleport": want one of auto, path, direct`, false, true},
		"--bounces 1.5":                    {"--bounces \"1.5\": want a whole number from 0 to 256", false, true},
		"--bounces=":                       {"want a whole number", false, true},
		"--rr maybe":                       {"want on or off", false, true},
		"--exposure NaN":                   {"want a number from -16 to 16", false, true},
		"--rr off --exposure":              {"--exposure: its value is missing", false, false},
		"path":                             {"want settings as --name value", false, false},
		"--integrator path direct":         {`"direct": want settings`, false, false},
		"-integrator path":                 {"want settings as --name value", false, false},
		"--bounces 257 --exec wavefront":   {"whole number from 0 to 256", false, true},
		"--restir-radius 0 --restir-cap 5": {"want a number from 1 to 200", false, true},
	} {
		_, err := settings.ParseFlags(table(), flags, settings.Defaults())
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v does not say %q", flags, err, row.want)
		}
		var unknown settings.UnknownError
		var value settings.ValueError
		if errors.As(err, &unknown) != row.unknown || errors.As(err, &value) != row.value {
			t.Errorf("%q: %#v", flags, err)
		}
	}
}

// TestParseReadsText: what Text writes Parse reads, for every setting, at its default and elsewhere.
func TestParseReadsText(t *testing.T) {
	for _, row := range table() {
		defaults, changed := settings.Defaults(), settings.Defaults()
		switch v := row.Value(&changed).(type) {
		case *bool:
			*v = !*v
		case *int:
			if *v = int(row.Min); row.Same(&changed, &defaults) {
				*v = int(row.Max)
			}
		case *float64:
			*v = row.Min + (row.Max-row.Min)/3
		case *string:
			*v = row.Choices[len(row.Choices)-1]
			if row.Text(&defaults) == *v {
				*v = row.Choices[0]
			}
		}
		for _, want := range []settings.Settings{defaults, changed} {
			got := defaults
			if err := row.Parse(&got, row.Text(&want)); err != nil || !row.Same(&got, &want) || got != want {
				t.Errorf("--%s %s: %v", row.Name, row.Text(&want), err)
			}
		}
		if row.Same(&changed, &defaults) {
			t.Errorf("--%s: %s is its default", row.Name, row.Text(&changed))
		}
		if err := row.Parse(&changed, "nonsense"); err == nil {
			t.Errorf("--%s takes nonsense", row.Name)
		}
	}
}

// TestColors: a background may be any colour, written as #rrggbb, and nothing that is not quite one.
func TestColors(t *testing.T) {
	row, _ := settings.Lookup(table(), "background")
	for text, want := range map[string]uint32{"white": 0xffffff, "grey": 0x808080, "#Ff8001": 0xff8001, "#000000": 0} {
		var s settings.Settings
		if err := row.Parse(&s, text); err != nil {
			t.Error(err)
		}
		if got, ok := settings.Color(s.Background); !ok || got != want {
			t.Errorf("%s is %06x, want %06x", text, got, want)
		}
	}
	for _, text := range []string{"", "#", "#fff", "#ff80011", "#ff80g1", "ff8001", "#-12345", "#+12345", "#12_456", "orange"} {
		var s settings.Settings
		if err := row.Parse(&s, text); err == nil {
			t.Errorf("%q is taken for a colour", text)
		}
	}
	for _, word := range []string{"scene", "transparent"} {
		if _, ok := settings.Color(word); ok {
			t.Errorf("%s is taken for a colour", word)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, row := range table() {
		if found, ok := settings.Lookup(table(), row.Name); !ok || found.Name != row.Name {
			t.Errorf("%s: %v", row.Name, ok)
		}
	}
	if row, ok := settings.Lookup(table(), "sorcery"); ok {
		t.Errorf("found %v", row.Name)
	}
}

// TestLabels: every setting is called something, and no two the same.
func TestLabels(t *testing.T) {
	named := map[string]string{}
	for _, row := range table() {
		if other, taken := named[row.Label]; row.Label == "" || taken {
			t.Errorf("--%s is labelled %q, as is %q", row.Name, row.Label, other)
		}
		named[row.Label] = row.Name
	}
}
