package viewer

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/viewer/session"
)

// pixel is what the window would show at a place, from the top left, without the panel.
func pixel(a *app, x, y int) [4]byte {
	w, h := a.display.window.GetFramebufferSize()
	a.screen.present(a.composition(w), w, h)
	var rgba [4]byte
	gl.ReadPixels(int32(x), int32(h-1-y), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&rgba[0]))
	return rgba
}

// objects counts the GL objects that exist.
func (a *app) objects() int {
	n := a.screen.live
	for _, s := range a.session.Sides.Sides {
		n += pictureOf(s).live
	}
	if p, made := a.session.Sides.Bias.Picture.(*picture); made {
		n += p.live
	}
	return n
}

func TestImageReachesTheWindow(t *testing.T) {
	for _, interop := range []bool{false, true} {
		t.Run(map[bool]string{false: "copied", true: "interop"}[interop], func(t *testing.T) {
			p := openProbe(t, func(_ *Options, f *fake) { f.interop = interop })
			p.do(func(a *app) {
				if pictureOf(a.session.Sides.Active).attached != interop || (pictureOf(a.session.Sides.Active).copyReason == "") != interop {
					t.Errorf("attached is %v, because %q", pictureOf(a.session.Sides.Active).attached, pictureOf(a.session.Sides.Active).copyReason)
				}
				if top := pixel(a, 10, 5); top != [4]byte{200, 20, 20, 255} {
					t.Errorf("the top of the window is %v, not red", top)
				}
				if bottom := pixel(a, 10, 590); bottom[0] != 20 || bottom[2] != 40 {
					t.Errorf("the bottom of the window is %v", bottom)
				}
			})
		})
	}
}

// TestClosedWindowIsForgotten: nothing keeps a window that is closed, and with it its scene.
func TestClosedWindowIsForgotten(t *testing.T) {
	var closed weak.Pointer[app]
	t.Run("open", func(t *testing.T) {
		p := openProbe(t, nil)
		closed = weak.Make(p.app)
		if err := p.quit(); err != nil {
			t.Error(err)
		}
	})
	for end := time.Now().Add(patience); closed.Value() != nil; time.Sleep(10 * time.Millisecond) {
		if runtime.GC(); time.Now().After(end) {
			t.Fatal("it is still in memory")
		}
	}
}

func TestResizeLeaksNothing(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.interop = true })
	var before int
	p.do(func(a *app) { before = a.objects() })
	for i := range 50 {
		w, h := 400+i*7, 300+i*5
		p.do(func(a *app) { a.display.window.SetSize(w, h) })
		p.until("the new size", func(a *app) bool {
			return pictureOf(a.session.Sides.Active).width == w && pictureOf(a.session.Sides.Active).height == h
		})
		p.do(func(a *app) {
			if a.objects() != before || len(p.fake.attached) != len(pictureOf(a.session.Sides.Active).buffers) {
				t.Errorf("%d GL objects and %d attached buffers, there were %d and 2", a.objects(), len(p.fake.attached), before)
			}
		})
	}
	if err := p.quit(); err != nil {
		t.Error(err)
	}
	if p.app.objects() != 0 || len(p.fake.attached) != 0 || !p.fake.closed {
		t.Errorf("at the end: %d GL objects, %d attached buffers, device closed %v", p.app.objects(), len(p.fake.attached), p.fake.closed)
	}
}

func TestOpenAndBadFile(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Load = func(_ context.Context, path string, o scene.Options) (*scene.Scene, error) {
			o.Progress("reading", 0.5)
			switch filepath.Base(path) {
			case "good.glb":
				return aScene("good.glb"), nil
			case "panics.glb":
				panic("index out of range")
			}
			return nil, errors.New("load bad.glb: buffer 0 is shorter than its byteLength")
		}
	})
	for _, c := range []struct{ path, says, shows string }{
		{"bad.glb", "buffer 0 is shorter", "triangle.glb"},
		{"panics.glb", "index out of range", "triangle.glb"},
		{"good.glb", "opened good.glb", "good.glb"},
	} {
		p.do(func(a *app) { a.session.Loader.Open(c.path) })
		p.until(c.path, func(a *app) bool {
			return a.session.Loader.Loading == nil && a.session.Stage.Shown.Scene.Name == c.shows && strings.Contains(latest(a), c.says)
		})
	}
	p.do(func(a *app) {
		if slices.ContainsFunc(a.session.Messages, func(m session.Message) bool { return m.Warning }) {
			t.Errorf("a good file is shown, and the window still says %v", a.session.Messages)
		}
	})
	p.do(func(a *app) { // the last of several wins, and those before are given up
		a.session.Loader.Open("good.glb")
		a.session.Loader.Open("bad.glb")
		a.session.Loader.Open("good.glb")
	})
	p.until("the last", func(a *app) bool {
		return a.session.Loader.Loading == nil && len(a.session.Loader.Pending) == 0 && len(p.fake.used) == 3
	})
}

func TestFirstSceneThatCannotBeLoaded(t *testing.T) {
	needDisplay(t)
	var err error
	main(func() {
		err = Run(t.Context(), Options{state: filepath.Join(t.TempDir(), "window.toml"), Options: session.Options{
			Path: "missing.glb", Settings: settings.Defaults(),
			Open: func(tracer.Options, []tracer.Options) (session.Renderer, error) {
				return &fake{attached: map[uint32]bool{}}, nil
			},
			Load: func(context.Context, string, scene.Options) (*scene.Scene, error) { return nil, os.ErrNotExist },
		}})
	})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Run returned %v", err)
	}
}

func TestNoDisplay(t *testing.T) {
	for _, display := range []string{"", ":4711"} {
		t.Setenv("DISPLAY", display)
		var err error
		main(func() {
			err = Run(t.Context(), Options{Options: session.Options{Settings: settings.Defaults()}, state: filepath.Join(t.TempDir(), "window.toml")})
		})
		if !errors.Is(err, ErrNoDisplay) || !strings.Contains(err.Error(), "glint render") {
			t.Errorf("display %q: %v", display, err)
		}
	}
}

func TestChecks(t *testing.T) {
	needDisplay(t)
	var checks []Check
	main(func() { checks = Checks() })
	if len(checks) != 2 || !checks[0].OK || !strings.Contains(checks[0].Detail, "OpenGL 4") {
		t.Errorf("%+v", checks)
	}
	t.Setenv("DISPLAY", "")
	main(func() { checks = Checks() })
	if checks[0].OK || checks[0].Mend == "" {
		t.Errorf("without a display: %+v", checks[0])
	}
}

// saved takes a screenshot by its key.
func (p *probe) saved() (image.Image, map[string]string) {
	p.t.Helper()
	p.xdo("key", "s")
	p.until("the message", func(a *app) bool { return strings.HasPrefix(latest(a), "saved ") })
	path := strings.TrimSpace(p.out.String())
	img := tracertest.ReadPNG(p.t, path)
	text, err := imageio.ReadPNGText(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return img, text
}

func TestScreenshot(t *testing.T) {
	t.Chdir(t.TempDir())
	p := openProbe(t, nil)
	img, text := p.saved()
	if img.Bounds().Dx() != 800 || img.Bounds().Dy() != 600 {
		t.Fatal(img.Bounds())
	}
	if r, g, b, _ := img.At(0, 0).RGBA(); r>>8 != 200 || g>>8 != 20 || b>>8 != 20 {
		t.Error("the top of the screenshot is not red")
	}
	if text["scene"] != "triangle.glb" || !strings.Contains(text["settings"], `"Integrator":"auto"`) ||
		!strings.Contains(text["camera"], `"Eye":[0,0.5,4]`) {
		t.Errorf("text %v", text)
	}
}

// TestManyScreenshots: each has a file of its own, however fast they are taken, though nobody reads their names.
func TestManyScreenshots(t *testing.T) {
	t.Chdir(t.TempDir())
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()
	p := openProbe(t, func(o *Options, _ *fake) { o.Out = writer })
	p.do(func(a *app) {
		for range 6 {
			a.session.Screenshot()
			a.session.SaveRadiance()
		}
	})
	p.until("the messages", func(a *app) bool { a.session.Shots.Writes.Wait(); return true })
	for _, pattern := range []string{"*.png", "*.exr"} {
		if shots, _ := filepath.Glob(pattern); len(shots) != 6 {
			t.Errorf("%s: %v", pattern, shots)
		}
	}
}

// TestEscapeClosesOneThing: the topmost, and quits only when nothing is open and it is pressed twice in time.
func TestEscapeClosesOneThing(t *testing.T) {
	t.Chdir(t.TempDir())
	p := openProbe(t, nil)
	escape := func(what string, closed func(a *app) bool) {
		t.Helper()
		p.xdo("key", "Escape")
		p.until(what+" to close", closed)
		p.do(func(a *app) {
			if a.done || strings.Contains(latest(a), "again") {
				t.Errorf("Esc closes %s, and also begins to quit", what)
			}
		})
	}
	p.do(func(a *app) { a.setMode(session.Fly) })
	escape("the captured mouse", func(a *app) bool { return !a.input.captured })
	p.xdo("key", "F1")
	p.until("help", func(a *app) bool { return a.overlay.showKeys })
	escape("help", func(a *app) bool { return !a.overlay.showKeys })
	p.xdo("key", "ctrl+f")
	p.until("the search", func(a *app) bool { return a.hud.Searching })
	p.xdo("type", "bvh")
	p.until("what is typed", func(a *app) bool { return a.hud.Search == "bvh" })
	escape("the search", func(a *app) bool { return a.hud.Search == "" && !a.hud.Searching })
	p.xdo("key", "ctrl+f")
	p.until("the search again", func(a *app) bool { return a.hud.Searching })
	p.xdo("type", "exposure")
	p.until("another search", func(a *app) bool { return a.hud.Search == "exposure" })
	p.xdo("key", "Return")
	p.until("its end", func(a *app) bool { return !a.hud.Searching })
	escape("what was found", func(a *app) bool { return a.hud.Search == "" })
	p.xdo("mousemove", "220", "205", "click", "1")
	p.until("a list", func(a *app) bool { return a.hud.Lists })
	escape("the list", func(a *app) bool { return !a.hud.Lists })
	if shots, _ := filepath.Glob("*.png"); len(shots) != 0 {
		t.Errorf("screenshots: %v", shots)
	}
	for _, late := range []bool{true, false} {
		p.xdo("key", "Escape")
		p.until("the question", func(a *app) bool { return latest(a) == "Press Esc again to save and quit" })
		if late {
			p.do(func(a *app) {
				a.quitAsked = a.quitAsked.Add(-quitWithin)
				a.session.Messages = nil
			})
		}
	}
	p.xdo("key", "Escape")
	if err := p.closed(); err != nil {
		t.Error(err)
	}
	if shots, _ := filepath.Glob("triangle.*samp.png"); len(shots) != 1 {
		t.Errorf("screenshots: %v", shots)
	}
}

// TestFlyKeysInOrbit: who tries to fly in orbit mode is told how, and no file is written.
func TestFlyKeysInOrbit(t *testing.T) {
	t.Chdir(t.TempDir())
	p := openProbe(t, nil)
	for _, k := range []string{"w", "a", "s", "d"} {
		p.do(func(a *app) { a.session.Messages = nil })
		p.xdo("key", k)
		p.until("the hint after "+k, func(a *app) bool { return strings.Contains(latest(a), "fly mode: press Tab") })
	}
	if shots, _ := filepath.Glob("*.png"); len(shots) != 0 {
		t.Errorf("screenshots: %v", shots)
	}
	p.do(func(a *app) {
		if a.session.Sides.Active.Settings != settings.Defaults() {
			t.Errorf("changed: %s", settings.Flags(a.session.Sides.Table, a.session.Sides.Active.Settings))
		}
	})
}

// TestHintAtTheFirstStart: shown when the window opens for the first time, and not again.
func TestHintAtTheFirstStart(t *testing.T) {
	state := filepath.Join(t.TempDir(), "window.toml")
	for _, want := range []bool{true, false} {
		p := openProbe(t, func(o *Options, _ *fake) { o.state = state })
		p.do(func(a *app) {
			if got := strings.Contains(latest(a), "F1 for all keys"); got != want {
				t.Errorf("the hint is shown: %v, want %v", got, want)
			}
		})
		if err := p.quit(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPlaceIsRemembered(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state", "window.toml")
	p := openProbe(t, func(o *Options, _ *fake) { o.state = state })
	p.do(func(a *app) { a.display.window.SetSize(640, 480); a.display.window.SetPos(123, 77) })
	p.until("the place", func(a *app) bool {
		x, _ := a.display.window.GetPos()
		return x == 123 && pictureOf(a.session.Sides.Active).width == 640
	})
	if err := p.quit(); err != nil {
		t.Fatal(err)
	}
	p = openProbe(t, func(o *Options, _ *fake) { o.state, o.Width, o.Height = state, 0, 0 })
	p.until("the same place", func(a *app) bool {
		return a.display.placement() == placement{X: 123, Y: 77, Width: 640, Height: 480, Known: true}
	})
}

// TestHeadingsAreRemembered: at the first start all are folded, except for that of two sides.
func TestHeadingsAreRemembered(t *testing.T) {
	state := filepath.Join(t.TempDir(), "window.toml")
	first := openProbe(t, func(o *Options, _ *fake) { o.state = state })
	first.do(func(a *app) {
		if open := a.hud.UnfoldedHeadings(); !slices.Equal(open, []string{"Compare"}) {
			t.Errorf("unfolded at first: %v", open)
		}
		a.hud.Unfold([]string{"Camera", "View"})
	})
	first.do(func(*app) {})
	if err := first.quit(); err != nil {
		t.Fatal(err)
	}
	p := openProbe(t, func(o *Options, _ *fake) { o.state = state })
	p.do(func(a *app) {
		if open := a.hud.UnfoldedHeadings(); !slices.Equal(open, []string{"Camera", "View"}) {
			t.Errorf("unfolded the next time: %v", open)
		}
	})
}

func TestIdleAndMoving(t *testing.T) {
	p := openProbe(t, nil)
	p.until("rest", func(a *app) bool {
		p.fake.samples = schedule.EnoughSamples
		return a.session.Frames.Idle
	})
	var renders int
	p.do(func(*app) { renders = p.fake.renders })
	p.do(func(*app) {})
	p.do(func(a *app) {
		if p.fake.renders != renders {
			t.Error("renders although nothing changed")
		}
		a.session.Stage.Camera.Orbit(0.1, 0)
	})
	p.until("a moving view", func(a *app) bool {
		return p.fake.view.Moving && p.fake.view.Budget > 0 && p.fake.view.Budget <= 3*schedule.MovingOnCPU(1)/4 && !a.session.Frames.Idle
	})
	p.until("a still view", func(*app) bool { return !p.fake.view.Moving })
}

func TestFullscreen(t *testing.T) {
	p := openProbe(t, nil)
	p.xdo("key", "F11")
	p.until("the whole screen", func(a *app) bool {
		return a.display.window.GetMonitor() != nil && pictureOf(a.session.Sides.Active).width == 1600
	})
	p.xdo("key", "F11")
	p.until("the window", func(a *app) bool {
		return a.display.window.GetMonitor() == nil && pictureOf(a.session.Sides.Active).width == 800
	})
}

func TestRealTracer(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cpu", 320, 240
	})
	p.until("light in the window", func(a *app) bool {
		return a.session.Sides.Active.Stats.Samples > 0 && !bytes.Equal(make([]byte, 3), pixelBytes(a, 160, 130))
	})
	p.do(func(a *app) {
		if a.session.FocusAt(160, 130); a.session.Sides.Active.Settings.Focus < 3.9 || a.session.Sides.Active.Settings.Focus > 4.1 {
			t.Errorf("focus is %v m, the triangle is 4 m away", a.session.Sides.Active.Settings.Focus)
		}
	})
}

func pixelBytes(a *app, x, y int) []byte {
	c := pixel(a, x, y)
	return c[:3]
}

func TestContentScale(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		_, scale := a.display.window.GetContentScale()
		if a.hud.Scale != scale || a.display.window.GetAttrib(glfw.Iconified) != glfw.False {
			t.Errorf("scale %v, the display has %v", a.hud.Scale, scale)
		}
	})
}

func TestPlaceOnScreen(t *testing.T) {
	two := []area{{0, 0, 1920, 1080}, {1920, 0, 1280, 1024}}
	for _, c := range []struct {
		name     string
		at       placement
		monitors []area
		known    bool
		width    int
	}{
		{"on the first monitor", placement{X: 100, Y: 100, Width: 800, Height: 600, Known: true}, two, true, 800},
		{"on the second", placement{X: 2000, Y: 10, Width: 800, Height: 600, Known: true}, two, true, 800},
		{"the second is gone", placement{X: 2000, Y: 10, Width: 800, Height: 600, Known: true}, two[:1], false, 800},
		{"title bar above the top", placement{X: 100, Y: -400, Width: 800, Height: 600, Known: true}, two, false, 800},
		{"decoration just above the top", placement{X: 100, Y: -20, Width: 800, Height: 600, Known: true}, two, true, 800},
		{"wider than the screen", placement{X: 9000, Y: 0, Width: 8000, Height: 600, Known: true}, two, false, 1920},
		{"across both", placement{X: 0, Y: 0, Width: 3200, Height: 1000, Known: true}, two, true, 3200},
		{"as large as a file may say", placement{X: 0, Y: 0, Width: maxWindowSide, Height: maxWindowSide, Known: true}, two, false, 1920},
		{"as high as a file may say", placement{X: 10, Y: 10, Width: 800, Height: maxWindowSide, Known: true}, two, false, 800},
		{"never opened", defaultPlacement(), two, false, defaultWidth},
		{"no monitor", placement{X: 1, Y: 1, Width: 800, Height: 600, Known: true}, nil, false, 800},
	} {
		if got := c.at.onScreen(c.monitors); got.Known != c.known || got.Width != c.width {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestPlaceFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "glint", "window.toml")
	usual := windowState{placement: defaultPlacement()}
	if p, err := readState(path); err != nil || !reflect.DeepEqual(p, usual) {
		t.Errorf("no file: %+v, %v", p, err)
	}
	want := windowState{placement{X: -5, Y: 7, Width: 640, Height: 480, Maximized: true, Known: true}, session.Remembered{
		Folder: "/scenes", Scenes: []string{"/scenes/b.glb", "/scenes/a.glb"}, Environments: []string{"/sky.hdr"},
		Views: map[string][]string{"/scenes/it's b.glb": {"--eye 1,2,3", "", "--eye '1,2,3'"}, "chess": {"--at 3"}},
	}, []string{"Camera", "Light"}, 1.25}
	if err := saveState(path, want); err != nil {
		t.Fatal(err)
	}
	if got, err := readState(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"x = [", "width = 3\nheight = 4", "width = 999999999\nheight = 600", "x = \"left\""} {
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := readState(path); err == nil || !reflect.DeepEqual(p, usual) {
			t.Errorf("%q: %+v, %v", bad, p, err)
		}
	}
}
