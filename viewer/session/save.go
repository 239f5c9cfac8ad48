package session

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// editedName is what a saved scene is called: that of its file with "-edited".
func editedName(path string) string {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	return strings.TrimSuffix(base, "-edited") + "-edited.glb"
}

// saveScene writes the scene's file with the edits as a .glb that stands alone, next to it, in the background.
func (s *Shots) saveScene(of *Stage, memory *guard.Memory) {
	if _, err := of.editable(); err != nil {
		s.messages.Warn("Save the scene: " + err.Error())
		return
	}
	from, edits, merged := of.Shown.file(), of.Edits, len(of.Shown.With)
	if from == "" {
		s.messages.Warn("Save the scene: its file is not known")
		return
	}
	path := s.freePath(editedName(from))
	var notes []string
	s.Writes.Add(1)
	guard.Go(func() error {
		return imageio.WriteAtomic(path, func(w io.WriteSeeker) (err error) {
			notes, err = scene.WriteEdited(context.Background(), w, from, edits, memory)
			return err
		})
	}, func(err error) {
		defer s.Writes.Done()
		s.tasks.Post(func() {
			switch {
			case err != nil:
				s.messages.Warn("Save the scene: " + err.Error())
				return
			case merged > 0:
				s.messages.Say("saved " + path + " without " + Count(merged, "merged file"))
			case len(edits) == 0:
				s.messages.Say("saved " + path + ", without any edits")
			default:
				s.messages.Say(fmt.Sprintf("saved %s with %s", path, Count(len(edits), "edit")))
			}
			for _, note := range notes {
				s.messages.Warn(note)
			}
		})
	})
}
