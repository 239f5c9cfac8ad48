package denoise

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// ErrorMap estimates the error that is left in a denoised image. Samples with even numbers and those with odd ones are kept as
// two half images that know nothing of each other; each is denoised, and where the results differ the denoised image is not
// to be trusted.
type ErrorMap struct {
	workplace // of the denoiser, for both halves
	denoisers map[string]Denoiser
	set       device.Set[int] // by pixels
	halves    device.Buffer   // float4 per pixel and plane: enum HalfPlane
	estimate  device.Buffer   // float per pixel: how far the denoised halves differ
	begun     bool            // else the sample under way is in no half: it was not seen from its beginning
	kept      int             // samples in the halves
	odd       int             // of them with odd numbers
	samples   int             // of them when the map was made; 0: there is none of this image
	by        string          // the denoiser of the halves
}

// NewErrorMap is for an image on a device, and takes turns as NewStage does.
func NewErrorMap(d device.Device, l *Library, scratch *device.Scratch) *ErrorMap {
	return &ErrorMap{workplace: workplace{device: d, scratch: scratch}, denoisers: newDenoisers(l)}
}

// WantsErrorMap tells whether somebody asks for the map: the view of it, or the layers of an image that is denoised.
func WantsErrorMap(v *schedule.Request, s *settings.Settings) bool {
	return s.AOVView == "trust" || v.Layers && s.Denoise != Off
}

// Prepare makes room, and lets halves begin with the next sample. By denoises them; atStart says that no sample of the image
// has been begun.
func (m *ErrorMap) Prepare(f *cuda.Frame, by string, atStart bool) error {
	pixels := int(f.Film.Width * f.Film.Height)
	if m.set.Shape() != pixels {
		if err := m.beginHalves(pixels, atStart); err != nil {
			return err
		}
	}
	f.ErrorMap.Halves = m.halves.Address
	anew, err := m.ensure(shape{pixels: pixels, denoiser: by, images: 2, outputs: 1})
	if err != nil {
		return fmt.Errorf("buffers of the error map: %w", err)
	}
	if anew {
		m.samples = 0
	}
	m.by = by
	return nil
}

// beginHalves makes room for halves of another size.
func (m *ErrorMap) beginHalves(pixels int, atStart bool) error {
	m.free()
	if _, err := m.set.Ensure(m.device, pixels, func(pixels int) []device.Allocation {
		return []device.Allocation{{Buffer: &m.halves, Bytes: 16 * int(cuda.HalfPlanes) * pixels}, {Buffer: &m.estimate, Bytes: 4 * pixels}}
	}); err != nil {
		return fmt.Errorf("buffers of the error map: %w", err)
	}
	m.begun = atStart
	return m.device.Zero(m.halves)
}

// Passes add a sample to its half, or empty both.
func (m *ErrorMap) Passes() []device.Pass {
	const anew = 1
	empties := func(f *cuda.Frame) bool { return !m.begun || sharesHistory(f) }
	return []device.Pass{
		{Kernel: cuda.AccumulateHalves, Arg: anew, When: empties},
		{Kernel: cuda.AccumulateHalves, When: func(f *cuda.Frame) bool { return !empties(f) }},
	}
}

// sharesHistory: what samples share would be in both halves, which were to be independent.
func sharesHistory(f *cuda.Frame) bool { return f.Restir.Flags&cuda.RestirTemporal != 0 }

// Finish counts a sample that is whole. One that replaces the image, or shares history, leaves the halves empty.
func (m *ErrorMap) Finish(f *cuda.Frame) {
	switch {
	case f.Sampling.Flags&cuda.FrameReplace != 0 || sharesHistory(f) || !m.begun:
		m.Forget()
	case m.set.Held():
		m.kept++
		m.odd += int(f.Sampling.SampleIndex & 1)
	}
}

// Forget says that the halves are empty.
func (m *ErrorMap) Forget() { m.begun, m.kept, m.odd, m.samples = true, 0, 0, 0 }

// Clear empties the halves.
func (m *ErrorMap) Clear() error {
	if m.halves.Size == 0 {
		return nil
	}
	return m.device.Zero(m.halves)
}

// Samples is of how many samples there is a map of the image; 0: there is none.
func (m *ErrorMap) Samples() int { return m.samples }

// By is the denoiser of the halves.
func (m *ErrorMap) By() string { return m.by }

// Fill says where the map is.
func (m *ErrorMap) Fill(f *cuda.Frame) { f.ErrorMap.Errors = m.estimate.Address }

// Frame makes the map of a live view anew whenever the halves have twice as many samples as for the map before: at once on a
// GPU, else in the background.
func (m *ErrorMap) Frame(src *Source) error {
	if job, current := m.poll(); job != nil {
		if err := m.take(job, current, src); err != nil {
			return err
		}
	}
	if m.job != nil || !schedule.ErrorMapDue(m.kept, m.samples) {
		return nil
	}
	if !src.Background {
		return m.now(src)
	}
	work, err := m.begin(src)
	if err != nil {
		return err
	}
	m.job = &Job{buffers: m.buffers, samples: m.kept, key: src.Key}
	startJob(m.job, work)
	return nil
}

// take makes the map of what a job has denoised, if that is of the image that accumulates now.
func (m *ErrorMap) take(j *Job, current bool, src *Source) error {
	if !current || j.err != nil || j.key != src.Key || j.samples > m.kept {
		return j.err
	}
	m.samples = j.samples
	return m.compare(src)
}

// now makes the map of the image as it is; on a GPU it queues that.
func (m *ErrorMap) now(src *Source) error {
	work, err := m.begin(src)
	if err != nil {
		return err
	}
	if m.by == OIDN {
		err = m.device.TimeWhole(work)
	} else {
		err = work()
	}
	if err == nil {
		err = m.compare(src)
	}
	if err == nil {
		m.samples = m.kept
	}
	return err
}

// begin copies both halves, and the guides of the whole, for the denoiser, and gives what is to be done with them. Halves are
// denoised as stills: neither has a past.
func (m *ErrorMap) begin(src *Source) (work func() error, err error) {
	if err := m.beginTurn(); err != nil {
		return nil, fmt.Errorf("buffers of the error map: %w", err)
	}
	frames := []cuda.Frame{m.halfFrame(src, 0), m.halfFrame(src, 1)}
	work, err = m.denoisers[m.by].Begin(m.device, frames, src.Options)
	if err != nil {
		return nil, fmt.Errorf("error map: %w", err)
	}
	return work, nil
}

// frame is what kernels read that make the map.
func (m *ErrorMap) frame(src *Source) cuda.Frame {
	f := src.Frame()
	f.ErrorMap.HalfImages, f.ErrorMap.Errors = m.buffers.outputs[0].Address, m.estimate.Address
	return f
}

// halfFrame is what kernels read that denoise one half.
func (m *ErrorMap) halfFrame(src *Source, half int) cuda.Frame {
	ofHalf := func(b device.Buffer) uint64 { return b.Address + uint64(half*b.Size/2) }
	f := m.frame(src)
	f.Film.Accumulation = m.halves.Address + uint64(half)*16*uint64(m.set.Shape())
	f.Denoise.Inputs, f.Denoise.Irradiance, f.Denoise.Denoised = ofHalf(m.buffers.inputs), ofHalf(m.buffers.signals), ofHalf(m.buffers.outputs[0])
	src.fillSamples(&f) // of the whole image, which moments are of
	f.Denoise.ImageSamples = float32([...]int{cuda.HalfEven: m.kept - m.odd, cuda.HalfOdd: m.odd}[half])
	f.Learned.Samples = f.Denoise.ImageSamples
	return f
}

// compare writes the map.
func (m *ErrorMap) compare(src *Source) error {
	f := m.frame(src)
	return runOn(m.device, &f, device.Launch{Kernel: cuda.EstimateError, Indices: int(f.Film.Width * f.Film.Height)})
}

// Layer is the map of the image so far. Its halves are kept while WantsErrorMap says so.
func (m *ErrorMap) Layer(src *Source) (imageio.Layer, error) {
	layer := imageio.Layer{Name: "trust", Channels: []string{"T"}, Pix: make([]float32, m.set.Shape())}
	if m.kept < 2 {
		return layer, errors.New("error map: render at least two samples a pixel that are to be denoised")
	}
	m.await()
	if m.samples != m.kept {
		if err := m.now(src); err != nil {
			return layer, err
		}
	}
	return layer, m.device.Download(m.estimate, device.BytesOf(layer.Pix))
}

// Stop gives everything back; a job under way gives back its own when it ends.
func (m *ErrorMap) Stop() {
	m.free()
	m.poll()
}

// free gives back what no job works on.
func (m *ErrorMap) free() {
	m.set.Free(m.device)
	m.drop()
	m.denoisers[Learned].Close()
	m.begun, m.kept, m.odd, m.samples = false, 0, 0, 0
}

// Bytes is the memory that is held.
func (m *ErrorMap) Bytes() int { return m.set.Bytes() + m.bytes() + bytesOf(m.denoisers) }

// Close gives everything back.
func (m *ErrorMap) Close() {
	m.await()
	m.free()
	for _, d := range m.denoisers {
		d.Close()
	}
}
