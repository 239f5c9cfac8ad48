package session

import (
	"image"

	"glint/tracer/document"
	"glint/tracer/guard"
	"glint/tracer/imageio"
)

// Screenshot saves the image in the working directory. It is encoded in the background.
func (s *Session) Screenshot() {
	if s.Stage.Shown == nil {
		s.Messages.Warn("there is no image yet")
		return
	}
	film, samples, err := s.Shot()
	if err != nil {
		s.Shots.shotFailed(err)
		return
	}
	s.Shots.writeShot(s.Stage.Shown.Scene, ".png", s.Documents.Shown(samples), func(path string, notes map[string]string) error {
		return imageio.WritePNG(path, film, notes)
	})
}

// CopyPicture gives the image to copy, as a PNG, in the background.
func (s *Session) CopyPicture(copy func(png []byte) error) {
	if s.Stage.Shown == nil {
		return
	}
	film, samples, err := s.Shot()
	if err != nil {
		s.Shots.shotFailed(err)
		return
	}
	of, d := s.Stage.Shown.Scene, s.Documents.Shown(samples)
	s.Shots.Writes.Add(1)
	guard.Go(func() error {
		notes, err := notesOf(of, d)
		if err != nil {
			return err
		}
		encoded, err := imageio.EncodePNG(film, notes)
		if err != nil {
			return err
		}
		return copy(encoded)
	}, func(err error) {
		defer s.Shots.Writes.Done()
		s.Tasks.Post(func() {
			if err != nil {
				s.Messages.Warn("Copy: " + err.Error())
			} else {
				s.Messages.Say("copied the picture")
			}
		})
	})
}

// SaveRadiance saves the radiance of the active side in the working directory.
func (s *Session) SaveRadiance() {
	if s.Stage.Shown == nil || s.Sides.Active.Stats.Samples == 0 {
		s.Messages.Warn("there is no whole sample yet: wait a moment")
		return
	}
	film, err := s.Sides.Active.Device.Radiance()
	var alpha []imageio.Layer
	if err == nil {
		alpha, err = s.Sides.Active.Device.Alpha(&s.Sides.Active.Settings)
	}
	if err != nil {
		s.Shots.shotFailed(err)
		return
	}
	samples := s.Sides.Active.Stats.Samples
	s.Shots.writeShot(s.Stage.Shown.Scene, ".exr", s.Documents.of(s.Sides.Active, samples), func(path string, notes map[string]string) error {
		return imageio.WriteLayers(path, film, alpha, notes)
	})
}

// Shot is the image that the window shows, without panel, and of how many samples it is: of one side, denoised now, or two put together as
// they are. A side that has waited for its turn since the window was resized has an image of the size before.
func (s *Session) Shot() (img *image.NRGBA, samples int, err error) {
	side := s.Sides.Active
	if !s.Sides.Comparing() || s.Sides.Compare.Show == OneSide {
		return side.Device.Newest(side.View, side.Settings)
	}
	img, err = s.host.Capture(s.Frames.Rendered.View.Width, s.Frames.Rendered.View.Height)
	return img, side.Stats.Shown, err
}

// saveReplay saves the sample that the inspector tells, in the working directory.
func saveReplay(s *Session) {
	m := s.Inspector.Shown
	if m == nil || len(m.Steps) == 0 || m.Reuses || m.Side >= len(s.Sides.Sides) {
		s.Messages.Say("click a pixel first")
		return
	}
	side := s.Sides.Sides[m.Side]
	d := s.Documents.of(side, side.Stats.Samples)
	d.Replay = &document.Replay{X: m.Pixel[0], Y: m.Pixel[1], Sample: m.Sample, Lo: m.Lo}
	s.Shots.writeShot(s.Stage.Shown.Scene, ".json", d, document.WriteReplay)
}
