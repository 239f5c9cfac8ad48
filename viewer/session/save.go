package session

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
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

// canWrite tells whether a scene is a built-in one that can be written to a file.
func (o *Options) canWrite(of *ShownScene) bool {
	return o.Write != nil && len(of.With) == 0 && slices.ContainsFunc(o.Scenes, func(known settings.Choice) bool { return known.Name == of.Path })
}

// writeScene writes the built-in scene on the screen to a file in the working directory, in the background, and opens that as the view
// is then.
func writeScene(s *Session) {
	of := s.Stage.Shown
	if of == nil || !s.opts.canWrite(of) {
		return
	}
	path := s.Shots.freePath(FullPath(of.Path + ".glb"))
	s.Shots.Writes.Add(1)
	guard.Go(func() error { return s.opts.Write(path, of.Scene) }, func(err error) {
		defer s.Shots.Writes.Done()
		s.Tasks.Post(func() {
			if err != nil {
				s.Messages.Warn("Write the scene: " + err.Error())
				return
			}
			s.Messages.Say("saved " + path)
			if s.Stage.Shown.Path != of.Path {
				return // the user has opened another one
			}
			d := s.Documents.now()
			d.File, d.Environment = path, cmp.Or(d.Environment, of.Scene.Environment) // for which glTF has no place
			s.Loader.restore(d)
		})
	})
}
