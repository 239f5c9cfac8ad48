package viewer

import (
	"bytes"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/mathgl/mgl64"

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

// TestRotationCanBeAimed: the environment turns by half a degree for each pixel that the mouse is dragged, and by a tenth of that
// with Shift.
func TestRotationCanBeAimed(t *testing.T) {
	p := openProbe(t, nil)
	p.xdo("key", "ctrl+f")
	p.until("the search", func(a *app) bool { return a.hud.searching })
	p.xdo("type", "rotation")
	p.until("what is typed", func(a *app) bool { return a.hud.search == "rotation" })
	y := 0
	for y = 110; y < 170; y += 6 {
		p.xdo("mousemove", "220", strconv.Itoa(y))
		p.until("the mouse", func(a *app) bool { return a.input.y == float64(y) })
		if turned := p.turnedBy(40, 170, y); turned != 0 {
			break
		}
	}
	for _, c := range []struct {
		shift bool
		want  float64
	}{{false, 0.5}, {true, 0.05}} {
		if c.shift {
			p.xdo("keydown", "Shift_L")
		}
		turned := p.turnedBy(40, 190, y) - p.turnedBy(20, 210, y) // without the few pixels after which a press is a drag
		if c.shift {
			p.xdo("keyup", "Shift_L")
		}
		if got := turned / 20; math.Abs(got-c.want) > 0.1*c.want {
			t.Errorf("shift %v: %.3f degrees a pixel, want %g", c.shift, got, c.want)
		}
	}
}

// turnedBy is by how much a drag over some pixels turns the environment. Two from the same place would be a double click.
func (p *probe) turnedBy(pixels, from, y int) (degrees float64) {
	p.t.Helper()
	p.do(func(a *app) { a.active.settings.EnvRotation = 0 })
	p.xdo("mousemove", strconv.Itoa(from), strconv.Itoa(y))
	p.until("the mouse", func(a *app) bool { return a.input.x == float64(from) })
	p.do(func(*app) {})
	p.xdo("mousedown", "1")
	p.frames(4)
	for x := from + 1; x <= from+pixels; x += 3 {
		p.xdo("mousemove", strconv.Itoa(x), strconv.Itoa(y))
		p.until("the mouse", func(a *app) bool { return a.input.x == float64(x) })
	}
	p.xdo("mousemove", strconv.Itoa(from+pixels), strconv.Itoa(y))
	p.frames(4)
	p.xdo("mouseup", "1")
	p.frames(4)
	p.do(func(a *app) { degrees = a.active.settings.EnvRotation })
	return degrees
}

// TestLongValuesAreSeen: the last digits of a place are not cut off.
func TestLongValuesAreSeen(t *testing.T) {
	p := openProbe(t, func(o *Options, f *fake) { o.Height, f.card = 990, true })
	p.do(func(a *app) {
		seen := func(z float64) *image.NRGBA {
			return goldenShot(a, func(a *app) {
				a.hud.unfold([]string{"View"})
				a.controller.camera.Eye = mgl64.Vec3{-0.01234, -0.05678, z}
			})
		}
		if bytes.Equal(seen(-0.01234).Pix, seen(-0.01237).Pix) {
			t.Error("the last digits of the eye are not seen")
		}
	})
}

// TestNamesAreExplained: a tooltip appears over the name of a row as over its value.
func TestNamesAreExplained(t *testing.T) {
	p := openProbe(t, nil)
	tooltip := func(*app) bool {
		w := imgui.InternalFindWindowByName("##Tooltip_00")
		return w != nil && w.CData != nil && w.Active()
	}
	for _, x := range []string{"230", "45"} {
		for _, y := range []string{"205", "228", "389"} { // a list, a number, another
			p.xdo("mousemove", "600", "300")
			p.until("no tooltip", func(a *app) bool { return !tooltip(a) })
			p.xdo("mousemove", x, y)
			p.until("a tooltip at "+x+", "+y, tooltip)
		}
	}
}

// frames lets the window draw some.
func (p *probe) frames(n int) {
	for range n {
		p.do(func(*app) {})
	}
}

// TestKeyboardInThePanel: from the search keys reach what was found, change it and go through the panel; Esc gives them back.
func TestKeyboardInThePanel(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(*app) { imgui.CurrentIO().SetKeyRepeatDelay(60) }) // no key is held, however long frames are
	search := func(words string) {
		p.xdo("key", "ctrl+f")
		p.until("the search", func(a *app) bool { return a.hud.searching })
		p.xdo("type", words)
		p.until("what is typed", func(a *app) bool { return a.hud.search == words })
	}
	leave := func() {
		p.xdo("key", "Escape")
		p.until("the end of the search", func(a *app) bool { return !a.hud.wantsKeyboard() && a.hud.search == "" && a.hud.leaveSearch == 0 })
	}
	search("russian")
	p.xdo("key", "Down")
	p.until("the first setting", func(a *app) bool { return !a.hud.searching })
	p.xdo("key", "space")
	p.until("no roulette", func(a *app) bool { return !a.active.settings.Roulette })
	leave()
	search("max depth")
	p.xdo("key", "Return")
	p.until("a number's text", func(a *app) bool { return !a.hud.searching && imgui.CurrentIO().WantTextInput() })
	p.xdo("key", "1", "key", "2", "key", "Return")
	p.until("12 bounces", func(a *app) bool { return a.active.settings.Bounces == 12 })
	leave()
	search("tint white")
	p.xdo("key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace")
	p.until("a word less", func(a *app) bool { return a.hud.search == "tin" })
	p.xdo("key", "Tab")
	p.until("the first setting", func(a *app) bool { return !a.hud.searching })
	p.do(func(a *app) {
		if a.mode != Orbit || !a.hud.wantsKeyboard() {
			t.Errorf("Tab in the panel changes the mode to %s; the panel has the keyboard: %v", a.mode, a.hud.wantsKeyboard())
		}
	})
	leave()
	p.xdo("key", "Tab")
	p.until("fly mode", func(a *app) bool { return a.mode == Fly })
	p.do(func(a *app) { a.setMode(Orbit) })
	search("tint")
	p.xdo("mousemove", "600", "300", "click", "1")
	p.until("the keyboard of the view", func(a *app) bool { return !a.hud.wantsKeyboard() })
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
