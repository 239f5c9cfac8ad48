package session

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/view"
)

// pick is the point of the scene that the window shows at a point (screen coordinates), and its distance along the axis of
// the camera, m. Where there is none it says so.
func (s *Session) pick(x, y float64) (at mgl64.Vec3, depth float64, hit bool) {
	if s.Stage.Shown == nil {
		return at, 0, false
	}
	px, py := s.host.pixelAt(x, y)
	fw, fh := s.host.Pixels()
	if px < 0 || py < 0 || px >= fw || py >= fh {
		return at, 0, false
	}
	v := schedule.Request{View: view.View{Camera: s.Stage.Camera.Camera, Width: fw, Height: fh}}
	z, hit, err := s.Sides.Active.Device.Pick(v, &s.Sides.Active.Settings, px, py)
	switch {
	case err != nil:
		s.Messages.Warn("Pick: " + err.Error())
		return at, 0, false
	case !hit:
		s.Messages.Say("there is nothing")
		return at, 0, false
	}
	lens := v.Lens(&s.Sides.Active.Settings)
	ray := view.Ray(lens, (float32(px)+0.5)/float32(fw), (float32(py)+0.5)/float32(fh))
	way := mgl32.Vec3(ray.Direction)
	fromLens := mgl32.Vec3(ray.Origin).Sub(lens.Eye).Add(way.Mul(z / way.Dot(lens.Forward)))
	at = s.Stage.Camera.Camera.Eye.Add(scene.Wide(fromLens))
	return at, float64(z), true
}

// FocusAt focuses on what the window shows at a point, screen coordinates.
func (s *Session) FocusAt(x, y float64) {
	if _, depth, hit := s.pick(x, y); hit {
		s.Editor.focusOn(depth, x, y)
	}
}

// PivotAt focuses there as well, and has the view turn about that point.
func (s *Session) PivotAt(x, y float64) {
	at, depth, hit := s.pick(x, y)
	if !hit {
		return
	}
	s.Stage.Camera.Pivot = at
	s.Editor.focusOn(depth, x, y)
	s.Messages.Say("pivot and focus: " + WithUnit(depth, "m") + " away")
}

// FrameScene shows the whole scene.
func (s *Session) FrameScene() {
	if s.Stage.Shown != nil {
		s.frameWith(s.Stage.Shown.Scene.FrameAll)
	}
}

// frameWith shows what a camera for an aspect ratio frames, in the middle of what panels leave free, and in focus: a distance that was
// chosen before is of another view.
func (s *Session) frameWith(camera func(aspect float32) scene.Camera) {
	w, h := s.host.Size()
	if h == 0 {
		return
	}
	s.Stage.Shown.Camera, s.Sides.Active.Settings.Focus = -1, 0
	free, height := s.host.Free(), float32(h)
	if free.Width() <= 0 || free.Height() <= 0 { // the panel is as wide as the window
		free = Area{To: [2]float32{float32(w), height}}
	}
	s.Stage.Camera.Frame(camera(free.Width()/height), (free.Middle()-float32(w)/2)/height)
}

// showPlace looks at the next place of a line of the report.
func (s *Session) showPlace(line ReportLine) {
	if s.Stage.Shown == nil {
		return
	}
	last, next := &s.Stage.Shown.visited, 0
	if last.line == line.Text {
		next = (last.place + 1) % len(line.Places)
	}
	*last = visit{line.Text, next}
	at := line.Places[next]
	s.frameWith(at.At.Frame)
	text := at.Name
	if n := len(line.Places); n > 1 {
		text += fmt.Sprintf(" · %d of %d", next+1, n)
	}
	s.Messages.Say(text)
}
