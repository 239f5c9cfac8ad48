package session

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// memory shows a side's image to nobody.
type memory struct{ pixels []byte }

func (m *memory) Resize(_ Attacher, width, height int) error {
	if len(m.pixels) != 4*width*height {
		m.pixels = make([]byte, 4*width*height)
	}
	return nil
}

func (m *memory) Fill(render func(view.Target) error) error {
	return render(view.Target{Pixels: m.pixels})
}

func (m *memory) Transfer() (way, why string) { return "kept", "" }

func (m *memory) Release() { m.pixels = nil }

// brightness is the mean of all components, 0…255.
func (m *memory) brightness() float64 {
	sum := 0
	for _, b := range m.pixels {
		sum += int(b)
	}
	return float64(sum) / float64(len(m.pixels))
}

// headless is a window that is not there.
func headless(width, height int) Window {
	size := func() (int, int) { return width, height }
	return Window{
		Size: size, Pixels: size, Free: func() Area { return Area{To: [2]float32{float32(width), float32(height)}} },
		Refresh: func() int { return schedule.UsualRefresh }, Waiting: func() bool { return false }, SetTitle: func(string) {},
		NewPicture: func() Picture { return &memory{} }, Wake: func() {},
	}
}

// until steps a session, frame by frame, until something holds.
func until(t *testing.T, s *Session, what string, holds func() bool) {
	t.Helper()
	last := time.Now()
	for end := last.Add(time.Minute); !holds(); {
		now := time.Now()
		if now.After(end) || s.Failure != nil {
			t.Fatalf("waited in vain for %s: %v", what, s.Failure)
		}
		s.Update(now, now.Sub(last).Seconds())
		if _, err := s.Render(UserState{}, now, now.Sub(last)); err != nil {
			t.Fatal(err)
		}
		s.Frames.Drawn(time.Since(now))
		last = now
	}
}

// TestHeadlessSession: a session loads and renders a scene, does what it is commanded and says what it shows, without any window.
func TestHeadlessSession(t *testing.T) {
	cornell, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Scene: cornell, Settings: settings.Defaults(), Tracer: tracer.Options{Backend: "cpu"}}, headless(64, 48), Remembered{}, time.Now())
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Shown > 2 })
	pixels := func() *memory { return s.Sides.Active.Picture.(*memory) }
	first, before := slices.Clone(pixels().pixels), pixels().brightness()
	if m := s.Model(false); m.Scene == nil || m.Scene.Name != cornell.Name || m.Compare != nil || before == 0 {
		t.Fatalf("shown is %+v, as bright as %v", m.Scene, before)
	}

	brighter := s.Sides.Active.Settings
	brighter.Exposure += 2
	s.Do(SetSettings{Settings: brighter})
	until(t, s, "a brighter picture", func() bool { return pixels().brightness() > before+10 })
	s.Editor.StepSetting("exposure", -8)
	until(t, s, "the old brightness", func() bool { return pixels().brightness() < before+5 })

	s.Do(SetFieldOfView{Degrees: 90})
	until(t, s, "another view", func() bool { return s.Sides.Active.View.Camera.VFov == 90 && !bytes.Equal(first, pixels().pixels) })

	s.Do(OpenSplit{})
	if s.Do(OpenSplit{}); len(s.Sides.Sides) != 2 {
		t.Fatalf("there are %d sides", len(s.Sides.Sides))
	}
	s.Do(SetShow{Show: OneSide})
	s.Do(ChooseSide{Side: 2}) // which there is not
	s.Do(ChooseSide{Side: 1})
	until(t, s, "samples of B", func() bool { return s.Sides.Active.Stats.Shown > 0 })
	if m := s.Model(false); m.Compare == nil || m.Compare.Active != 1 || m.Compare.Sides[0].Integrator == m.Compare.Sides[1].Integrator {
		t.Errorf("compared are %+v", m.Compare)
	}
	s.ToggleSplit()
	s.ToggleSplit()
	if s.Sides.Comparing() || s.Model(false).Compare != nil {
		t.Error("side B stays")
	}
}
