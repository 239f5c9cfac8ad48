package session

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// roomFile is cornell in a .glb file of its own.
func roomFile(t *testing.T, name string) string {
	t.Helper()
	room, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := builtin.WriteGLB(path, room); err != nil {
		t.Fatal(err)
	}
	return path
}

// opened is a session that shows a scene.
func opened(t *testing.T, path string, window Window, change func(*settings.Settings)) *Session {
	t.Helper()
	return openedOn(t, "cpu", path, window, change)
}

// openedOn opens it on a backend.
func openedOn(t *testing.T, backend, path string, window Window, change func(*settings.Settings)) *Session {
	t.Helper()
	set := settings.Defaults()
	set.Denoise, set.Bounces = "off", 3
	if change != nil {
		change(&set)
	}
	s := New(Options{Path: path, Settings: set, Tracer: tracer.Options{Backend: backend}, Out: new(bytes.Buffer),
		Load: func(ctx context.Context, path string, o scene.Options) (*scene.Scene, error) {
			if filepath.Ext(path) == "" { // a built-in scene
				return builtin.Make(path, builtin.Options{})
			}
			o.Scene = -1
			return scene.Load(ctx, path, o)
		}}, window, Remembered{}, time.Now())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, s, "the scene", func() bool { return s.Stage.Shown != nil && s.Sides.Active.Stats.Samples > 0 })
	return s
}

// shot saves the picture of a session, as it is after so many samples.
func shot(t *testing.T, s *Session, samples int) string {
	t.Helper()
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples >= samples })
	before := len(s.Shots.taken)
	s.Screenshot()
	s.Shots.Writes.Wait()
	if len(s.Shots.taken) != before+1 {
		t.Fatalf("no picture was written: %v", s.Messages)
	}
	for path := range s.Shots.taken {
		if _, err := os.Stat(path); err == nil && !strings.HasSuffix(path, ".read") {
			if err := os.Rename(path, path+".png"); err != nil {
				t.Fatal(err)
			}
			return path + ".png"
		}
	}
	t.Fatal("no picture is there")
	return ""
}

func pixels(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.RGBA).Pix
}

// TestRestoredPictures: a picture dropped on another window gives the same pixels again.
func TestRestoredPictures(t *testing.T) {
	t.Chdir(t.TempDir())
	path := roomFile(t, "room.glb")
	for i, change := range []func(s *Session){
		func(*Session) {},
		func(s *Session) { s.Stage.Camera.Orbit(0.7, 0.2) },
		func(s *Session) { s.Stage.Camera.Fly(0.1, 0.05, 0); s.Sides.Active.Settings.Exposure = 1. / 3 },
		func(s *Session) { s.Sides.Active.Settings.Integrator, s.Sides.Active.Settings.Seed = "naive", 9 },
		func(s *Session) { s.Sides.Active.Settings.Aperture, s.Sides.Active.Settings.Focus = 0.02, 1.1 },
		func(s *Session) { s.Sides.Active.Settings.Floor, s.Sides.Active.Settings.ToneMap = true, "aces" },
		func(s *Session) { s.Sides.Active.Settings.Denoise = "atrous"; s.Sides.RestartSides() },  // guides from the first sample on
		func(s *Session) { s.Sides.Active.Settings.Denoise = "learned"; s.Sides.RestartSides() }, // guides from the first sample on
		func(s *Session) { s.Sides.Active.Settings.Integrator = "restir" },
		func(s *Session) { s.Sides.Active.Settings.Integrator = "auto" },
		func(s *Session) {
			s.Sides.Active.Settings.Fresnel, s.Sides.Active.Settings.EnergyCompensation = "schlick", false
		},
		func(s *Session) { s.Sides.Active.Settings.WhiteBalance, s.Sides.Active.Settings.Bloom = 4000, 0.1 },
		func(s *Session) { s.Sides.Active.Settings.LightScale, s.Sides.Active.Settings.Sampling = 0.25, "bsdf" },
		func(s *Session) { s.Sides.Active.Settings.Exec, s.Sides.Active.Settings.Roulette = "wavefront", false },
		func(s *Session) { s.Stage.Camera.Zoom(0.5) },
		func(s *Session) { c := s.Stage.Camera.Camera; c.VFov, c.Orthographic = 0, 1.2; s.Stage.Camera.Look(c) },
		func(s *Session) { s.Loader.OpenEnvironment("sky:20") },
		func(s *Session) { s.Loader.OpenEnvironment("0.2,0.3,0.4"); s.Sides.Active.Settings.EnvRotation = 30 },
		func(s *Session) { s.Sides.Active.Settings.Antialias, s.Sides.Active.Settings.Dither = false, false },
		func(s *Session) { s.Loader.Open("cornell") },
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := opened(t, path, headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
			change(s)
			until(t, s, "a frame", func() bool {
				return s.Loader.Loading == nil && len(s.Loader.Pending) == 0 && s.Stage.Shown.Choices == choicesOf(&s.Sides.Active.Settings)
			})
			picture := shot(t, s, 4)
			want := pixels(t, picture)
			samples := s.Sides.Active.Stats.Samples

			again := opened(t, "cornell", headless(48, 32), func(s *settings.Settings) { s.Bounces = 1 })
			again.Documents.Drop([]string{picture}, false)
			until(t, again, "the picture", func() bool {
				if again.Loader.Loading != nil || len(again.Loader.Pending) > 0 {
					return false
				}
				if again.Sides.Active.Stats.Samples > samples { // a frame may have made several
					again.Sides.RestartSides()
				}
				return again.Sides.Active.Stats.Samples == samples
			})
			if got := pixels(t, shot(t, again, samples)); !bytes.Equal(got, want) {
				t.Errorf("the picture of %d samples is another one", samples)
			}
		})
	}
}

// TestRestoringAsksAndWarns: for a scene that is gone the window asks; of one that has changed it says so.
func TestRestoringAsksAndWarns(t *testing.T) {
	t.Chdir(t.TempDir())
	path := roomFile(t, "room.glb")
	picture := shot(t, opened(t, path, headless(48, 32), nil), 1)

	moved := filepath.Join(t.TempDir(), "other.glb")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(moved, append(data, 0), 0o644); err != nil { // bytes after the end do no harm
		t.Fatal(err)
	}
	window, asked := headless(48, 32), ""
	window.AskForFile = func(title, _ string, found func(string)) {
		asked = title
		found(moved)
	}
	s := opened(t, "cornell", window, nil)
	s.Documents.Drop([]string{picture}, false)
	until(t, s, "the scene", func() bool { return s.Stage.Shown.Path == moved })
	if !strings.Contains(asked, "room.glb") {
		t.Errorf("asked %q", asked)
	}
	if said := fmt.Sprint(s.Messages); !strings.Contains(said, "has changed since the picture was made") {
		t.Errorf("it says %s", said)
	}

	none := filepath.Join(t.TempDir(), "none.png")
	if err := imageio.WritePNG(none, image.NewNRGBA(image.Rect(0, 0, 1, 1)), nil); err != nil {
		t.Fatal(err)
	}
	s.Documents.Drop([]string{none}, false)
	if said := fmt.Sprint(s.Messages); !strings.Contains(said, "does not say how it was made") {
		t.Errorf("it says %s", said)
	}
}

// TestPaste: what was copied is shown again, and text that is no view is refused.
func TestPaste(t *testing.T) {
	s := opened(t, "cornell", headless(48, 32), nil)
	s.Stage.Camera.Orbit(0.3, 0.1)
	s.Sides.Active.Settings.Exposure = 0.5
	text, seen := s.Documents.Text(), s.Stage.Camera.Camera.Eye
	s.Stage.Camera.Orbit(1, 0)
	s.Sides.Active.Settings = settings.Defaults()
	s.Documents.Paste("glint render " + text)
	if s.Stage.Camera.Camera.Eye != seen || s.Sides.Active.Settings.Exposure != 0.5 || s.Loader.Loading != nil {
		t.Errorf("pasted %s: camera %+v, want %+v", text, s.Stage.Camera.Camera.Eye, seen)
	}
	s.Documents.Paste("this is no view")
	if said := fmt.Sprint(s.Messages); s.Stage.Camera.Camera.Eye != seen || !strings.Contains(said, "Paste") {
		t.Errorf("it says %s", said)
	}
}

// TestSavedViews: each number has a view of its own, of this scene, which the next window knows.
func TestSavedViews(t *testing.T) {
	remembered := 0
	window := headless(48, 32)
	window.Remember = func() { remembered++ }
	s := opened(t, "cornell", window, nil)
	var seen [2]mgl64.Vec3
	for i := range seen {
		s.Stage.Camera.Orbit(0.3, 0.1)
		seen[i] = s.Stage.Camera.Camera.Eye
		s.Documents.SaveView(4 + i)
	}
	s.Sides.Active.Settings.Bounces = 2
	s.Documents.ShowView(4)
	if s.Stage.Camera.Camera.Eye != seen[0] || s.Sides.Active.Settings.Bounces != 2 || remembered != 2 {
		t.Errorf("eye %v, want %v; %d bounces; remembered %d times", s.Stage.Camera.Camera.Eye, seen[0], s.Sides.Active.Settings.Bounces, remembered)
	}
	s.Documents.ShowView(9)
	if said := fmt.Sprint(s.Messages); !strings.Contains(said, "there is no view 9") || s.Stage.Camera.Camera.Eye != seen[0] {
		t.Errorf("it says %s", said)
	}
	next := New(Options{}, headless(4, 4), s.Remembered(), time.Now())
	if got := next.Remembered(); len(got.Views["cornell"]) != SavedViews {
		t.Errorf("the next window knows %v", got)
	}
}
