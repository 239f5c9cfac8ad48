package session

import (
	"image"

	"glint/tracer/imageio"
	"glint/tracer/view"
)

// Screenshot saves the image in the working directory. It is encoded in the background.
func (s *Session) Screenshot() {
	if s.Stage.Shown == nil {
		s.Messages.Warn("there is no image yet")
		return
	}
	film, err := s.Shot()
	if err != nil {
		s.Shots.shotFailed(err)
		return
	}
	samples := s.Sides.Active.Stats.Shown
	text := s.ShotText(samples)
	s.Shots.writeShot(s.Stage.Shown.Scene.Name, ".png", samples, func(path string) error { return imageio.WritePNG(path, film, text) })
}

// SaveRadiance saves the radiance of the active side in the working directory.
func (s *Session) SaveRadiance() {
	if s.Stage.Shown == nil || s.Sides.Active.Stats.Samples == 0 {
		s.Messages.Warn("there is no whole sample yet: wait a moment")
		return
	}
	film, err := s.Sides.Active.Device.Radiance()
	if err != nil {
		s.Shots.shotFailed(err)
		return
	}
	samples := s.Sides.Active.Stats.Samples
	text := pictureNotes(s, s.Sides.Active, samples)
	s.Shots.writeShot(s.Stage.Shown.Scene.Name, ".exr", samples, func(path string) error { return imageio.Write(path, film, text) })
}

// Shot is the image that the window shows, without panel: of one side, or two put together. A side that has waited for its turn since
// the window was resized has an image of the size before.
func (s *Session) Shot() (*image.NRGBA, error) {
	if !s.Sides.Comparing() || s.Sides.Compare.Show == OneSide {
		return s.Sides.Active.Device.Picture(s.Sides.Active.View, s.Sides.Active.Settings)
	}
	return s.host.Capture(s.Frames.Rendered.View.Width, s.Frames.Rendered.View.Height)
}

// ShotText says how the image was made, in the text of its file. Where two sides are seen, each has its settings.
func (s *Session) ShotText(samples int) map[string]string {
	if !s.Sides.Comparing() || s.Sides.Compare.Show == OneSide {
		return pictureNotes(s, s.Sides.Active, samples)
	}
	notes := pictureNotes(s, s.Sides.Sides[0], samples)
	notes["compare"], notes[view.NoteSettings+" B"] = s.Sides.Compare.String(), pictureNotes(s, s.Sides.Sides[1], samples)[view.NoteSettings]
	return notes
}

// pictureNotes are those of a picture of one side.
func pictureNotes(s *Session, of *Side, samples int) map[string]string {
	notes, err := s.Stage.subject(s.Sides.Active.View.Camera).Notes(of.Settings, samples)
	if err != nil { // of NaN and infinities only
		s.Log.Error("the image does not say how it was made", "err", err)
		return map[string]string{}
	}
	return notes
}
