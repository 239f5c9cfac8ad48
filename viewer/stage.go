package viewer

import (
	"fmt"

	"glint/tracer/guard"
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
