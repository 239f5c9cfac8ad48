package session

import (
	"slices"
	"strings"
	"time"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// History is what the user has changed of settings, of the view and of the file, to be undone and done again. It finds out by looking at
// them once a frame, so that nobody who changes something needs to know of it.
type History struct {
	*Comparison
	stage *Stage
	seen  *state // as it was at the last look; nil before the first
	steps []step
	done  int       // of the steps: those from there on have been undone
	last  time.Time // when the last step went on
	grip  bool      // it was made while the user holds what they are still holding
}

const (
	longestHistory = 1000 // steps
	mergedWithin   = 700 * time.Millisecond
)

// step is one change, or what a drag or a held key has made of it.
type step struct{ before, after *state }

// state is all that can be undone. It is never written once it has been seen.
type state struct {
	settings [2]settings.Settings // of the sides
	sides    int
	camera   Camera // without its speed
	through  int    // ShownScene.Camera
	edits    scene.Edits
}

func (h *History) state() *state {
	now := &state{sides: len(h.Sides), camera: h.stage.Camera, through: h.stage.Shown.Camera, edits: h.stage.Edits}
	for i, side := range h.Sides {
		now.settings[i] = side.Settings
	}
	now.camera.Speed = 0
	return now
}

func (s *state) same(other *state) bool {
	return s.settings == other.settings && s.camera == other.camera && s.edits.Equal(other.edits)
}

// what names what differs, in words.
func (h *History) what(a, b *state) (names []string) {
	for _, row := range h.Table {
		if !row.Same(&a.settings[0], &b.settings[0]) || !row.Same(&a.settings[1], &b.settings[1]) {
			names = append(names, row.Label)
		}
	}
	if a.camera != b.camera {
		names = append(names, "view")
	}
	for _, edit := range slices.Concat(a.edits, b.edits) {
		if only := (scene.Edits{edit}); only.Equal(a.edits.Of(edit.Pointer)) && only.Equal(b.edits.Of(edit.Pointer)) {
			continue
		}
		if name := edit.Pointer[strings.LastIndexByte(edit.Pointer, '/')+1:] + " of " + h.stage.label(edit.Pointer); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// look notes what has changed since the last look. It goes on with the last step where the same has changed just before, or while the
// user still holds what changes it. What plays moves the view by itself.
func (h *History) look(now time.Time, held bool) {
	if h.stage.Shown == nil {
		return
	}
	before, after := h.seen, h.state()
	h.seen, h.grip = after, h.grip && held
	if before == nil || before.sides != after.sides || before.same(after) {
		return
	}
	if h.stage.follows() {
		moved := *before
		moved.camera, moved.through = after.camera, after.through
		before = &moved
	}
	what := h.what(before, after)
	if len(what) == 0 {
		return
	}
	goesOn := h.done > 0 && h.done == len(h.steps) && (h.grip || now.Sub(h.last) < mergedWithin)
	if h.last = now; goesOn {
		if top := &h.steps[h.done-1]; slices.Equal(h.what(top.before, top.after), what) {
			top.after = after
			return
		}
	}
	h.grip = held
	h.steps = append(h.steps[:h.done], step{before, after})
	if len(h.steps) > longestHistory {
		h.steps = slices.Delete(h.steps, 0, 1)
	}
	h.done = len(h.steps)
}

// aside makes a change that is not the user's: there is nothing of it to undo.
func (h *History) aside(change func()) {
	h.look(time.Now(), false)
	change()
	if h.stage.Shown != nil {
		h.seen = h.state()
	}
}

// take brings what differs between two states to the second.
func (h *History) take(from, to *state) {
	for i, side := range h.Sides {
		for _, row := range h.Table { // what else has changed stays: two devices begin and end without a step
			if !row.Same(&from.settings[i], &to.settings[i]) {
				row.Copy(&side.Settings, &to.settings[i])
			}
		}
	}
	if from.camera != to.camera {
		speed := h.stage.Camera.Speed
		h.stage.Camera, h.stage.Shown.Camera = to.camera, min(to.through, len(h.stage.Shown.Scene.Cameras)-1)
		h.stage.Camera.Speed = speed
	}
	if !from.edits.Equal(to.edits) {
		h.stage.Edits = to.edits
	}
	h.seen = h.state()
	h.last, h.grip = time.Time{}, false
}

// Undo takes the last change back.
func (h *History) Undo(now time.Time) {
	if h.look(now, false); h.done == 0 {
		h.Messages.Say("nothing to undo")
		return
	}
	h.done--
	s := h.steps[h.done]
	h.take(s.after, s.before)
	h.Messages.Say("undone: " + strings.Join(h.what(s.before, s.after), ", "))
}

// Redo makes a change again that was taken back.
func (h *History) Redo(now time.Time) {
	if h.look(now, false); h.done == len(h.steps) {
		h.Messages.Say("nothing to do again")
		return
	}
	s := h.steps[h.done]
	h.done++
	h.take(s.before, s.after)
	h.Messages.Say("done again: " + strings.Join(h.what(s.before, s.after), ", "))
}

// forget begins with another scene.
func (h *History) forget() { h.seen, h.steps, h.done = nil, nil, 0 }
