package session

import (
	"glint/tracer/document"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
)

// subject is what the window shows. The camera is that of the picture.
func (s *Stage) subject(camera scene.Camera) document.Subject {
	shown := s.Shown
	about := document.Subject{Scene: shown.Scene.Name, File: shown.file(), Environment: gpuscene.FullEnvironment(s.Light.Spec), Variant: shown.Variant, Edits: s.shownEdits(),
		Camera: shown.Scene.CameraToFile(camera)}
	if about.File == "" && shown.Path != "" {
		about.Scene = shown.Path // a built-in scene, as the command line names it
	}
	for _, path := range shown.With {
		about.Merged = append(about.Merged, FullPath(path))
	}
	if p := &s.Player; len(s.clips()) > 0 && p.Clip >= 0 {
		at := p.Seconds
		about.At, about.Clip = &at, shown.Scene.Motion.Word(p.Clip)
	}
	return about
}

// take shows camera and moment as a document says. The zero camera leaves that to the scene.
func (s *Stage) take(d *document.Document) {
	s.Edits = d.Edits
	if all, err := s.editable(); err == nil {
		if s.Edits, err = all.CheckAll(d.Edits); err != nil {
			s.messages.Warn(err.Error())
		}
	}
	if d.Camera != (scene.Camera{}) {
		s.Shown.Camera = -1
		s.Camera.Look(s.Shown.Scene.CameraFromFile(d.Camera))
	}
	if len(s.clips()) == 0 {
		return
	}
	if clip := s.Shown.Scene.Motion.Find(d.Clip); d.At != nil && clip >= 0 {
		s.Player.Clip = clip
		s.Scrub(*d.At)
	} else {
		s.Player.Clip, s.Player.Seconds, s.Player.Playing = -1, 0, false
	}
}
