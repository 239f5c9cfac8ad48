package tracer

import (
	"errors"
	"fmt"
	"time"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/oidn"
)

// trust is what an image's trust map is made of. Samples with even numbers and those with odd ones are kept as two images that
// know nothing of each other; each is denoised by itself, and where the results are apart the denoised image is not to be
// trusted.
type trust struct {
	halves   buffer // float4 per pixel and plane: enum HalfPlane of cuda/params.h
	inputs   buffer // of the denoiser, planes of float4 per pixel: the second half's come after the first's
	images   buffer // float4 per pixel: one half denoised, then the other
	distance buffer // float per pixel: how far they are apart
	pixels   int
	begun    bool // else the sample under way is in no half: it was not seen from its beginning
	kept     int  // samples in the halves
	samples  int  // of them when the map was made; 0: there is none of this image
	denoiser *oidn.Denoiser
	job      *trustJob
}

// trustJob denoises two halves in the background.
type trustJob struct {
	samples int
	image   accumulationKey
	done    chan error
}

// halfInputs is the size of what the denoiser reads of one half, bytes.
func halfInputs(pixels int) int { return 16 * int(cuda.DenoisePlanes) * pixels }

func (t *trust) claims() []claim {
	return []claim{{&t.halves, 16 * int(cuda.HalfPlanes) * t.pixels}, {&t.inputs, 2 * halfInputs(t.pixels)},
		{&t.images, 2 * 16 * t.pixels}, {&t.distance, 4 * t.pixels}}
}

// trustWanted tells whether somebody asks for the map: the view of it, or the layers of an image that is denoised by OIDN, as
// the halves are.
func trustWanted(v View, s Settings) bool {
	return s.AOVView == "trust" || v.Layers && s.Denoise == "oidn"
}

// readyTrust makes room while the map is wanted, and lets halves begin with the next sample.
func (r *Renderer) readyTrust(f *cuda.Frame, v View, s Settings) error {
	t := &r.trust
	pixels := 0
	if trustWanted(v, s) {
		pixels = v.Width * v.Height
	}
	if pixels != t.pixels {
		r.dropTrust()
		t.pixels = pixels
		if err := take(r.device, t.claims()); err != nil {
			*t = trust{}
			return fmt.Errorf("buffers of the trust map: %w", err)
		}
		if pixels > 0 {
			if err := r.device.zero(t.halves); err != nil {
				return err
			}
		}
		p := &r.progress
		t.begun = p.samples == 0 && p.pass == 0 && p.reached == 0
	}
	f.Halves = t.halves.address
	return nil
}

// keep counts a sample that is whole. One that replaces the image leaves the halves empty.
func (t *trust) keep(f *cuda.Frame) {
	switch {
	case f.Flags&cuda.FrameReplace != 0 || !t.begun:
		t.forget()
	case t.pixels > 0:
		t.kept++
	}
}

// forget says that the halves are empty.
func (t *trust) forget() { t.begun, t.kept, t.samples = true, 0, 0 }

// keepHalves is the pass that adds a sample to its half, or empties both.
func (t *trust) keepHalves() pass {
	const anew = 1
	row := pass{kernel: cuda.KeepHalves}
	if !t.begun {
		row.turn = anew
	}
	return row
}

// trustFrame makes the map of a live view anew whenever the halves have twice as many samples as for the map before: at once on a
// GPU, else in the background. Without a denoiser there is none.
func (r *Renderer) trustFrame(v View, s Settings) error {
	t := &r.trust
	if t.pixels == 0 {
		return nil
	}
	if err := r.pollTrust(v, s); err != nil {
		return err
	}
	if t.job != nil || t.kept < max(2, 2*t.samples) {
		return nil
	}
	if v.Budget == 0 || r.device.backend().Kind != "cpu" {
		return r.trustNow(v, s)
	}
	tasks, err := r.halfTasks(v, s)
	if err != nil {
		return err
	}
	job := &trustJob{samples: t.kept, image: r.progress.key, done: make(chan error, 1)}
	denoiser := t.denoiser
	go func() { job.done <- denoiseAll(denoiser, tasks) }()
	t.job = job
	return nil
}

// trustNow makes the map of the image as it is; on a GPU it queues that.
func (r *Renderer) trustNow(v View, s Settings) error {
	tasks, err := r.halfTasks(v, s)
	if err == nil {
		err = r.device.timed(func() error { return denoiseAll(r.trust.denoiser, tasks) })
	}
	if err == nil {
		err = r.compareHalves(v, s)
	}
	if err == nil {
		r.trust.samples = r.trust.kept
	}
	return err
}

func denoiseAll(d *oidn.Denoiser, tasks []oidn.Task) error {
	for _, t := range tasks {
		if err := d.Denoise(t); err != nil {
			return err
		}
	}
	return nil
}

// halfTasks writes what the denoiser reads of both halves, and says what it is to do.
func (r *Renderer) halfTasks(v View, s Settings) ([]oidn.Task, error) {
	t := &r.trust
	if t.denoiser == nil {
		device, err := r.oidnDevice()
		if err != nil {
			return nil, fmt.Errorf("trust map: %w", err)
		}
		t.denoiser = device.Denoiser()
	}
	var tasks []oidn.Task
	for half := range 2 {
		if err := r.gatherHalf(v, s, half); err != nil {
			return nil, err
		}
		at := func(plane uint32) oidn.Image {
			return oidn.Image{Address: t.inputs.address + uint64(half*halfInputs(t.pixels)) + 16*uint64(plane)*uint64(t.pixels), Stride: 16}
		}
		task := oidn.Task{Width: v.Width, Height: v.Height, HDR: true, Prefilter: !v.Live, Quality: qualityOf[s.DenoiseQuality],
			Color: at(cuda.DenoiseColor), Albedo: at(cuda.DenoiseAlbedo), Normal: at(cuda.DenoiseNormal),
			Output: oidn.Image{Address: t.images.address + uint64(half)*16*uint64(t.pixels), Stride: 16}}
		if task.Quality == 0 {
			task.Quality = oidn.Fast
			if !v.Live {
				task.Quality = oidn.High
			}
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

// gatherHalf writes one half and the guides of the whole.
func (r *Renderer) gatherHalf(v View, s Settings, half int) error {
	f := r.trustFrameOf(v, s)
	f.Accumulation = r.trust.halves.address + uint64(half)*16*uint64(r.trust.pixels)
	f.Denoiser = r.trust.inputs.address + uint64(half*halfInputs(r.trust.pixels))
	if err := r.device.setFrame(&f); err != nil {
		return err
	}
	_, err := r.device.launch(cuda.DenoiseInput, 0, 0, v.Width*v.Height, time.Time{})
	return err
}

// compareHalves writes the map.
func (r *Renderer) compareHalves(v View, s Settings) error {
	f := r.trustFrameOf(v, s)
	if err := r.device.setFrame(&f); err != nil {
		return err
	}
	_, err := r.device.launch(cuda.CompareHalves, 0, 0, v.Width*v.Height, time.Time{})
	return err
}

func (r *Renderer) trustFrameOf(v View, s Settings) cuda.Frame {
	f := r.frame(v, s)
	f.Aovs, f.AovPlanes = r.film.aovs.buffer.address, uint32(r.film.aovs.planes)
	f.HalfImages, f.Trust = r.trust.images.address, r.trust.distance.address
	return f
}

// pollTrust takes over what the background has finished, if it is of the image that accumulates now.
func (r *Renderer) pollTrust(v View, s Settings) error {
	t := &r.trust
	if t.job == nil {
		return nil
	}
	select {
	case err := <-t.job.done:
		job := t.job
		t.job = nil
		if err != nil || job.image != r.progress.key || job.samples > t.kept {
			return err
		}
		t.samples = job.samples
		return r.compareHalves(v, s)
	default:
		return nil
	}
}

// Trust is the trust map of the image so far as a layer. Its halves are kept while View.Layers is on and the image is to be
// denoised.
func (r *Renderer) Trust(v View, s Settings) (imageio.Layer, error) {
	t := &r.trust
	layer := imageio.Layer{Name: "trust", Channels: []string{"T"}, Pix: make([]float32, t.pixels)}
	if t.kept < 2 {
		return layer, errors.New("trust map: render at least two samples a pixel that are to be denoised")
	}
	r.awaitTrust()
	if t.samples != t.kept {
		if err := r.trustNow(v, s); err != nil {
			return layer, err
		}
	}
	return layer, r.device.download(t.distance, bytesOf(layer.Pix))
}

func (r *Renderer) awaitTrust() {
	if job := r.trust.job; job != nil {
		<-job.done // what it says is of no interest now
		r.trust.job = nil
	}
}

// dropTrust gives everything back; a job under way is waited for, since it works on what is given back.
func (r *Renderer) dropTrust() {
	r.awaitTrust()
	giveBack(r.device, r.trust.claims())
	if r.trust.denoiser != nil {
		r.trust.denoiser.Release()
	}
	r.trust = trust{}
}
