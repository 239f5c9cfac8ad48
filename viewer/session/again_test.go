package session

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/document"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// taking is a renderer that notes the light that it is given.
type taking struct {
	Renderer
	light   []float32
	samples int
}

func (t *taking) SetLight(values []float32, samples int) error {
	t.light, t.samples = slices.Clone(values), samples
	return t.Renderer.SetLight(values, samples)
}

// left is what a window leaves that has lost its GPU: the file, and what it showed.
type left struct {
	file    string
	said    document.Document
	light   []float32
	samples int
}

// leaving has a session lose its GPU, and leave what it shows of a scene's file after some changes.
func leaving(t *testing.T, path string) left {
	t.Helper()
	own := settings.Defaults()
	own.Integrator, own.Denoise, own.Bounces = "path", "off", 3
	var gpu *losing
	s := New(Options{Path: path, Settings: own, Leave: filepath.Join(t.TempDir(), "state", "go-on.exr"), Open: func(on tracer.Options, helpers []tracer.Options) (Renderer, error) {
		if gpu != nil && on.Backend != device.KindCPU {
			return nil, errors.New("this process has no GPU any more")
		}
		first := gpu == nil
		r, err := OpenTracer(tracer.Options{Backend: device.KindCPU}, helpers)
		if gpu = (&losing{Renderer: r}); first {
			return gpu, err
		}
		return r, err
	}}, headless(48, 32), Remembered{}, time.Now())
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, s, "the scene", func() bool { return s.Stage.Shown != nil })
	s.Loader.OpenEnvironment("0.2,0.3,0.4")
	s.Stage.Camera.Orbit(0.3, 0.1)
	s.Sides.Active.Settings.Exposure = 1. / 3
	s.Do(EditScene{Edit: scene.Edit{Pointer: "/materials/0/pbrMetallicRoughness/roughnessFactor", Value: []float64{0.3}}})
	until(t, s, "samples that are kept", func() bool { return s.Loader.Loading == nil && s.Stage.Light.Spec != "" && s.Keeper.kept != nil })
	if s.Model(false).Findings != nil {
		t.Error("it offers to start again with the GPU at work")
	}
	kept := s.Keeper.kept.samples
	first := s.Sides.Active.Device.(*losing)
	first.lost = true
	until(t, s, "the processor", func() bool { return first.closed })
	offer := s.Model(false).Findings
	if offer == nil || offer.Lines[0].Do != any(StartAgain{}) {
		t.Fatalf("it offers %+v", offer)
	}
	s.Do(StayOnProcessor{})
	s.Do(StartAgain{})
	if s.Model(false).Findings != nil || s.Again.asked {
		t.Error("the offer stays")
	}
	s.Keeper.fellBack = true
	s.Do(offer.Lines[0].Do)
	until(t, s, "the file", func() bool { return s.Again.Left != "" })
	side := s.Sides.Active
	light, err := side.Device.Light(nil)
	if err != nil || side.Stats.Samples < kept {
		t.Fatalf("%d samples, of which %d were kept: %v", side.Stats.Samples, kept, err)
	}
	return left{s.Again.Left, s.Documents.whole(), light, side.Stats.Samples}
}

// goingOn is a session that goes on with a file; its flags are of another scene.
func goingOn(t *testing.T, file string, window Window, open func(on tracer.Options, helpers []tracer.Options) (Renderer, error)) *Session {
	t.Helper()
	s := New(Options{Path: "no such scene", GoOn: file, Split: true, Tour: true, Settings: settings.Defaults(), Open: open}, window, Remembered{}, time.Now())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAnotherProcessGoesOn: a window whose GPU was lost leaves view, settings, edits and light to another one, to the bit, which may have
// the same size a little later, or no GPU either.
func TestAnotherProcessGoesOn(t *testing.T) {
	was := leaving(t, roomFile(t, "room.glb"))
	width := 64
	window := headless(48, 32)
	window.Pixels = func() (int, int) { return width, 32 }
	var to *taking
	s := goingOn(t, was.file, window, func(on tracer.Options, helpers []tracer.Options) (Renderer, error) {
		if on.Backend != device.KindCPU {
			return nil, errors.New("there is no GPU")
		}
		r, err := OpenTracer(on, helpers)
		to = &taking{Renderer: r}
		return to, err
	})
	until(t, s, "samples at the wrong size", func() bool { return s.Sides.Active.Stats.Samples > 0 })
	if to.light != nil {
		t.Error("they take the samples of another size")
	}
	width = 48
	until(t, s, "the samples", func() bool { return to.light != nil && s.Sides.Active.Stats.Samples > was.samples })
	if !slices.Equal(to.light, was.light) || to.samples != was.samples {
		t.Errorf("it goes on with other light, or with %d samples in place of %d", to.samples, was.samples)
	}
	if now := s.Documents.whole(); !reflect.DeepEqual(now, was.said) {
		t.Errorf("it shows\n%+v, want\n%+v", now, was.said)
	}
	if _, err := os.Stat(was.file); !os.IsNotExist(err) {
		t.Errorf("the file stays: %v", err)
	}
}

// TestOnlyWhatWasLeft: samples of a scene that has changed are given up, and other files are refused.
func TestOnlyWhatWasLeft(t *testing.T) {
	room := roomFile(t, "room.glb")
	was := leaving(t, room)
	data, err := os.ReadFile(room)
	if err == nil {
		err = os.WriteFile(room, append(data, 0), 0o644) // bytes after the end do no harm
	}
	if err != nil {
		t.Fatal(err)
	}
	var to *taking
	s := goingOn(t, was.file, headless(48, 32), func(_ tracer.Options, helpers []tracer.Options) (Renderer, error) {
		r, err := OpenTracer(tracer.Options{Backend: device.KindCPU}, helpers)
		to = &taking{Renderer: r}
		return to, err
	})
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples > 1 })
	if to.light != nil || s.Keeper.due || s.Stage.Camera.Camera != s.Stage.Shown.Scene.CameraFromFile(was.said.Camera) {
		t.Error("samples of another scene are taken, or it is seen from elsewhere")
	}
	picture := filepath.Join(t.TempDir(), "picture.exr")
	if err := imageio.WriteLayers(picture, &imageio.Image{Width: 1, Height: 1, Pix: make([]float32, 3)}, nil, nil); err != nil {
		t.Fatal(err)
	}
	shot := filepath.Join(t.TempDir(), "shot.png")
	if err := imageio.WritePNG(shot, image.NewNRGBA(image.Rect(0, 0, 1, 1)), nil); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{picture, shot, "nowhere"} {
		s := New(Options{GoOn: wrong}, headless(4, 4), Remembered{}, time.Now())
		if err := s.Start(); err == nil || !strings.Contains(err.Error(), "go on") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
