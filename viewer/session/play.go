package session

import (
	"errors"
	"fmt"

	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// clips are those of the scene on the screen.
func (s *Stage) clips() []scene.Clip {
	if s.Shown == nil || s.Shown.Scene.Motion == nil {
		return nil
	}
	return s.Shown.Scene.Motion.Clips
}

// play goes on with the animation by so many seconds, and has devices take the pose, with edits. What cannot be posed stops.
func (s *Stage) play(take func(*scene.Pose) error, dt float64) {
	p := &s.Player
	if s.Shown == nil || s.Shown.Scene.Motion == nil {
		return
	}
	if p.Playing && p.Clip >= 0 && len(s.clips()) > 0 {
		clip := &s.clips()[p.Clip]
		next := p.Seconds + dt*p.Speed
		if p.once && next >= clip.Seconds {
			p.Playing = false
		}
		p.Seconds = clip.Time(next, !p.once)
	}
	now := Moment{scene: s.Shown, clip: p.Clip, Seconds: p.Seconds}
	if len(s.Edits) > 0 {
		now.edits = &s.Edits[0]
	}
	if now == p.Posed || p.Posed.scene != s.Shown && p.Clip < 0 && now.edits == nil {
		return
	}
	pose := s.Shown.Scene.Motion.Pose(p.Clip, p.Seconds, s.shownEdits()...)
	err := take(pose)
	if errors.Is(err, device.ErrLost) {
		return // the frame finds it, too
	}
	if err != nil {
		p.Playing = false
		s.messages.Warn("The scene cannot move so: " + err.Error())
	}
	p.Posed = now
	s.follow(pose)
}

// poseNow is the pose that devices have; nil: all is as it was prepared.
func poseNow(s *Stage) *scene.Pose {
	if s.Player.Posed.scene != s.Shown || s.Shown.Scene.Motion == nil {
		return nil
	}
	return s.Shown.Scene.Motion.Pose(s.Player.Clip, s.Player.Seconds, s.shownEdits()...)
}

// follow moves with a camera of the file for as long as the user looks through it. That of the flags comes before those, and does not
// move.
func (s *Stage) follow(pose *scene.Pose) {
	cameras := s.Shown.Scene.Cameras
	i := s.Shown.Camera
	ofFile := i - (len(cameras) - len(pose.Cameras))
	if i < 0 || ofFile < 0 {
		return
	}
	through := s.Camera.Camera == s.Player.camera || s.Camera.Camera == cameras[i]
	if through && pose.Cameras[ofFile] != s.Camera.Camera {
		s.Camera.Look(pose.Cameras[ofFile])
	}
	if through {
		s.Player.camera = s.Camera.Camera
	}
}

// follows tells whether a camera of the file that moves has brought the view where it is.
func (s *Stage) follows() bool {
	return s.Shown.Camera >= 0 && s.Camera.Camera == s.Player.camera
}

// TogglePlaying plays, or pauses.
func (s *Stage) TogglePlaying() {
	p := &s.Player
	if len(s.clips()) == 0 {
		s.messages.Say("nothing in this scene is animated")
		return
	}
	p.Clip = max(p.Clip, 0)
	if p.Playing = !p.Playing; p.Playing && p.once && p.Seconds >= s.clips()[p.Clip].Seconds {
		p.Seconds = 0
	}
	s.messages.Say(map[bool]string{true: "playing ", false: "paused "}[p.Playing] + guard.Name(s.clips()[p.Clip].Name))
}

// TakeClip changes to an animation from its beginning; −1 is the scene at rest.
func (s *Stage) TakeClip(i int) {
	if len(s.clips()) == 0 {
		return
	}
	s.Player.Clip, s.Player.Seconds = i, 0
	if i < 0 {
		s.Player.Playing = false
		s.messages.Say(AtRest)
		return
	}
	s.messages.Say(fmt.Sprintf("animation %d: %s", s.clips()[i].Number, guard.Name(s.clips()[i].Name)))
}

// NextClip changes to the next animation of the file.
func (s *Stage) NextClip() {
	if n := len(s.clips()); n > 0 {
		s.TakeClip((s.Player.Clip + 1) % n)
	}
}

// Scrub pauses at a time of the animation, s.
func (s *Stage) Scrub(seconds float64) {
	p := &s.Player
	if len(s.clips()) == 0 {
		return
	}
	p.Clip, p.Playing = max(p.Clip, 0), false
	p.Seconds = s.clips()[p.Clip].Time(seconds, false)
}

// ChangeSpeed makes playing faster or slower.
func (s *Stage) ChangeSpeed(factor float64) {
	s.Player.Speed = min(max(s.Player.Speed*factor, Slowest), Fastest)
	s.messages.Say(fmt.Sprintf("speed: %.3g×", s.Player.Speed))
}

// ToggleLoop has the animation begin again at its end, or stop there.
func (s *Stage) ToggleLoop() {
	s.Player.once = !s.Player.once
	s.messages.Say(map[bool]string{true: "the animation ends", false: "the animation begins again"}[s.Player.once])
}

// playModel is nil where nothing is animated.
func (s *Stage) playModel() *PlayModel {
	clips := s.clips()
	if len(clips) == 0 {
		return nil
	}
	p := &s.Player
	m := &PlayModel{Clip: p.Clip, Seconds: p.Seconds, Length: clips[max(p.Clip, 0)].Seconds, Playing: p.Playing, Once: p.once, Speed: p.Speed}
	for i := range clips {
		m.Clips = append(m.Clips, fmt.Sprintf("%d  %s", clips[i].Number, guard.Name(clips[i].Name)))
	}
	return m
}
