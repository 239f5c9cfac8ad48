package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// counted is a renderer on an engine of its own, which may say that it is a GPU: then it renders whole samples.
type counted struct {
	Renderer
	gpu, lost, closed bool
	brighter          bool // a pixel is
	refuses           bool // scenes
	renders           int
}

func (c *counted) Backend() device.Info {
	info := c.Renderer.Backend()
	if c.gpu {
		info.Kind, info.Device = device.KindCUDA, "a GPU"
	}
	return info
}

func (c *counted) Use(p *gpuscene.Prepared) error {
	if c.refuses {
		return device.ErrOutOfMemory
	}
	return c.Renderer.Use(p)
}

func (c *counted) Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error) {
	if c.lost {
		return view.Stats{}, fmt.Errorf("render: %w", device.ErrLost)
	}
	if c.gpu {
		v.Budget = 0
	}
	c.renders++
	return c.Renderer.Render(v, s, t)
}

func (c *counted) Statistics() (profile.Statistics, error) {
	if c.lost {
		return profile.Statistics{}, device.ErrLost
	}
	return c.Renderer.Statistics()
}

func (c *counted) Radiance() (*imageio.Image, error) {
	img, err := c.Renderer.Radiance()
	if err == nil && c.brighter {
		img.Pix[3*(7*img.Width+9)] *= 1.5
	}
	return img, err
}

func (c *counted) Close() error {
	c.closed = true
	return c.Renderer.Close()
}

// twoDevices is a session on a device that may be a GPU, and where others are opened: those that it has opened.
func twoDevices(t *testing.T, window Window, path string, gpu bool, change func(*Options)) (*Session, *[]*counted) {
	t.Helper()
	o := Options{Path: path, Settings: settings.Defaults(), Tracer: tracer.Options{Backend: "cpu"}, Out: new(bytes.Buffer), SplitBackend: "cpu"}
	if gpu {
		o.Tracer.Backend = "cuda"
	}
	o.Settings.Bounces = 3
	if change != nil {
		change(&o)
	}
	opened := &[]*counted{}
	o.Open = func(on tracer.Options, helpers []tracer.Options) (Renderer, error) {
		gpu := on.Backend == device.KindCUDA
		on.Backend = "cpu"
		r, err := OpenTracer(on, helpers)
		*opened = append(*opened, &counted{Renderer: r, gpu: gpu})
		return (*opened)[len(*opened)-1], err
	}
	o.Load = func(ctx context.Context, path string, o scene.Options) (*scene.Scene, error) {
		if filepath.Ext(path) == "" {
			return builtin.Make(path, builtin.Options{})
		}
		o.Scene = -1
		return scene.Load(ctx, path, o)
	}
	s := New(o, window, Remembered{}, time.Now())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for i, r := range *opened {
			if !r.closed {
				t.Errorf("device %d of %d is still open", i, len(*opened))
			}
		}
	})
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, s, "two sides", func() bool { return s.Sides.elsewhere() })
	return s, opened
}

// agreed waits until two devices have been compared since something changed, and gives what is said.
func agreed(t *testing.T, s *Session, after string) string {
	t.Helper()
	frames := 0
	until(t, s, "a comparison of the devices after "+after, func() bool {
		frames++
		return frames > 3 && !s.Frames.Rendered.View.Moving && s.Loader.Loading == nil && s.Sides.Cross.samples > 1 && s.Model(false).Compare.Cross != ""
	})
	return s.Model(false).Compare.Cross
}

const equalBits = "A and B are equal bit for bit."

// TestTwoDevices: side B renders on an engine of its own what side A shows, sample for sample, whichever of them renders in slices of time. What
// differs is told, and closing gives all back.
func TestTwoDevices(t *testing.T) {
	for _, c := range []struct {
		name    string
		gpu     bool
		backend string
	}{{"two processors", false, "cpu"}, {"a GPU and the processor", true, "cpu"}, {"the processor and a GPU", false, "cuda"}} {
		t.Run(c.name, func(t *testing.T) {
			s, opened := twoDevices(t, headless(48, 32), "cornell", c.gpu, func(o *Options) { o.SplitBackend = c.backend })
			before := settings.Defaults()
			a, b := s.Sides.Sides[0], s.Sides.Sides[1]
			if a.Settings != b.Settings || a.Settings.Denoise != "off" || a.Settings.Integrator != "path" || s.Sides.Compare.Pacing != schedule.EqualSamples {
				t.Errorf("A begins with %+v, B with %+v", a.Settings, b.Settings)
			}
			for range 2 {
				if said := agreed(t, s, "opening"); !strings.HasPrefix(said, "At ") || !strings.HasSuffix(said, " samples: "+equalBits) {
					t.Errorf("of equal sides it is said: %s", said)
				}
				s.Do(ChooseSide{Side: 1})
				s.Sides.RestartSides()
			}
			for _, side := range s.Model(false).Compare.Sides {
				if want := map[bool]string{true: "a GPU", false: "CPU"}[!s.Sides.Sides[int(side.Name[0]-'A')].Sliced()]; side.Device != want {
					t.Errorf("%s is said to be on %q, want %q", side.Name, side.Device, want)
				}
			}
			(*opened)[1].brighter = true
			s.Sides.RestartSides()
			if said := agreed(t, s, "a brighter pixel"); !strings.HasSuffix(said, "in 99.93 % of the pixels. One pixel differs by more: by 33 %, at 9, 7.") {
				t.Errorf("of a pixel that is brighter it is said: %s", said)
			}
			(*opened)[1].brighter = false
			b.Settings.Seed++
			if said := agreed(t, s, "another seed"); strings.Contains(said, equalBits) || !strings.HasSuffix(said, " Their settings differ.") {
				t.Errorf("of another seed it is said: %s", said)
			}
			s.Elsewhere.Toggle()
			if s.Sides.Comparing() || !(*opened)[1].closed || (*opened)[0].closed {
				t.Errorf("comparing %v, closed A %v, B %v", s.Sides.Comparing(), (*opened)[0].closed, (*opened)[1].closed)
			}
			if r := (*opened)[1].Renderer.(realRenderer); r.Scene() != nil {
				t.Error("B's engine keeps the scene")
			}
			if got := s.Sides.Active.Settings; got.Integrator != before.Integrator || got.Denoise != before.Denoise {
				t.Errorf("A is left with integrator %s, denoiser %s", got.Integrator, got.Denoise)
			}
			if s.Sides.Cross.found != nil {
				t.Error("what was found stays")
			}
		})
	}
}

// TestDevicesAreComparedAtWholeSamples: while a sample takes several frames, what there is of it does not count.
func TestDevicesAreComparedAtWholeSamples(t *testing.T) {
	for _, gpu := range []bool{false, true} {
		s, _ := twoDevices(t, headless(320, 240), "cornell", gpu, nil)
		last, seen, partly := 0, 0, 0
		until(t, s, "comparisons", func() bool {
			if x := &s.Sides.Cross; x.found != nil && x.samples != last {
				last, seen = x.samples, seen+1
				if x.found.Same < x.found.Pixels {
					t.Errorf("after %d samples: %s", x.samples, x.found)
				}
			}
			if !s.Sides.Sides[1].Device.TakesSamples() {
				partly++
			}
			return seen == 3
		})
		if partly < 3 {
			t.Errorf("a sample was under way in %d frames only", partly)
		}
	}
}

// TestHelpersLeaveTwoDevicesAlone: devices that help with a view that rests add nothing to a side that another device is compared with.
func TestHelpersLeaveTwoDevicesAlone(t *testing.T) {
	s, _ := twoDevices(t, headless(48, 32), "cornell", false, func(o *Options) { o.Helpers = []tracer.Options{{Backend: "cpu"}} })
	begun := time.Now()
	until(t, s, "samples", func() bool { return s.Sides.Cross.samples > 40 && time.Since(begun) > 3*time.Second })
	if said := s.Model(false).Compare.Cross; !strings.HasSuffix(said, equalBits) {
		t.Errorf("with a helper: %s", said)
	}
}

// TestUndoAfterTwoDevices: what two devices have changed of side A does not come back with what the user takes back later.
func TestUndoAfterTwoDevices(t *testing.T) {
	s, _ := twoDevices(t, headless(48, 32), "cornell", false, nil)
	agreed(t, s, "opening")
	before := s.Sides.Active.Settings.Exposure
	s.Editor.StepSetting("exposure", 4)
	agreed(t, s, "another exposure")
	s.Elsewhere.Toggle()
	s.Do(Undo{})
	if got := s.Sides.Active.Settings; got.Exposure != before || got.Denoise != "auto" {
		t.Errorf("exposure %v, want %v; denoiser %s", got.Exposure, before, got.Denoise)
	}
}

// TestScenesReachBothDevices: whatever becomes of the scene, both devices show it.
func TestScenesReachBothDevices(t *testing.T) {
	s, opened := twoDevices(t, headless(48, 32), roomFile(t, "room.glb"), true, nil)
	same := func(after string) {
		t.Helper()
		if said := agreed(t, s, after); !strings.HasSuffix(said, equalBits) {
			t.Errorf("after %s: %s", after, said)
		}
	}
	radiance := func() *imageio.Image {
		img, err := s.Sides.Sides[1].Device.Radiance()
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	last := radiance()
	changed := func(after string) {
		t.Helper()
		same(after)
		now := radiance()
		if len(now.Pix) == len(last.Pix) && fmt.Sprint(now.Pix) == fmt.Sprint(last.Pix) {
			t.Errorf("B does not show %s", after)
		}
		last = now
	}
	changed("opening")
	s.edit(t, "/materials/0/pbrMetallicRoughness/baseColorFactor=1,0,0,1")
	settled(t, s)
	changed("an edit, for which the file is read again")
	s.edit(t, "/materials/0/pbrMetallicRoughness/baseColorFactor=0,1,0,1")
	changed("an edit of the same kind")
	s.Elsewhere.Toggle()
	s.Elsewhere.Toggle()
	same("opening it with an edit")
	s.Do(Undo{})
	settled(t, s)
	changed("an undone edit")
	s.Do(ChooseSide{Side: 1})
	s.Do(OpenEnvironment{Spec: "sky"})
	changed("another light")
	s.Do(OpenScene{Path: "box-open"})
	until(t, s, "another scene", func() bool { return s.Loader.Loading == nil && s.Stage.Shown.Path == "box-open" })
	changed("another scene")
	(*opened)[2].refuses = true
	s.Do(OpenScene{Path: "cornell"})
	until(t, s, "a scene that B has no room for", func() bool { return s.Stage.Shown.Path == "cornell" })
	if s.Sides.Comparing() || !(*opened)[2].closed || s.Sides.Active.Name != "A" {
		t.Errorf("where B has no room the comparison stays: %v", s.Sides.Comparing())
	}
}

// TestPosesReachBothDevices: an animation is at the same moment on both, also on a device that is opened later.
func TestPosesReachBothDevices(t *testing.T) {
	s, opened := twoDevices(t, headless(48, 32), tracertest.MovingFile(t), false, nil)
	s.Do(Scrub{Seconds: 0.5})
	if said := agreed(t, s, "another moment"); !strings.HasSuffix(said, equalBits) {
		t.Errorf("at another moment: %s", said)
	}
	at := s.Stage.Player.Posed
	s.Elsewhere.Toggle()
	s.Elsewhere.Toggle()
	if said := agreed(t, s, "opening"); !strings.HasSuffix(said, equalBits) || s.Stage.Player.Posed != at || len(*opened) != 3 {
		t.Errorf("opened at that moment: %s", said)
	}
	s.Do(TogglePlaying{})
	until(t, s, "the animation", func() bool { return s.Stage.Player.Seconds > 0.7 })
	s.Do(TogglePlaying{})
	if said := agreed(t, s, "playing"); !strings.HasSuffix(said, equalBits) {
		t.Errorf("after playing: %s", said)
	}
}

// TestLostDevices: a GPU that stops working closes the comparison, and the window goes on, whichever side it was.
func TestLostDevices(t *testing.T) {
	for _, ofB := range []bool{false, true} {
		for _, active := range []int{0, 1} {
			s, opened := twoDevices(t, headless(48, 32), "cornell", !ofB, func(o *Options) {
				if ofB {
					o.SplitBackend = "cuda"
				}
			})
			agreed(t, s, "opening")
			s.Do(ChooseSide{Side: active})
			lost := 0
			if ofB {
				lost = 1
			}
			(*opened)[lost].lost = true
			if active == 1 && ofB { // the panel is the first to notice
				if err := s.Frames.updateStatistics(true, time.Now().Add(StatsEvery)); err != nil || s.Sides.Comparing() {
					t.Errorf("B's statistics: %v", err)
				}
			}
			s.Sides.RestartSides()
			until(t, s, "the end of the comparison", func() bool { return !s.Sides.Comparing() })
			until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples > 2 })
			if !(*opened)[lost].closed || ofB == (*opened)[0].closed {
				t.Errorf("lost is device %d: closed A %v, B %v", lost, (*opened)[0].closed, (*opened)[1].closed)
			}
		}
	}
}

// TestNoOtherDevice: where there is only a processor, a sentence says so.
func TestNoOtherDevice(t *testing.T) {
	s := opened(t, "cornell", headless(48, 32), nil)
	open := s.Keeper.open
	s.Keeper.open = func(on tracer.Options) (Renderer, error) {
		if on.Backend == device.KindCUDA {
			return nil, fmt.Errorf("open the CUDA backend: %w", errors.New("no CUDA driver library (libcuda.so.1: no such file): install the NVIDIA driver"))
		}
		return open(on)
	}
	s.Elsewhere.Toggle()
	if last := s.Messages[len(s.Messages)-1].Text; s.Sides.Comparing() || last != "glint sees no GPU here: no CUDA driver library" {
		t.Errorf("comparing %v, and it says %q", s.Sides.Comparing(), last)
	}
	s.OpenSplit()
	s.Elsewhere.Toggle()
	if s.Sides.Comparing() && s.Sides.elsewhere() {
		t.Error("there is a GPU")
	}
}

// TestToolsOfEitherDevice: inspector, noise, tuner, bias map and reference ask the device of the active side, and closing ends what they hold of it.
func TestToolsOfEitherDevice(t *testing.T) {
	for active := range 2 {
		s, _ := twoDevices(t, headless(48, 32), "cornell", active == 0, nil)
		agreed(t, s, "opening")
		s.Do(ChooseSide{Side: active})
		s.Inspector.Pin(30, 20)
		if m := pointAt(t, s, 30, 20); len(m.Steps) == 0 || fact(m, "light") == "" || fact(m, "A − B") == "" {
			t.Errorf("side %d: the inspector says %v", active, m.Facts)
		}
		s.Do(LookForNoise{})
		if s.Questions.Noise.findings() == nil {
			t.Errorf("side %d: nothing is said of noise", active)
		}
		s.Do(CloseFindings{})
		s.Do(ToggleReference{})
		s.Do(SetShow{BiasMap})
		until(t, s, "the map and the reference", func() bool {
			return s.Sides.Bias.found != nil && s.Sides.Compare.Reference.Stats.Samples > 8 && s.Sides.Sides[1].RefError.Samples > 0
		})
		s.Do(Tune{})
		until(t, s, "a turn", func() bool { return s.Questions.Tuner.run.turn > 2 })
		s.Elsewhere.Toggle() // which shows both sides
		s.Elsewhere.Toggle()
		if s.Sides.Comparing() || s.Sides.Compare.Reference != nil || s.Sides.Bias.of != nil {
			t.Errorf("side %d: what only a comparison needs stays", active)
		}
	}
}
