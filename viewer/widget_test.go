package viewer

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer"
	"glint/tracer/settings"
)

func TestWidgetForEachSetting(t *testing.T) {
	want := map[string]widget{
		"rr": checkbox, "tonemap": combo, "bounces": intDrag, "exposure": slider, "aperture": drag, "light-scale": drag,
		"env-rotation": slider,
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

func TestAdjust(t *testing.T) {
	for _, c := range []struct {
		setting string
		steps   int
		unit    float32
		want    string
	}{
		{"rr", 1, 1, "Russian roulette: off"},
		{"integrator", 1, 1, "integrator: naive"}, // round the end
		{"sampling", -1, 1, "light sampling: light"},
		{"bounces", 3, 1, "bounces: 11"},
		{"bounces", -100, 1, "bounces: 0"},
		{"exposure", 2, 50, "exposure: 0.5 EV"}, // not a length
		{"exposure", 1000, 1, "exposure: 16 EV"},
		{"aperture", 2, 0.5, "aperture: 0.1 m"},
		{"aperture", -1, 1, "aperture: 0 m"},
	} {
		row, ok := settings.Lookup(tracer.SettingsTable(), c.setting)
		if !ok {
			t.Fatalf("there is no setting %s", c.setting)
		}
		s := settings.Defaults()
		adjust(row, &s, c.steps, c.unit)
		if got := describe(row, s); got != c.want {
			t.Errorf("%s by %d: %q, want %q", c.setting, c.steps, got, c.want)
		}
	}
}

func TestRestarts(t *testing.T) {
	brighter, deeper := settings.Defaults(), settings.Defaults()
	brighter.Exposure++
	deeper.Bounces++
	table := tracer.SettingsTable()
	if restarts(table, settings.Defaults(), brighter) || !restarts(table, settings.Defaults(), deeper) {
		t.Error("exposure does not restart accumulation, bounces do")
	}
}

func TestAStepChangesEverySetting(t *testing.T) {
	for _, row := range tracer.SettingsTable() {
		up, down := settings.Defaults(), settings.Defaults()
		adjust(row, &up, 1, 1)
		adjust(row, &down, -1, 1)
		if usual := settings.Defaults(); row.Same(&up, &usual) && row.Same(&down, &usual) { // one may be out of range
			t.Errorf("a step does not change %s", row.Name)
		}
	}
}

// TestPanelActs: what is clicked in the panel changes the window after the frame is drawn.
func TestPanelActs(t *testing.T) {
	t.Chdir(t.TempDir()) // a click may hit a button that saves
	p := openProbe(t, nil)
	p.clickUntil("fly mode", 240, 145, 170, func(a *app) bool { return a.mode == Fly })
	p.do(func(a *app) { a.setMode(Orbit) })
	p.clickUntil("two sides", 200, 420, 470, func(a *app) bool { return a.comparing() })
	p.do(func(a *app) { a.toggleSplit() })
	p.xdo("key", "ctrl+f")
	p.until("the search", func(a *app) bool { return a.hud.searching })
	p.xdo("type", "roulette --rr")
	p.until("what is typed", func(a *app) bool { return a.hud.search == "roulette --rr" })
	p.clickUntil("a setting", 166, 110, 160, func(a *app) bool { return !a.active.settings.Roulette })
	p.do(func(a *app) {
		if a.settingsTouched() != 1 {
			t.Errorf("typing changed settings: %s", settingFlags(a.table, a.active.settings))
		}
	})
}

// clickUntil clicks farther and farther down until that brings something, and gives where it did.
func (p *probe) clickUntil(what string, x, from, to int, holds func(a *app) bool) (y int) {
	p.t.Helper()
	for y = from; y < to; y += 6 {
		p.xdo("mousemove", strconv.Itoa(x), strconv.Itoa(y), "click", "1")
		p.until("the mouse", func(a *app) bool { return a.input.y == float64(y) })
		var ok bool
		p.do(func(*app) {}) // the frame that hears the click
		p.do(func(*app) {})
		if p.do(func(a *app) { ok = holds(a) }); ok {
			return y
		}
	}
	p.t.Fatalf("clicks do not bring %s", what)
	return 0
}

// settingsTouched counts the settings that are not at their defaults.
func (a *app) settingsTouched() int {
	return strings.Count(settingFlags(a.table, a.active.settings), "--")
}

// TestSearch: labels, flags and explanations are searched.
func TestSearch(t *testing.T) {
	for words, want := range map[string]string{
		"russian": "rr", "--bvh": "bvh", "stops brightness": "exposure", "ROULETTE after": "rr-min-depth", "wavefront hits order": "sort",
	} {
		rows := slices.DeleteFunc(tracer.SettingsTable(), func(row settings.Setting) bool { return !found(row, words) })
		if !slices.ContainsFunc(rows, func(row settings.Setting) bool { return row.Name == want }) || len(rows) > 3 {
			t.Errorf("%q finds %d settings, %s among them?", words, len(rows), want)
		}
	}
	for _, row := range tracer.SettingsTable() {
		if found(row, "no such thing") || !found(row, row.Label) || !found(row, row.Name) {
			t.Errorf("%s is found wrongly", row.Name)
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
}

// TestLabelsFit: no word of a label is cut off, whether or not the panel scrolls.
func TestLabelsFit(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		a.hud.frame(func() {
			style := imgui.CurrentStyle()
			room := (panelWidth*a.hud.scale-2*style.WindowPadding().X-style.ScrollbarSize())*labelShare - 2*style.CellPadding().X
			for _, row := range a.table {
				for _, word := range strings.Fields(row.Label) {
					if width := imgui.CalcTextSize(word).X; width > room {
						t.Errorf("%q of %q is %v wide, the column has %v", word, row.Label, width, room)
					}
				}
			}
		})
	})
}

// TestPaste: what the clipboard holds is pasted, and a clipboard without text is no reason to end.
func TestPaste(t *testing.T) {
	p := openProbe(t, nil)
	p.xdo("key", "ctrl+f")
	p.until("the search", func(a *app) bool { return a.hud.searching })
	p.xdo("key", "ctrl+v", "type", "bv")
	p.until("what is typed after nothing", func(a *app) bool { return a.hud.search == "bv" })
	p.do(func(a *app) { a.window.SetClipboardString("h") })
	p.xdo("keydown", "ctrl") // held, as a hand does: keys that go down and up within a frame may be missed
	p.until("the modifier", func(*app) bool { return imgui.CurrentIO().KeyCtrl() })
	p.xdo("keydown", "v")
	p.until("what is pasted", func(a *app) bool { return strings.HasPrefix(a.hud.search, "bvh") })
	p.xdo("keyup", "v", "keyup", "ctrl")
}
