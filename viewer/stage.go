package viewer

import (
	"fmt"
	"path/filepath"

	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/view"
	"glint/viewer/session"
)

// stage is the scene on the screen, and from where and when it is seen.
type stage struct {
	shown      *shownScene // nil until the first scene is ready
	light      lighting
	controller session.Camera
	player     player
	messages   *session.Messages
}

func (s *stage) nextCamera() {
	if s.shown == nil {
		return
	}
	cameras := s.shown.scene.Cameras
	if len(cameras) == 0 {
		s.messages.Say("the file has no camera")
		return
	}
	s.lookThrough((s.shown.camera + 1) % len(cameras))
}

// lookThrough takes a camera of the file.
func (s *stage) lookThrough(i int) {
	cameras := s.shown.scene.Cameras
	s.shown.camera = i
	s.controller.Look(cameras[i])
	s.messages.Say(fmt.Sprintf("camera %d: %s", i, guard.Name(cameras[i].Name)))
}

// environmentInUse is what the environment is called that lights the scene.
func (s *stage) environmentInUse() string {
	if s.light.spec == "" {
		return s.sceneEnvironment()
	}
	return environmentName(s.light.spec)
}

// sceneEnvironment is what a scene has where the user chooses none.
func (s *stage) sceneEnvironment() string {
	if s.light.spec == "" && s.shown != nil && s.shown.prepared.Added != "" {
		return "studio (added)"
	}
	return environmentName("")
}

// subject is what the window shows. The camera is that of the picture.
func (st *stage) subject(camera scene.Camera) view.Subject {
	s := st.shown
	about := view.Subject{Scene: s.scene.Name, File: s.file(), Environment: gpuscene.FullEnvironment(st.light.spec), Variant: s.variant,
		Camera: s.scene.CameraToFile(camera)}
	for _, path := range s.with {
		about.Merged = append(about.Merged, fullPath(path))
	}
	if p := &st.player; len(st.clips()) > 0 && p.clip >= 0 {
		about.At, about.Clip = &p.seconds, s.scene.Motion.Word(p.clip)
	}
	return about
}

// file is the full path that the scene was read from; empty where it is built in.
func (s *shownScene) file() string {
	if read := s.scene.Report.Files; len(read) == 0 || read[0].Path != s.path {
		return ""
	}
	return fullPath(s.path)
}

func fullPath(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
