package viewer

import (
	"fmt"

	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/viewer/session"
)

// clips are those of the scene on the screen.
func (s *stage) clips() []scene.Clip {
	if s.shown == nil || s.shown.scene.Motion == nil {
		return nil
	}
	return s.shown.scene.Motion.Clips
}

// play goes on with the animation by so many seconds, and has the device take the pose. What cannot be posed stops.
func (s *stage) play(device session.Renderer, dt float64) {
	p := &s.player
	if len(s.clips()) == 0 {
		return
	}
	if p.playing && p.clip >= 0 {
		clip := &s.clips()[p.clip]
		next := p.seconds + dt*p.speed
		if p.once && next >= clip.Seconds {
			p.playing = false
		}
		p.seconds = clip.Time(next, !p.once)
	}
	now := moment{s.shown, p.clip, p.seconds}
	if now == p.posed || p.posed.scene != s.shown && p.clip < 0 {
		return
	}
	pose := s.shown.scene.Motion.Pose(p.clip, p.seconds)
	if err := device.Pose(pose); err != nil {
		p.playing = false
		s.messages.Warn("The animation stops: " + err.Error())
	}
	p.posed = now
	s.follow(pose)
}

// follow moves with a camera of the file for as long as the user looks through it. That of the flags comes before those, and does not
// move.
func (s *stage) follow(pose *scene.Pose) {
	cameras := s.shown.scene.Cameras
	i := s.shown.camera
	ofFile := i - (len(cameras) - len(pose.Cameras))
	if i < 0 || ofFile < 0 {
		return
	}
	through := s.controller.Camera == s.player.camera || s.controller.Camera == cameras[i]
	if through && pose.Cameras[ofFile] != s.controller.Camera {
		s.controller.Look(pose.Cameras[ofFile])
	}
	if through {
		s.player.camera = s.controller.Camera
	}
}

// togglePlaying plays, or pauses.
func (s *stage) togglePlaying() {
	p := &s.player
	if len(s.clips()) == 0 {
		s.messages.Say("nothing in this scene is animated")
		return
	}
	p.clip = max(p.clip, 0)
	if p.playing = !p.playing; p.playing && p.once && p.seconds >= s.clips()[p.clip].Seconds {
		p.seconds = 0
	}
	s.messages.Say(map[bool]string{true: "playing ", false: "paused "}[p.playing] + guard.Name(s.clips()[p.clip].Name))
}

// takeClip changes to an animation from its beginning; −1 is the scene at rest.
func (s *stage) takeClip(i int) {
	if len(s.clips()) == 0 {
		return
	}
	s.player.clip, s.player.seconds = i, 0
	if i < 0 {
		s.player.playing = false
		s.messages.Say(session.AtRest)
		return
	}
	s.messages.Say(fmt.Sprintf("animation %d: %s", s.clips()[i].Number, guard.Name(s.clips()[i].Name)))
}

func (s *stage) nextClip() {
	if n := len(s.clips()); n > 0 {
		s.takeClip((s.player.clip + 1) % n)
	}
}

// scrub pauses at a time of the animation, s.
func (s *stage) scrub(seconds float64) {
	p := &s.player
	if len(s.clips()) == 0 {
		return
	}
	p.clip, p.playing = max(p.clip, 0), false
	p.seconds = s.clips()[p.clip].Time(seconds, false)
}

// changeSpeed makes playing faster or slower.
func (s *stage) changeSpeed(factor float64) {
	s.player.speed = min(max(s.player.speed*factor, session.Slowest), session.Fastest)
	s.messages.Say(fmt.Sprintf("speed: %.3g×", s.player.speed))
}

func (s *stage) toggleLoop() {
	s.player.once = !s.player.once
	s.messages.Say(map[bool]string{true: "the animation ends", false: "the animation begins again"}[s.player.once])
}

// playFlags are the flags that open the window at the same moment.
func (s *stage) playFlags() string {
	p := &s.player
	if len(s.clips()) == 0 || p.clip < 0 {
		return ""
	}
	return fmt.Sprintf(" --at %.6g --clip %s", p.seconds, session.Quoted(s.shown.scene.Motion.Word(p.clip)))
}

// playModel is nil where nothing is animated.
func (s *stage) playModel() *session.PlayModel {
	clips := s.clips()
	if len(clips) == 0 {
		return nil
	}
	p := &s.player
	m := &session.PlayModel{Clip: p.clip, Seconds: p.seconds, Length: clips[max(p.clip, 0)].Seconds, Playing: p.playing, Once: p.once, Speed: p.speed}
	for i := range clips {
		m.Clips = append(m.Clips, fmt.Sprintf("%d  %s", clips[i].Number, guard.Name(clips[i].Name)))
	}
	return m
}
