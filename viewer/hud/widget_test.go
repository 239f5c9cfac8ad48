package hud

import (
	"slices"
	"testing"

	"glint/tracer"
	"glint/tracer/settings"
)

func TestWidgetForEachSetting(t *testing.T) {
	want := map[string]widget{
		"rr": checkbox, "tonemap": combo, "bounces": intDrag, "exposure": slider, "aperture": drag, "light-scale": drag,
		"env-rotation": drag, "tint": slider,
	}
	kinds := map[widget]bool{}
	for _, row := range tracer.SettingsTable() {
		got := widgetOf(row)
		kinds[got] = true
		if w, ok := want[row.Name]; ok && got != w {
			t.Errorf("%s: widget %d, want %d", row.Name, got, w)
		}
		if (got == combo) != (len(row.Choices) > 0) {
			t.Errorf("%s: widget %d for %d choices", row.Name, got, len(row.Choices))
		}
	}
	if len(kinds) != int(drag)+1 {
		t.Errorf("the table uses the widgets %v only", kinds)
	}
}

func TestPanelShowsEverySetting(t *testing.T) {
	shown := 0
	for _, group := range settingGroups(tracer.SettingsTable()) {
		for _, row := range tracer.SettingsTable() {
			if row.Group == group {
				shown++
			}
		}
	}
	if shown != len(tracer.SettingsTable()) {
		t.Errorf("%d of %d rows are in a group", shown, len(tracer.SettingsTable()))
	}
}

// TestSearchByEverydayWords: words of other programs find what is called otherwise here, before what only mentions them.
func TestSearchByEverydayWords(t *testing.T) {
	for words, want := range map[string][]string{
		"hdri": {"env-rotation", "env-strength"}, "sky": {"env-rotation", "env-strength"}, "background": {"env-rotation", "env-strength"},
		"f-stop": {"aperture"}, "bokeh": {"aperture", "dof", "focus"}, "depth of field": {"aperture", "dof", "focus"}, "dof": {"aperture", "dof", "focus"},
		"fireflies": {"denoise", "restir-boiling"}, "noise": {"denoise"}, "grain": {"denoise"}, "brightness": {"exposure"}, "gamma": {"exposure"},
		"samples": {"antialias", "denoise"}, "max depth": {"bounces"}, "jagged": {"antialias"}, "contrast": {"tonemap"}, "color temperature": {"white-balance"},
		"glow": {"bloom"}, "fps": {"target-fps"}, "resolution": {"render-scale"}, "shadow catcher": {"floor"}, "backface": {"cull"}, "spp": {"restir-paths"},
	} {
		var names []string
		for _, row := range foundSettings(tracer.SettingsTable(), words) {
			names = append(names, row.Name)
		}
		for _, name := range want {
			if at := slices.Index(names, name); at < 0 || at > 5 {
				t.Errorf("%q finds %s: where is %s?", words, names, name)
			}
		}
	}
	for words, want := range map[string]string{"hdri": "environment", "sky": "environment", "fov": "field of view", "glb": "scene"} {
		if !slices.ContainsFunc(firstLevel(), func(row firstRow) bool { return row.label == want && hasWords(row.label+" "+row.words, words) }) {
			t.Errorf("%q does not find the row %s", words, want)
		}
	}
}

// TestFirstLevel: each of its settings exists, and every other one is in a group below.
func TestFirstLevel(t *testing.T) {
	for _, first := range firstLevel() {
		if _, known := settings.Lookup(tracer.SettingsTable(), first.setting); known == (first.draw != nil) {
			t.Errorf("row %q %q draws nothing, or two things", first.setting, first.label)
		}
	}
	for _, row := range tracer.SettingsTable() {
		inSight := slices.ContainsFunc(firstLevel(), func(first firstRow) bool { return first.setting == row.Name })
		if inSight != (row.Level == settings.First) {
			t.Errorf("%s is in sight: %v, its level is %d", row.Name, inSight, row.Level)
		}
	}
}

// TestSearch: labels, flags and explanations are searched.
func TestSearch(t *testing.T) {
	table := tracer.SettingsTable()
	for words, want := range map[string]string{
		"russian": "rr", "--bvh": "bvh", "stops brightness": "exposure", "ROULETTE after": "rr-min-depth", "wavefront hits order": "sort",
	} {
		rows := foundSettings(table, words)
		if !slices.ContainsFunc(rows, func(row settings.Setting) bool { return row.Name == want }) || len(rows) > 3 {
			t.Errorf("%q finds %d settings, %s among them?", words, len(rows), want)
		}
	}
	if rows := foundSettings(table, "no such thing"); len(rows) > 0 {
		t.Errorf("no such thing finds %s", rows[0].Name)
	}
	for _, row := range table {
		for _, words := range []string{row.Label, row.Name} {
			if !slices.ContainsFunc(foundSettings(table, words), func(r settings.Setting) bool { return r.Name == row.Name }) {
				t.Errorf("%q does not find %s", words, row.Name)
			}
		}
	}
}
