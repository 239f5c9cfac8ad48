package viewer

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"glint/tracer/scene"
	"glint/viewer/session"
)

// A file that changes on disk is read again, once it stays as it is, and shown from where the user looks; so is another variant.
func TestFilesAreReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.glb")
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	written := time.Now().Add(-time.Hour)
	write("first", written)
	read := make(chan string, 9)
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Scene, o.Path = nil, path
		o.Load = func(_ context.Context, name string, asked scene.Options) (*scene.Scene, error) {
			read <- asked.Variant
			s := aScene(filepath.Base(name))
			text, err := os.ReadFile(name)
			s.Materials[0].Name, s.Report.Files = string(text), []scene.File{scene.File{Path: name}.Now()}
			if err != nil {
				return nil, err
			}
			s.Report.Variants = []string{"red", "blue"}
			return s, nil
		}
	})
	p.patience *= 2 // it looks once a second
	p.do(func(a *app) { a.session.Stage.Camera.Orbit(0.5, 0.1) })
	var seen scene.Camera
	p.do(func(a *app) { seen = a.session.Stage.Camera.Camera })

	write("second", written.Add(time.Minute))
	p.until("the message", func(a *app) bool { return strings.Contains(latest(a), "was read again") })
	p.do(func(a *app) {
		if a.session.Stage.Camera.Camera != seen {
			t.Error("the view has changed")
		}
		a.session.Loader.TakeVariant("blue")
	})
	p.until("the variant", func(a *app) bool { return a.session.Stage.Shown.Variant == "blue" && a.session.Loader.Loading == nil })
	p.do(func(a *app) {
		if a.session.Stage.Camera.Camera != seen || latest(a) != "variant: blue" {
			t.Errorf("another view, or %q", latest(a))
		}
	})
	close(read)
	var asked []string
	for name := range read {
		asked = append(asked, name)
	}
	if strings.Join(asked, ",") != ",,blue" {
		t.Errorf("read as %q", asked)
	}
}

// painted is a glowing triangle whose corners and colour are in files beside it.
const painted = `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"scene":0,"nodes":[{"mesh":0}],
	"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
	"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0,0,0,1]},"emissiveFactor":[1,1,1],"emissiveTexture":{"index":0}}],
	"textures":[{"source":0}],"images":[{"uri":"paint.png"}],
	"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],
	"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"shape.bin"}]}`

// paint is a PNG of one colour.
func paint(c color.Color) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		img.Set(i%8, i/8, c)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// shape is the corners of a triangle of some width.
func shape(width float32) []byte {
	var out bytes.Buffer
	_ = binary.Write(&out, binary.LittleEndian, []float32{-width, -1, 0, width, -1, 0, 0, 1, 0})
	return out.Bytes()
}

// TestFilesBesideTheSceneAreReadAgain: another image or buffer is seen where the user looks, a missing or broken one not before it is
// whole, and one that is written as it was changes nothing.
func TestFilesBesideTheSceneAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "scene.gltf")
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	red, green, blue := paint(color.NRGBA{255, 0, 0, 255}), paint(color.NRGBA{0, 255, 0, 255}), paint(color.NRGBA{0, 0, 255, 255})
	write("scene.gltf", []byte(painted))
	write("shape.bin", shape(1))
	write("paint.png", red)
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cpu", 320, 240
		o.Scene, o.Path = nil, path
	})
	p.patience *= 3 // it looks once a second
	shows := func(channel int) func(a *app) bool {
		return func(a *app) bool {
			c := pixel(a, 160, 120)
			return a.session.Loader.Loading == nil && c[channel] > 60 && c[channel]/2 > max(c[(channel+1)%3], c[(channel+2)%3])
		}
	}
	var seen scene.Camera
	p.do(func(a *app) {
		a.overlay.showPanel = false
		a.session.FrameScene()
		a.session.Stage.Camera.Orbit(0.1, 0.1)
		seen, a.session.Sides.Active.Settings.Bounces = a.session.Stage.Camera.Camera, 3
	})
	p.until("red", shows(0))
	write("paint.png", green)
	p.until("green", shows(1))
	p.do(func(a *app) {
		if a.session.Stage.Camera.Camera != seen || a.session.Sides.Active.Settings.Bounces != 3 || !strings.Contains(latest(a), "was read again") {
			t.Errorf("another view, %d bounces, or %q", a.session.Sides.Active.Settings.Bounces, latest(a))
		}
	})

	state := func(a *app) scene.File { return a.session.Loader.Watcher.Files[1] }
	var shown *session.ShownScene
	p.do(func(a *app) { shown = a.session.Stage.Shown })
	for _, c := range []struct {
		name string
		do   func()
		size int64
	}{
		{"missing", func() { _ = os.Remove(filepath.Join(dir, "paint.png")) }, 0},
		{"half written", func() { write("paint.png", blue[:len(blue)/2]) }, int64(len(blue) / 2)},
	} {
		c.do()
		p.until(c.name, func(a *app) bool { return a.session.Loader.Loading == nil && state(a).State.Size == c.size })
		p.do(func(a *app) {
			if a.session.Stage.Shown != shown || !strings.Contains(told(a), "paint.png: missing or broken") {
				t.Errorf("%s: another picture, or %q", c.name, told(a))
			}
		})
	}
	write("paint.png", blue)
	p.until("blue", shows(2))

	p.do(func(a *app) { shown = a.session.Stage.Shown })
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "paint.png"), later, later); err != nil {
		t.Fatal(err)
	}
	p.until("the same again", func(a *app) bool { return a.session.Loader.Loading == nil && state(a).State.Modified.After(time.Now()) })
	p.do(func(a *app) {
		if a.session.Stage.Shown != shown {
			t.Error("what has not changed is shown anew")
		}
	})
	write("shape.bin", shape(2))
	p.until("another shape", func(a *app) bool {
		return a.session.Loader.Loading == nil && a.session.Stage.Shown.Scene.Vertices[1].Position[0] == 2
	})
}
