package session

import (
	"fmt"

	"glint/tracer/guard"
	"glint/tracer/scene"
)

// Stage is the scene on the screen, and from where and when it is seen.
type Stage struct {
	Shown     *ShownScene // nil until the first scene is ready
	Light     Lighting
	Camera    Camera
	Turntable Turntable
	Player    Animation
	Edits     scene.Edits // of the file; those that the scene was not read for are seen once it has been read again
	messages  *Messages
}

// NextCamera looks through the next camera of the file.
func (s *Stage) NextCamera() {
	if s.Shown == nil {
		return
	}
	cameras := s.Shown.Scene.Cameras
	if len(cameras) == 0 {
		s.messages.Say("the file has no camera")
		return
	}
	s.LookThrough((s.Shown.Camera + 1) % len(cameras))
}

// LookThrough takes a camera of the file.
func (s *Stage) LookThrough(i int) {
	cameras := s.Shown.Scene.Cameras
	s.Shown.Camera = i
	s.Camera.Look(cameras[i])
	s.messages.Say(fmt.Sprintf("camera %d: %s", i, guard.Name(cameras[i].Name)))
}

// ToggleTurntable begins to turn the view, or stops.
func (s *Stage) ToggleTurntable() {
	if s.Shown == nil || s.Turntable.Stop() {
		return
	}
	s.Turntable = newTurntable(&s.Camera)
	s.messages.Say("turntable: move the view to stop it")
}

// environmentInUse is what the environment is called that lights the scene.
func (s *Stage) environmentInUse() string {
	if s.Light.Spec == "" {
		return s.sceneEnvironment()
	}
	return environmentName(s.Light.Spec)
}

// sceneEnvironment is what a scene has where the user chooses none.
func (s *Stage) sceneEnvironment() string {
	if s.Light.Spec == "" && s.Shown != nil && s.Shown.Prepared.Added != "" {
		return "studio (added)"
	}
	return environmentName("")
}
