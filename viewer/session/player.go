package session

import "glint/tracer/scene"

// Animation plays the animation of a file.
type Animation struct {
	Clip    int     // of the scene's motion; −1: the scene at rest
	Seconds float64 // into the clip
	Playing bool
	once    bool // it stops at the end
	Speed   float64

	Posed  Moment       // what the device has
	camera scene.Camera // that the file's camera was at then
}

// Moment is what a pose depends on.
type Moment struct {
	scene   *ShownScene
	clip    int
	Seconds float64
	edits   *scene.Edit // the first of Stage.Edits, which nobody writes
}

// same tells whether a device that has either moment shows the same. Without a scene it has that as it was prepared: at rest.
func (m Moment) same(other Moment) bool {
	atRest := func(m Moment) bool { return m.scene == nil || m.clip < 0 && m.edits == nil }
	return m == other || atRest(m) && atRest(other)
}

// newPlayer begins with a scene at rest, or at the moment at. Where every frame is a picture, it plays at once.
func newPlayer(s *scene.Scene, at *float64, clip string, plays bool) Animation {
	p := Animation{Clip: -1, Speed: 1}
	if s.Motion == nil || len(s.Motion.Clips) == 0 {
		return p
	}
	switch {
	case at != nil:
		p.Clip = max(s.Motion.Find(clip), 0)
		p.Seconds = s.Motion.Clips[p.Clip].Time(*at, false)
	case plays:
		p.Clip, p.Playing = 0, true
	}
	return p
}

// Speeds and steps of playing.
const (
	Slowest  = 1. / 16 // of speeds of playing
	Fastest  = 16
	StepTime = 1. / 24 // s: of a step through the animation
	AtRest   = "at rest"
)
