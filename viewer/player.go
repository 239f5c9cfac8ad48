package viewer

import "glint/tracer/scene"

// player plays the animation of a file.
type player struct {
	clip    int     // of the scene's motion; −1: the scene at rest
	seconds float64 // into the clip
	playing bool
	once    bool // it stops at the end
	speed   float64

	posed  moment       // what the device has
	camera scene.Camera // that the file's camera was at then
}

// moment is what a pose depends on.
type moment struct {
	scene   *shownScene
	clip    int
	seconds float64
}

// newPlayer begins with a scene at rest, or at a moment that is asked for. Where every frame is a picture, it plays at once.
func newPlayer(s *scene.Scene, at *float64, clip string, plays bool) player {
	p := player{clip: -1, speed: 1}
	if s.Motion == nil || len(s.Motion.Clips) == 0 {
		return p
	}
	switch {
	case at != nil:
		p.clip = max(s.Motion.Find(clip), 0)
		p.seconds = s.Motion.Clips[p.clip].Time(*at, false)
	case plays:
		p.clip, p.playing = 0, true
	}
	return p
}
