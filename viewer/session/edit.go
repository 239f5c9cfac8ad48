package session

import (
	"errors"

	"glint/tracer/scene"
)

// editable is what can be edited of the scene on the screen.
func (s *Stage) editable() (*scene.Editable, error) {
	switch {
	case s.Shown == nil:
		return nil, errors.New("there is no scene yet")
	case s.Shown.Scene.Editable == nil:
		return nil, errors.New("only scenes of files can be edited: glint scene NAME -o FILE.glb writes a built-in one to a file, and so does the page Scene")
	}
	return s.Shown.Scene.Editable, nil
}

// Edit gives a property of the file another value. What the scene was not read for is seen once it has been read again, in the background.
func (s *Stage) Edit(edit scene.Edit) {
	all, err := s.editable()
	if err == nil {
		edit, err = all.Check(edit)
	}
	if err != nil {
		s.messages.Warn(err.Error())
		return
	}
	s.Edits = all.Settle(s.Edits.With(edit))
}

// Revert gives a property the file's value again.
func (s *Stage) Revert(pointer string) {
	s.Edits = s.Edits.Without(pointer)
	if all, err := s.editable(); err == nil {
		s.Edits = all.Settle(s.Edits)
	}
}

// label is what messages call the object that a pointer leads to.
func (s *Stage) label(pointer string) string {
	all, err := s.editable()
	if err != nil {
		return "the file"
	}
	return all.Label(pointer)
}

// shownEdits are those that are seen.
func (s *Stage) shownEdits() scene.Edits {
	all, err := s.editable()
	if err != nil {
		return nil
	}
	shown, _ := all.Shown(s.Shown.Scene.Edits, s.Edits)
	return shown
}

// takeBack leaves the edits that are seen, after a reading for others has failed; another reading goes on with them.
func (s *Stage) takeBack(job *Loading) {
	if job.edited && !job.dropped {
		s.Edits = s.shownEdits()
	}
}

// readForEdits tells whether the scene was read for the edits as they are now.
func (s *Stage) readForEdits() bool {
	all, err := s.editable()
	if err != nil {
		return true
	}
	_, ready := all.Shown(s.Shown.Scene.Edits, s.Edits)
	return ready
}
