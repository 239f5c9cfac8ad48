package viewer

import (
	"image"

	"glint/tracer/imageio"
	"glint/tracer/view"
	"glint/viewer/session"
)

// screenshot saves the image in the working directory. It is encoded in the background.
func (s *Session) screenshot() {
	if s.shown == nil {
		s.messages.Warn("there is no image yet")
		return
	}
	film, err := s.shot()
	if err != nil {
		s.shotFailed(err)
		return
	}
	samples := s.active.Stats.Shown
	text := s.shotText(samples)
	s.writeShot(s.shown.scene.Name, ".png", samples, func(path string) error { return imageio.WritePNG(path, film, text) })
}

// saveRadiance saves the radiance of the active side in the working directory.
func (s *Session) saveRadiance() {
	if s.shown == nil || s.active.Stats.Samples == 0 {
		s.messages.Warn("there is no whole sample yet: wait a moment")
		return
	}
	film, err := s.active.Device.Radiance()
	if err != nil {
		s.shotFailed(err)
		return
	}
	text := pictureNotes(s, s.active, s.active.Stats.Samples)
	s.writeShot(s.shown.scene.Name, ".exr", s.active.Stats.Samples, func(path string) error { return imageio.Write(path, film, text) })
}

// shot is the image that the window shows, without panel: of one side, or two put together. A side that has waited for its turn since
// the window was resized has an image of the size before.
func (s *Session) shot() (*image.NRGBA, error) {
	if !s.comparing() || s.compare.show == session.OneSide {
		return s.active.Device.Picture(s.active.View, s.active.Settings)
	}
	return s.host.Capture(s.rendered.view.Width, s.rendered.view.Height)
}

// shotText says how the image was made, in the text of its file. Where two sides are seen, each has its settings.
func (s *Session) shotText(samples int) map[string]string {
	if !s.comparing() || s.compare.show == session.OneSide {
		return pictureNotes(s, s.active, samples)
	}
	notes := pictureNotes(s, s.sides[0], samples)
	notes["compare"], notes[view.NoteSettings+" B"] = s.compare.String(), pictureNotes(s, s.sides[1], samples)[view.NoteSettings]
	return notes
}

// pictureNotes are those of a picture of one side.
func pictureNotes(s *Session, of *session.Side, samples int) map[string]string {
	notes, err := s.subject(s.active.View.Camera).Notes(of.Settings, samples)
	if err != nil { // of NaN and infinities only
		s.log.Error("the image does not say how it was made", "err", err)
		return map[string]string{}
	}
	return notes
}
