package viewer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// writeSky writes an environment of one radiance.
func writeSky(t *testing.T, path string, radiance float32) {
	t.Helper()
	sky := &imageio.Image{Width: 4, Height: 2, Pix: slices.Repeat([]float32{radiance}, 4*2*3)}
	if err := imageio.Write(path, sky, nil); err != nil {
		t.Fatal(err)
	}
}

// told is what the window says of files.
func told(a *app) string {
	var texts []string
	for _, m := range a.session.Messages {
		if m.About != "" {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// TestDrop: every file that is dropped is opened, environments too, with a message for each. An environment leaves the scene
// and the camera as they are.
func TestDrop(t *testing.T) {
	dir := t.TempDir()
	sky, broken := filepath.Join(dir, "sky.exr"), filepath.Join(dir, "broken.HDR")
	writeSky(t, sky, 2)
	if err := os.WriteFile(broken, []byte("no light"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Load = func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) {
			if base := filepath.Base(path); base != "bad.glb" {
				return aScene(base), nil
			}
			return nil, errors.New("bad.glb is bad")
		}
	})
	p.do(func(a *app) {
		a.session.Stage.Camera.Orbit(0.3, 0)
		a.session.Loader.Drop([]string{broken, sky}, false)
	})
	p.until("the sky", func(a *app) bool { return a.session.Loader.Loading == nil && a.session.Stage.Light.Spec == sky })
	p.do(func(a *app) {
		if a.session.Stage.Shown.Scene.Name != "triangle.glb" || a.session.Stage.Camera.Camera == aScene("").Cameras[0] || a.session.Stage.Light.Environment.Pixels[0] != 2 {
			t.Errorf("scene %s, camera %v, environment %v", a.session.Stage.Shown.Scene.Name, a.session.Stage.Camera.Camera, a.session.Stage.Light.Environment)
		}
		if got := told(a); !strings.Contains(got, "broken.HDR") || !strings.HasSuffix(got, "environment: sky.exr") {
			t.Errorf("the window says %q", got)
		}
		if name := a.model().Environment; name != "sky.exr" || a.model().Environments[len(session.Environments())].Value != sky {
			t.Errorf("the list of environments shows %s of %v", name, a.model().Environments)
		}
		a.session.Loader.Drop([]string{"bad.glb", "one.glb", sky, "two.glb"}, false)
	})
	p.until("all of them", func(a *app) bool {
		return a.session.Loader.Loading == nil && a.session.Stage.Shown.Scene.Name == "two.glb"
	})
	p.do(func(a *app) {
		if got := told(a); got != "bad.glb is bad; opened one.glb; environment: sky.exr; opened two.glb" {
			t.Errorf("the window says %q", got)
		}
		if !slices.Equal(a.session.Loader.SceneFiles, []string{"two.glb", "one.glb"}) || a.session.Stage.Light.Spec != sky {
			t.Errorf("opened %v, environment %s", a.session.Loader.SceneFiles, a.session.Stage.Light.Spec)
		}
		a.session.Loader.OpenEnvironment("none")
	})
	p.until("no environment", func(a *app) bool { return a.session.Loader.Loading == nil && a.session.Stage.Light.Spec == "none" })
	p.do(func(a *app) {
		if got := told(a); strings.Contains(got, "bad") {
			t.Errorf("the window still says %q", got)
		}
	})
}

// TestDropWithShiftMerges: the scene on the screen gets what is dropped, one after another, and is looked at and played as before; what is
// read again is all of it, and saved images say so.
func TestDropWithShiftMerges(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first, second, third := file("first.glb", "1"), file("second.glb", "2"), file("third.glb", "3")
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Scene, o.Path = nil, first
		o.Load = func(_ context.Context, path string, asked scene.Options) (*scene.Scene, error) {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			s := aScene(filepath.Base(path))
			s.Materials[0].Name = string(text) + asked.Variant
			s.Report.Path, s.Report.Files, s.Report.Variants = path, []scene.File{scene.File{Path: path}.Now()}, []string{"red"}
			return s, nil
		}
	})
	p.patience *= 2
	p.xdo("keydown", "shift")
	p.until("Shift", func(a *app) bool { return shiftHeld(a.display.window.Window) })
	p.xdo("keyup", "shift")
	p.until("no Shift", func(a *app) bool { return !shiftHeld(a.display.window.Window) })

	var seen scene.Camera
	p.do(func(a *app) {
		a.session.Stage.LookThrough(1)
		a.session.Stage.Camera.Orbit(0.3, 0)
		seen = a.session.Stage.Camera.Camera
		a.session.Loader.Drop([]string{second, filepath.Join(dir, "gone.glb"), third}, true)
	})
	materials := func(want string) func(a *app) bool {
		return func(a *app) bool {
			var names []string
			for _, m := range a.session.Stage.Shown.Scene.Materials {
				names = append(names, m.Name)
			}
			return a.session.Loader.Loading == nil && strings.Join(names, " ") == want
		}
	}
	p.until("all three", materials("1 2 3"))
	check := func(what string) {
		t.Helper()
		p.do(func(a *app) {
			if a.session.Stage.Camera.Camera != seen || a.session.Stage.Shown.Camera != 1 || len(a.session.Stage.Shown.Scene.Cameras) != 6 {
				t.Errorf("%s: the camera is %d of %d, another view", what, a.session.Stage.Shown.Camera, len(a.session.Stage.Shown.Scene.Cameras))
			}
			if name := a.session.Documents.Shown(0).Scene; name != "first.glb + second.glb + third.glb" || a.model().Scene.Name != name {
				t.Errorf("%s: saved as %q", what, name)
			}
		})
	}
	check("merged")
	p.do(func(a *app) {
		if said := told(a); !strings.Contains(said, "gone.glb") || !strings.HasSuffix(said, "merged third.glb") {
			t.Errorf("the window says %q", said)
		}
		a.session.Loader.TakeVariant("red")
	})
	p.until("the variant of the first", materials("1red 2 3"))
	file("third.glb", "three")
	p.until("what has changed of the last", materials("1red 2 three"))
	check("read again")
	p.do(func(a *app) { a.session.Loader.Drop([]string{second}, false) })
	p.until("one alone", materials("2"))
}

// TestChooseScene: built-in scenes are in the list.
func TestChooseScene(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Scenes = []settings.Choice{{Name: "box", Help: "a box"}, {Name: "ball", Help: "a ball"}}
		o.Load = func(_ context.Context, name string, _ scene.Options) (*scene.Scene, error) { return aScene(name), nil }
	})
	p.do(func(a *app) {
		if list := a.model().Scenes; len(list) != 2 || list[1].Value != "ball" {
			t.Errorf("the list has %v", list)
		}
		a.session.Loader.Open("ball")
	})
	p.until("the ball", func(a *app) bool {
		return a.session.Stage.Shown.Scene.Name == "ball" && a.session.Loader.Loading == nil
	})
	p.do(func(a *app) {
		if list := a.model().Scenes; len(list) != 2 {
			t.Errorf("then the list has %v", list)
		}
	})
}

// rightOfMiddle is where the window shows a point: right of its middle, in heights of the window.
func rightOfMiddle(cc *session.Camera, p mgl64.Vec3) float64 {
	to := session.Axes(cc.Angles())
	d := p.Sub(cc.Camera.Eye)
	return d.Dot(to[0]) / (d.Dot(to[2]) / cc.Distance() * float64(cc.ViewHeight()))
}

// TestFramedBesideThePanel: a scene without a camera is in the middle of what panels leave free, and turning leaves it there.
func TestFramedBesideThePanel(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) { o.Scene.Cameras = nil })
	p.do(func(a *app) {
		check := func(what string) {
			w, h := a.display.window.GetSize()
			free := a.layout().View
			want := (free.Middle().X - float32(w)/2) / float32(h)
			right := rightOfMiddle(&a.session.Stage.Camera, a.session.Stage.Camera.Pivot)
			if d := right - float64(want); d > 1e-3 || d < -1e-3 {
				t.Errorf("%s: the scene is %v heights right of the window's middle, want %v", what, right, want)
			}
		}
		check("at first")
		a.session.Stage.Camera.Orbit(1, 0.2)
		check("turned")
		a.overlay.showPanel = false
		a.session.FrameScene()
		check("without the panel")
	})
}

func TestSaveEXR(t *testing.T) {
	t.Chdir(t.TempDir())
	p := openProbe(t, nil)
	p.xdo("key", "shift+p")
	p.until("the message", func(a *app) bool { return strings.HasPrefix(latest(a), "saved ") })
	film, err := imageio.Read(strings.TrimSpace(p.out.String()))
	if err != nil || film.Width != 2 || film.Pix[0] < 1 {
		t.Errorf("%v, %v", film, err)
	}
}

// TestCopyFlags: what is copied shows the same picture, from any folder, and pictures say the same of themselves.
func TestCopyFlags(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my scenes")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Scene, o.Path, o.EnvironmentFlag = nil, "a.glb", "skies/a.hdr"
		o.Load = func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) {
			s := aScene(filepath.Base(path))
			s.Report.Files = []scene.File{{Path: path}}
			return s, nil
		}
	})
	p.do(func(a *app) {
		a.session.Sides.Active.Settings.Exposure, a.session.Sides.Active.Settings.Roulette = 1.5, false
		a.copyFlags()
		got := a.display.window.GetClipboardString()
		want := "'" + dir + "/a.glb' --eye 0,0.5,4 --target 0,0.5,0 --up 0,1,0 --vfov 40 --env '" + dir + "/skies/a.hdr' --rr off --exposure 1.5"
		if got != want {
			t.Errorf("copied %q, want %q", got, want)
		}
		_, changed, _ := strings.Cut(got, "a.hdr' ")
		back, err := settings.ParseFlags(a.session.Sides.Table, changed, settings.Defaults())
		if err != nil || back != a.session.Sides.Active.Settings {
			t.Errorf("read back: %+v, %v", back, err)
		}
		if d := a.session.Documents.Shown(1); d.Scene != "a.glb" || d.File != dir+"/a.glb" || d.Environment != dir+"/skies/a.hdr" {
			t.Errorf("a picture says %+v", d)
		}
		a.session.Stage.Shown.With = []string{"b.glb"}
		if a.copyFlags(); !strings.Contains(latest(a), "without 1 merged file") {
			t.Errorf("of merged scenes it says %q", latest(a))
		}
		if d := a.session.Documents.Shown(1); !slices.Equal(d.Merged, []string{dir + "/b.glb"}) {
			t.Errorf("a picture says %+v", d)
		}
		a.session.Stage.Shown.Source, a.session.Stage.Shown.Scene.Report.Files, a.session.Stage.Light.Spec = session.Source{Path: "chess"}, nil, "studio"
		a.copyFlags()
		if got := a.display.window.GetClipboardString(); !strings.HasPrefix(got, "chess --eye ") || !strings.Contains(got, "--env studio") {
			t.Errorf("of a built-in scene it copies %q", got)
		}
		if d := a.session.Documents.Shown(1); d.File != "" || d.Scene != "chess" || d.Environment != "studio" {
			t.Errorf("a picture says %+v", d)
		}
	})
}

// TestDialogsOpenWhereFilesAre: a file dialog begins in the folder of the last scene, also in the next window; that of environments in
// the folder of the last one.
func TestDialogsOpenWhereFilesAre(t *testing.T) {
	bin, scenes, skies, state := t.TempDir(), t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "window.toml")
	asked := filepath.Join(bin, "asked")
	for _, name := range []string{"qarma", "zenity", "matedialog"} { // a dialog that is cancelled
		script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + asked + ".new; mv " + asked + ".new " + asked + "; exit 1\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	opens := func(p *probe, folder string, dialog func(a *app)) {
		t.Helper()
		_ = os.Remove(asked)
		p.do(dialog)
		p.until("the dialog", func(*app) bool { _, err := os.Stat(asked); return err == nil })
		words, err := os.ReadFile(asked)
		if err != nil || !strings.Contains(string(words), "--filename\n"+folder+"/\n") {
			t.Errorf("want a dialog in %s, it was called with %q, %v", folder, words, err)
		}
	}
	file := filepath.Join(scenes, "a.glb")
	first := openProbe(t, func(o *Options, _ *fake) {
		o.Scene, o.Path, o.state = nil, file, state
		o.Load = func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) {
			s := aScene(filepath.Base(path))
			s.Report.Files = []scene.File{{Path: path}}
			return s, nil
		}
	})
	opens(first, scenes, (*app).chooseFile)
	opens(first, scenes, (*app).chooseEnvironment)
	first.do(func(a *app) { a.session.Loader.EnvironmentFiles = []string{filepath.Join(skies, "sun.hdr")} })
	opens(first, skies, (*app).chooseEnvironment)
	if err := first.quit(); err != nil {
		t.Fatal(err)
	}
	next := openProbe(t, func(o *Options, _ *fake) { o.state = state })
	opens(next, scenes, (*app).chooseFile)
	next.do(func(a *app) { a.session.Loader.Folder = filepath.Join(scenes, "gone") })
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	opens(next, here, (*app).chooseFile)
}

// TestBackgroundIsTold: what goes on in the background is said once that takes a while, with a bar, and no longer when it ends.
func TestBackgroundIsTold(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(*app) { p.fake.working = "compiling kernels" })
	p.until("the renderer to say so", func(a *app) bool { return a.session.Frames.Background.What != "" })
	p.do(func(a *app) {
		if text := a.session.Frames.Background.Text(a.session.Frames.Background.Since.Add(session.QuietFor / 2)); text != "" {
			t.Errorf("%q at once", text)
		}
		if text := a.session.Frames.Background.Text(a.session.Frames.Background.Since.Add(3 * time.Second)); text != "compiling kernels: 3 s" {
			t.Errorf("%q after three seconds", text)
		}
	})
	p.until("the line", func(a *app) bool { return a.model().Background != "" })
	p.do(func(*app) { p.fake.working = "" })
	p.until("its end", func(a *app) bool { return a.model().Background == "" })
}

// TestFloor: switching the floor prepares the scene on the screen anew, once, without reading it again, and leaves the camera.
// Opened scenes and other environments have it too.
func TestFloor(t *testing.T) {
	read := 0
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Load = func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) {
			read++
			return aScene(path), nil
		}
	})
	var faces int
	var eye scene.Camera
	prepared := func(n int, floor bool) func(a *app) bool {
		return func(a *app) bool {
			return a.session.Loader.Loading == nil && len(p.fake.used) == n && a.session.Stage.Shown.Choices.Floor == floor && p.fake.used[n-1].BVH.Faces > faces == floor
		}
	}
	p.do(func(a *app) {
		faces = p.fake.used[0].BVH.Faces
		a.session.Stage.Camera.Orbit(0.3, 0)
		eye = a.session.Stage.Camera.Camera
	})
	p.xdo("key", "shift+f")
	p.until("the floor", prepared(2, true))
	p.do(func(a *app) {
		if a.session.Stage.Camera.Camera != eye || a.session.Stage.Shown.Scene.Triangles() != 1 || read != 0 || !strings.Contains(latest(a), "floor") {
			t.Errorf("camera %v, %d triangles, %d files read, %q is said", a.session.Stage.Camera.Camera, a.session.Stage.Shown.Scene.Triangles(), read, latest(a))
		}
		a.session.Loader.OpenEnvironment("none")
	})
	p.until("no environment", prepared(3, true))
	p.do(func(a *app) { a.session.Loader.Open("other.glb") })
	p.until("the other scene", prepared(4, true))
	p.do(func(a *app) { a.session.Sides.Active.Settings.Floor = false })
	p.until("no floor", prepared(5, false))
	p.do(func(a *app) {
		if a.session.Stage.Light.Spec != "none" || a.session.Stage.Shown.Scene.Name != "other.glb" || read != 1 {
			t.Errorf("environment %q, scene %s, %d files read", a.session.Stage.Light.Spec, a.session.Stage.Shown.Scene.Name, read)
		}
	})
}

// TestTextureFilterPreparesAnew: another filter of textures prepares the scene anew, from where the user looks at it, and goes back when
// the device cannot take that.
func TestTextureFilterPreparesAnew(t *testing.T) {
	p := openProbe(t, nil)
	set := func(filter string) func(a *app) {
		return func(a *app) { a.session.Sides.Active.Settings.TextureFilter = filter }
	}
	p.do(set("mipmap"))
	p.until("mipmaps", func(a *app) bool {
		return a.session.Loader.Loading == nil && len(p.fake.used) == 2 && a.session.Stage.Shown.Choices.Filter == "mipmap"
	})
	p.do(func(*app) { p.fake.refuses = errors.New("no room") })
	p.do(set("bilinear"))
	p.until("the refusal", func(a *app) bool { return a.session.Loader.Loading == nil && latest(a) == "no room" })
	p.do(func(a *app) {
		if a.session.Sides.Active.Settings.TextureFilter != "mipmap" || a.session.Stage.Shown.Choices.Filter != "mipmap" || len(p.fake.used) != 2 {
			t.Errorf("filter %s and %s, %d scenes used", a.session.Sides.Active.Settings.TextureFilter, a.session.Stage.Shown.Choices.Filter, len(p.fake.used))
		}
	})
}

// TestFloorThatDoesNotFit: the switch goes back when the device cannot take the scene with its floor.
func TestFloorThatDoesNotFit(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) { p.fake.refuses = errors.New("no room"); a.session.Sides.Active.Settings.Floor = true })
	p.until("the refusal", func(a *app) bool { return a.session.Loader.Loading == nil && latest(a) == "no room" })
	p.do(func(a *app) {
		if a.session.Sides.Active.Settings.Floor || a.session.Stage.Shown.Choices.Floor || len(p.fake.used) != 1 {
			t.Errorf("floor %v and %v, %d scenes used", a.session.Sides.Active.Settings.Floor, a.session.Stage.Shown.Choices.Floor, len(p.fake.used))
		}
	})
}

// TestOldSceneIsForgotten: a scene that is no longer shown holds no memory, whatever was done with it.
func TestOldSceneIsForgotten(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cpu", 320, 240
		o.Load = func(_ context.Context, path string, _ scene.Options) (*scene.Scene, error) { return aScene(path), nil }
	})
	var old weak.Pointer[gpuscene.Prepared]
	for _, c := range []struct {
		name string
		do   func(a *app)
	}{
		{"shown", func(*app) {}},
		{"turned", func(a *app) { a.session.Stage.Camera.Orbit(0.1, 0) }},
		{"compared", func(a *app) { a.session.OpenSplit() }},
		{"compared with a reference", func(a *app) { a.session.Sides.ToggleReference() }},
		{"one side", func(a *app) { a.session.Sides.CloseSplit() }},
		{"measured", func(a *app) {
			a.session.Sides.Active.Timer = timerWith(3*schedule.WarmSamples, time.Millisecond)
			a.session.Sides.Active.Settings.Bounces++
		}},
		{"statistics", func(a *app) { a.overlay.page = session.StatisticsPage }},
		{"another tree", func(a *app) { a.session.Sides.Active.Settings.BVH = "fast" }},
		{"relit", func(a *app) { a.session.Loader.OpenEnvironment("2") }},
	} {
		p.do(c.do)
		time.Sleep(300 * time.Millisecond)
		p.until("rest", func(a *app) bool {
			measured := a.session.Frames.Change.Baseline != nil || len(a.session.Frames.Change.Pairs) > 0
			return a.session.Loader.Loading == nil && a.session.Sides.Active.Stats.Samples > 0 && (c.name != "measured" || measured)
		})
		p.do(func(a *app) {
			old = weak.Make(a.session.Stage.Shown.Prepared)
			a.session.Loader.Open(c.name)
		})
		p.until("another scene", func(a *app) bool {
			return a.session.Loader.Loading == nil && a.session.Stage.Shown.Scene.Name == c.name && a.session.Sides.Active.Stats.Samples > 0
		})
		forgotten := false
		for end := time.Now().Add(patience); !forgotten && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			p.do(func(*app) {})
			runtime.GC()
			forgotten = old.Value() == nil
		}
		if !forgotten {
			t.Errorf("%s: the scene before is still held", c.name)
		}
	}
}
