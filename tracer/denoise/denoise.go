// Package denoise makes a picture from noisy means, and a map of the error that is left in it.
package denoise

import (
	"errors"
	"fmt"
	"time"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/view"
)

// Denoiser turns what a frame names (planes of means, guides, history) into a picture.
type Denoiser interface {
	Name() string
	// Planes is how many planes of AOVs it reads (enum AovPlane).
	Planes(history bool) int
	// Enqueue denoises an image; on a GPU it queues that.
	Enqueue(d device.Device, f *cuda.Frame, o Options) error
	// Begin copies what goes on to change of images, and gives what is left to be done, on any goroutine.
	Begin(d device.Device, frames []cuda.Frame, o Options) (work func() error, err error)
	// Bytes is the device's memory that it holds itself.
	Bytes() int
	Close()
}

// Stage denoises one image, as it goes on to accumulate.
type Stage struct {
	workplace
	denoisers map[string]Denoiser
	history   history
	shown     int    // the output that is shown, where history holds none
	samples   int    // of the image that it was made from; 0: there is none of this image
	by        config // how it was made
	when      schedule.Denoising
}

// NewStage is for an image on a device. What it needs only while it makes a picture is in scratch memory, or with nil its own: jobs in the
// background use no scratch memory.
func NewStage(d device.Device, l *Library, scratch *device.Scratch) *Stage {
	return &Stage{workplace: workplace{device: d, scratch: scratch}, history: history{device: d}, denoisers: newDenoisers(l)}
}

// newDenoisers is the table of denoisers.
func newDenoisers(l *Library) map[string]Denoiser {
	table := map[string]Denoiser{}
	for _, d := range []Denoiser{atrous{}, &learned{}, &openImageDenoise{library: l}} {
		table[d.Name()] = d
	}
	return table
}

// bytesOf is the memory that a table of denoisers holds.
func bytesOf(table map[string]Denoiser) (bytes int) {
	for _, d := range table {
		bytes += d.Bytes()
	}
	return bytes
}

// Planes is how many planes of AOVs are to be kept for a denoiser.
func (s *Stage) Planes(denoiser string, history bool) int {
	if d, ok := s.denoisers[denoiser]; ok {
		return d.Planes(history)
	}
	return 0
}

// Samples is of how many samples there is a picture of the image; 0: there is none.
func (s *Stage) Samples() int { return s.samples }

// By is what made it.
func (s *Stage) By() string { return s.by.denoiser }

// Forget says that the picture is of another image.
func (s *Stage) Forget() {
	s.samples = 0
	s.when.Begin(time.Now())
}

// Restart begins a new history.
func (s *Stage) Restart() { s.history.forget() }

// FillShown has the picture shown where there is one.
func (s *Stage) FillShown(f *cuda.Frame) bool {
	if !s.has() {
		return false
	}
	f.Display.Shown, f.Denoise.Denoised = cuda.ShownDenoised, s.picture().Address
	return true
}

// has tells whether there is a picture to be shown.
func (s *Stage) has() bool { return s.samples > 0 && s.keeps() }

// picture is that.
func (s *Stage) picture() device.Buffer {
	if h := &s.history; h.set.Held() {
		return h.pictures[h.turn]
	}
	return s.buffers.outputs[s.shown]
}

// Frame denoises a picture of a live view, at once or in the background, when there are samples enough.
func (s *Stage) Frame(src *Source) error {
	if job, current := s.poll(); job != nil {
		if err := s.take(job, current, src.Key); err != nil {
			return err
		}
	}
	if !src.Guided {
		return nil // not yet
	}
	if !s.when.Due(time.Now(), schedule.Noisy{Samples: src.Samples, Denoised: s.samples, Same: s.by == configOf(&src.Settings),
		Grows: src.View.Window && src.SinceReplace > 1, Background: src.Background}) {
		return nil
	}
	switch {
	case !src.Background:
		return s.now(src)
	case s.job != nil:
		return nil
	}
	return s.begin(src)
}

// Image is the denoised image of what has been accumulated (linear, nits), made now unless the last frame made it. It is
// shown from then on; that of a still until paths have a turn.
func (s *Stage) Image(src *Source) (*imageio.Image, error) {
	if _, ok := s.denoisers[src.Settings.Denoise]; !ok {
		return nil, errors.New("nothing is to be denoised: --denoise is off")
	}
	if !src.Guided {
		return nil, errors.New("there are no samples with guides yet")
	}
	if job, current := s.await(); job != nil {
		_ = s.take(job, current, src.Key) // it is denoised anew if that has failed
	}
	if !s.has() || s.samples != src.Samples || s.by != configOf(&src.Settings) {
		if err := s.now(src); err != nil {
			return nil, err
		}
	}
	width, height := src.View.Width, src.View.Height
	pixels := make([][4]float32, width*height)
	if err := s.device.Download(s.picture(), device.BytesOf(pixels)); err != nil {
		return nil, err
	}
	img := &imageio.Image{Width: width, Height: height, Pix: make([]float32, 0, 3*len(pixels))}
	for _, p := range pixels {
		img.Pix = append(img.Pix, p[:3]...)
	}
	return img, nil
}

// now denoises the image as it is; on a GPU it queues that.
func (s *Stage) now(src *Source) error {
	f, err := s.frame(src)
	if err == nil {
		err = s.device.SetFrame(&f)
	}
	if err == nil {
		err = s.denoisers[src.Settings.Denoise].Enqueue(s.device, &f, src.Options)
	}
	if err != nil {
		s.history.forget()
		return err
	}
	s.finish(src.Samples, configOf(&src.Settings))
	return nil
}

// begin takes a copy of the image and denoises that in the background.
func (s *Stage) begin(src *Source) error {
	f, err := s.frame(src)
	if err != nil {
		return err
	}
	work, err := s.denoisers[src.Settings.Denoise].Begin(s.device, []cuda.Frame{f}, src.Options)
	if err != nil {
		return err
	}
	s.job = &Job{buffers: s.buffers, samples: src.Samples, config: configOf(&src.Settings), key: src.Key}
	startJob(s.job, work)
	return nil
}

// take shows a job's output if it is of the image that accumulates now.
func (s *Stage) take(j *Job, current bool, key view.Key) error {
	s.when.Took(time.Now(), j.took)
	if current && j.err == nil && j.key == key {
		s.finish(j.samples, j.config)
	}
	return j.err
}

// finish shows what was written last.
func (s *Stage) finish(samples int, by config) {
	s.shown, s.samples, s.by = s.buffers.set.Shape().outputs-1-s.shown, samples, by
}

// frame is what a denoiser's kernels read. It makes buffers of the view's size.
func (s *Stage) frame(src *Source) (cuda.Frame, error) {
	f, v := src.Frame(), &src.View
	if src.Settings.Denoise == OIDN {
		if err := s.denoisers[OIDN].(*openImageDenoise).ready(); err != nil {
			return f, err
		}
	}
	remembers := Remembers(v, &src.Settings, src.Background)
	own := shape{pixels: v.Width * v.Height, denoiser: src.Settings.Denoise, images: 1, outputs: 1}
	own.passes = s.scratch != nil && src.Options.Still && !v.Window
	if src.Background {
		own.outputs = 2 // one is shown while the other is written
	}
	anew, err := s.ensure(own)
	if anew {
		s.samples, s.shown = 0, 0
	}
	if err == nil {
		err = s.beginTurn()
	}
	if err != nil {
		return f, fmt.Errorf("buffers of %d×%d: %w", v.Width, v.Height, err)
	}
	output := s.buffers.outputs[own.outputs-1-s.shown]
	f.Denoise.Inputs, f.Denoise.Irradiance, f.Denoise.Denoised = s.buffers.inputs.Address, s.buffers.signals.Address, output.Address
	f.Denoise.Record = src.Options.Record
	src.fillSamples(&f)
	if remembers {
		f.Denoise.EdgeRays = uint32(max(EdgeSamples-src.Independent, 0))
		return f, s.history.fill(&f, src)
	}
	s.history.free()
	return f, nil
}

// Stop gives the buffers back; a job under way gives back its own when it ends.
func (s *Stage) Stop() {
	s.drop()
	s.samples = 0
	s.history.free()
	s.denoisers[Learned].Close() // it takes its room again
	s.poll()
}

// Bytes is the memory that is held.
func (s *Stage) Bytes() int { return s.bytes() + s.history.set.Bytes() + bytesOf(s.denoisers) }

// Close gives everything back.
func (s *Stage) Close() {
	s.await()
	s.Stop()
	for _, d := range s.denoisers {
		d.Close()
	}
}
