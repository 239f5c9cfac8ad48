package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// TestUndo: 500 random changes of settings, view and file, taken back one by one, lead to the bits of the start; done again, to those of
// the end. Changes on the way are seen at every step.
func TestUndo(t *testing.T) {
	s := opened(t, roomFile(t, "room.glb"), headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	before := seen(t, s, 2)
	random := rand.New(rand.NewPCG(1, 2))
	var properties []scene.Property
	all := s.Stage.Shown.Scene.Editable
	for _, object := range all.Objects() {
		properties = append(properties, all.Properties(object, nil)...)
	}
	var rows []settings.Setting
	for _, row := range s.Sides.Table {
		if row.Name != "floor" { // which prepares the scene again
			rows = append(rows, row)
		}
	}
	clock := time.Now()
	states := []*state{s.History.state()}
	for len(states) <= 500 {
		switch random.IntN(4) {
		case 0:
			Adjust(rows[random.IntN(len(rows))], &s.Sides.Active.Settings, 1+random.IntN(3), s.Stage.Camera.Unit)
		case 1:
			s.Stage.Camera.Orbit(random.Float64(), random.Float64()-0.5)
		case 2:
			s.Stage.Camera.Fly(random.Float32(), random.Float32(), random.Float32())
		default:
			p := properties[random.IntN(len(properties))]
			e := scene.Edit{Pointer: p.Pointer}
			for range p.Value {
				low, high := max(p.Least, -1), min(p.Most, 1.5)
				e.Value = append(e.Value, low+(high-low)*random.Float64())
			}
			if random.IntN(5) == 0 && len(s.Stage.Edits) > 0 {
				s.Stage.Revert(s.Stage.Edits[random.IntN(len(s.Stage.Edits))].Pointer)
			} else {
				s.Stage.Edit(e)
			}
		}
		if clock = clock.Add(time.Minute); states[len(states)-1].same(s.History.state()) {
			continue // as it was
		}
		s.History.look(clock, false)
		states = append(states, s.History.state())
	}
	settled(t, s)
	if len(s.Stage.Edits) < 50 || !s.Stage.shownEdits().Equal(s.Stage.Edits) {
		t.Errorf("%d edits, of which %d are seen", len(s.Stage.Edits), len(s.Stage.shownEdits()))
	}
	end := len(states) - 1
	for i := end - 1; i >= 0; i-- {
		if s.History.Undo(clock); !s.History.state().same(states[i]) {
			t.Fatalf("undone to change %d: %+v, want %+v", i, s.History.state(), states[i])
		}
	}
	if s.History.Undo(clock); !reflect.DeepEqual(s.History.state(), states[0]) || s.History.done != 0 {
		t.Errorf("there is more to undo than 500 changes")
	}
	settled(t, s)
	if !bytes.Equal(seen(t, s, 2), before) {
		t.Error("undone, the picture is another one")
	}
	for i := 1; i <= end; i++ {
		if s.History.Redo(clock); !s.History.state().same(states[i]) {
			t.Fatalf("done again up to change %d: %+v, want %+v", i, s.History.state(), states[i])
		}
	}
}

// TestUndoSteps: what one drag changes is one step, what is changed after an undo replaces what was undone, and the history has an end.
func TestUndoSteps(t *testing.T) {
	s := opened(t, "cornell", headless(48, 32), nil)
	h, set, clock := s.History, &s.Sides.Active.Settings, time.Now()
	change := func(after time.Duration, held bool, do func()) {
		clock = clock.Add(after)
		do()
		h.look(clock, held)
	}
	h.forget()
	change(0, false, func() {})
	eye := s.Stage.Camera.Camera.Eye
	for range 10 {
		change(time.Second, true, func() { set.Exposure += 0.1 })
	}
	change(time.Second, false, func() {})
	for range 10 {
		change(10*time.Millisecond, false, func() { s.Stage.Camera.Orbit(0.1, 0) })
	}
	change(time.Second, false, func() { s.Stage.Camera.Orbit(0.1, 0) })
	change(time.Second, true, func() { set.Exposure = 3 })
	change(time.Millisecond, false, func() { set.Bounces = 5 })
	if len(h.steps) != 5 {
		t.Fatalf("%d steps, want a slider, two turns, a slider and a key", len(h.steps))
	}
	for range 4 {
		h.Undo(clock)
	}
	if s.Stage.Camera.Camera.Eye != eye || set.Exposure == 0 || set.Bounces != 3 {
		t.Errorf("eye %v, want %v; exposure %v", s.Stage.Camera.Camera.Eye, eye, set.Exposure)
	}
	h.Undo(clock)
	h.Undo(clock)
	if said := fmt.Sprint(s.Messages); set.Exposure != 0 || !strings.Contains(said, "nothing to undo") {
		t.Errorf("exposure %v, it says %s", set.Exposure, said)
	}
	h.Redo(clock)
	speed := s.Stage.Camera.Speed * 2
	s.Stage.Camera.Speed = speed
	change(time.Second, false, func() { set.Bounces = 7 })
	if h.Redo(clock); len(h.steps) != 2 || set.Bounces != 7 || s.Stage.Camera.Speed != speed {
		t.Errorf("%d steps after a change, %d bounces", len(h.steps), set.Bounces)
	}
	for range longestHistory + 10 {
		change(time.Second, false, func() { set.Seed++ })
	}
	if len(h.steps) != longestHistory || h.done != longestHistory {
		t.Errorf("%d steps are kept", len(h.steps))
	}
}

// TestUndoLeavesOthersAlone: an undo of one setting leaves alone what else has changed without being a step, and what a failed reading
// has taken back by itself is not tried again and again.
func TestUndoLeavesOthersAlone(t *testing.T) {
	path := roomFile(t, "room.glb")
	s := opened(t, path, headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	h, clock := s.History, time.Now()
	look := func() { clock = clock.Add(time.Minute); h.look(clock, false) }
	s.OpenSplit()
	look()
	b := func() *settings.Settings { return &s.Sides.Sides[1].Settings }
	bounces := b().Bounces
	b().Bounces += 2
	look()
	s.Sides.CloseSplit()
	look()
	s.OpenSplit()
	b().Bounces, b().Seed = bounces+2, 77 // with the split, and no step
	look()
	if h.Undo(clock); b().Bounces != bounces || b().Seed != 77 {
		t.Errorf("%d bounces, want %d; seed %d, want 77", b().Bounces, bounces, b().Seed)
	}
	s.Sides.CloseSplit()
	look()

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.edit(t, "/materials/0/emissiveFactor=0,0,1")
	done := h.done
	h.look(time.Now(), false)
	h.last = time.Time{} // long ago
	until(t, s, "the failure", func() bool { return s.Loader.Loading == nil && len(s.Stage.Edits) == 0 })
	if h.done != done+1 {
		t.Errorf("%d steps more, want the edit alone", h.done-done)
	}
	s.Do(Undo{})
	for range 3 {
		s.Update(clock, 0.01)
		if len(s.Stage.Edits) > 0 || s.Loader.Loading != nil {
			t.Fatal("undo makes the edit that cannot be read")
		}
	}
	if h.done != done {
		t.Errorf("%d steps are left, want %d", h.done, done)
	}
}
