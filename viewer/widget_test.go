package viewer

import (
	"bytes"
	"image"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/settings"
	"glint/viewer/hud"
	"glint/viewer/session"
)

// TestPanelActs: what is clicked in the panel changes the window after the frame is drawn.
func TestPanelActs(t *testing.T) {
	t.Chdir(t.TempDir()) // a click may hit a button that saves
	p := openProbe(t, nil)
	p.clickUntil("the turntable", 250, 145, 170, func(a *app) bool { return a.session.Stage.Turntable.On })
	p.do(func(a *app) { a.session.Stage.Turntable.Stop() })
	p.clickUntil("fly mode", 160, 145, 170, func(a *app) bool { return a.input.mode == session.Fly })
	p.do(func(a *app) { a.setMode(session.Orbit) })
	p.clickUntil("two sides", 90, 420, 470, func(a *app) bool { return a.session.Sides.Comparing() })
	p.do(func(a *app) { a.session.ToggleSplit() })
	p.xdo("key", "ctrl+f")
	p.until("the search", func(a *app) bool { return a.hud.Searching })
	p.xdo("type", "roulette --rr")
	p.until("what is typed", func(a *app) bool { return a.hud.Search == "roulette --rr" })
	p.clickUntil("a setting", 166, 110, 160, func(a *app) bool { return !a.session.Sides.Active.Settings.Roulette })
	p.do(func(a *app) {
		if a.settingsTouched() != 1 {
			t.Errorf("typing changed settings: %s", settings.Flags(a.session.Sides.Table, a.session.Sides.Active.Settings))
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
	return len(settings.Flags(a.session.Sides.Table, a.session.Sides.Active.Settings)) / 2
}

// TestRotationCanBeAimed: the environment turns by half a degree for each pixel that the mouse is dragged, and by a tenth of that
// with Shift.
func TestRotationCanBeAimed(t *testing.T) {
	p := openProbe(t, nil)
	p.xdo("key", "ctrl+f")
	p.until("the search", func(a *app) bool { return a.hud.Searching })
	p.xdo("type", "rotation")
	p.until("what is typed", func(a *app) bool { return a.hud.Search == "rotation" })
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
	p.do(func(a *app) { a.session.Sides.Active.Settings.EnvRotation = 0 })
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
	p.do(func(a *app) { degrees = a.session.Sides.Active.Settings.EnvRotation })
	return degrees
}

// TestLongValuesAreSeen: the last digits of a place are not cut off.
func TestLongValuesAreSeen(t *testing.T) {
	p := openProbe(t, func(o *Options, f *fake) { o.Height, f.card = 990, true })
	p.do(func(a *app) {
		seen := func(z float64) *image.NRGBA {
			return goldenShot(a, func(a *app) {
				a.hud.Unfold([]string{"View"})
				a.session.Stage.Camera.Camera.Eye = mgl64.Vec3{-0.01234, -0.05678, z}
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
		p.until("the search", func(a *app) bool { return a.hud.Searching })
		p.xdo("type", words)
		p.until("what is typed", func(a *app) bool { return a.hud.Search == words })
	}
	leave := func() {
		p.xdo("key", "Escape")
		p.until("the end of the search", func(a *app) bool { return !a.hud.WantsKeyboard() && a.hud.Search == "" && a.hud.LeaveSearch == 0 })
	}
	search("russian")
	p.xdo("key", "Down")
	p.until("the first setting", func(a *app) bool { return !a.hud.Searching })
	p.xdo("key", "space")
	p.until("no roulette", func(a *app) bool { return !a.session.Sides.Active.Settings.Roulette })
	leave()
	search("max depth")
	p.xdo("key", "Return")
	p.until("a number's text", func(a *app) bool { return !a.hud.Searching && imgui.CurrentIO().WantTextInput() })
	p.xdo("key", "1", "key", "2", "key", "Return")
	p.until("12 bounces", func(a *app) bool { return a.session.Sides.Active.Settings.Bounces == 12 })
	leave()
	search("tint white")
	p.xdo("key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace", "key", "BackSpace")
	p.until("a word less", func(a *app) bool { return a.hud.Search == "tin" })
	p.xdo("key", "Tab")
	p.until("the first setting", func(a *app) bool { return !a.hud.Searching })
	p.do(func(a *app) {
		if a.input.mode != session.Orbit || !a.hud.WantsKeyboard() {
			t.Errorf("Tab in the panel changes the mode to %s; the panel has the keyboard: %v", a.input.mode, a.hud.WantsKeyboard())
		}
	})
	leave()
	p.xdo("key", "Tab")
	p.until("fly mode", func(a *app) bool { return a.input.mode == session.Fly })
	p.do(func(a *app) { a.setMode(session.Orbit) })
	search("tint")
	p.xdo("mousemove", "600", "300", "click", "1")
	p.until("the keyboard of the view", func(a *app) bool { return !a.hud.WantsKeyboard() })
}

// TestLabelsFit: no word of a label is cut off, whether or not the panel scrolls.
func TestLabelsFit(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		a.hud.Frame(func() {
			style := imgui.CurrentStyle()
			room := (hud.PanelWidth*a.hud.Scale-2*style.WindowPadding().X-style.ScrollbarSize())*hud.LabelShare - 2*style.CellPadding().X
			for _, row := range a.session.Sides.Table {
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
	p.until("the search", func(a *app) bool { return a.hud.Searching })
	p.xdo("key", "ctrl+v", "type", "bv")
	p.until("what is typed after nothing", func(a *app) bool { return a.hud.Search == "bv" })
	p.do(func(a *app) { a.display.window.SetClipboardString("h") })
	p.xdo("keydown", "ctrl") // held, as a hand does: keys that go down and up within a frame may be missed
	p.until("the modifier", func(*app) bool { return imgui.CurrentIO().KeyCtrl() })
	p.xdo("keydown", "v")
	p.until("what is pasted", func(a *app) bool { return strings.HasPrefix(a.hud.Search, "bvh") })
	p.xdo("keyup", "v", "keyup", "ctrl")
}
