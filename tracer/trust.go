package tracer

import (
	"errors"
	"fmt"
	"time"

	"glint/cuda"
	"glint/tracer/imageio"
)

// trust is what an image's trust map is made of. Samples with even numbers and those with odd ones are kept as two images that
// know nothing of each other; each is denoised by itself, and where the results are apart the denoised image is not to be
// trusted.
type trust struct {
	halves   buffer // float4 per pixel and plane: enum HalfPlane of cuda/kernels/params/denoise.h
	distance buffer // float per pixel: how far the denoised halves are apart
	pixels   int
	buffers  *trustBuffers // of the denoiser
	begun    bool          // else the sample under way is in no half: it was not seen from its beginning
	kept     int           // samples in the halves
	samples  int           // of them when the map was made; 0: there is none of this image
	job      *trustJob
}

func (t *trust) claims() []claim {
	return []claim{{&t.halves, 16 * int(cuda.HalfPlanes) * t.pixels}, {&t.distance, 4 * t.pixels}}
}

// trustWanted tells whether somebody asks for the map: the view of it, or the layers of an image that is denoised.
func trustWanted(v View, s Settings) bool {
	return s.AOVView == "trust" || v.Layers && s.Denoise != "off"
}

// readyTrust makes room while the map is wanted, and lets halves begin with the next sample.
func (r *Renderer) readyTrust(f *cuda.Frame, v View, s Settings) error {
	if !trustWanted(v, s) {
		return nil
	}
	t := &r.trust
	if v.Width*v.Height != t.pixels {
		if err := r.beginTrust(v.Width * v.Height); err != nil {
			return err
		}
	}
	f.ErrorMap.Halves = t.halves.address
	return r.fitTrust(v, s)
}

// beginTrust makes room for halves of another size.
func (r *Renderer) beginTrust(pixels int) error {
	r.dropTrust()
	t, p := &r.trust, &r.progress
	t.pixels = pixels
	if err := take(r.device, t.claims()); err != nil {
		t.pixels = 0
		return fmt.Errorf("buffers of the trust map: %w", err)
	}
	t.begun = p.samples == 0 && p.pass == 0 && p.reached == 0
	return r.device.zero(t.halves)
}

// keep counts a sample that is whole. One that replaces the image leaves the halves empty.
func (t *trust) keep(f *cuda.Frame) {
	switch {
	case f.Sampling.Flags&cuda.FrameReplace != 0 || !t.begun:
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
	row := pass{kernel: cuda.AccumulateHalves}
	if !t.begun {
		row.turn = anew
	}
	return row
}

// trustFrame makes the map of a live view anew whenever the halves have twice as many samples as for the map before: at once on a
// GPU, else in the background.
func (r *Renderer) trustFrame(v View, s Settings) error {
	t := &r.trust
	if err := r.pollTrust(v, s); err != nil {
		return err
	}
	if t.job != nil || t.kept < max(2, 2*t.samples) {
		return nil
	}
	if r.inBackground(v) {
		return r.startTrust(v, s)
	}
	return r.trustNow(v, s)
}

// trustNow makes the map of the image as it is; on a GPU it queues that.
func (r *Renderer) trustNow(v View, s Settings) error {
	work, err := r.halfWork(v, s)
	if err == nil {
		err = work()
	}
	if err == nil {
		err = r.compareHalves(v, s)
	}
	if err == nil {
		r.trust.samples = r.trust.kept
	}
	return err
}

// compareHalves writes the map.
func (r *Renderer) compareHalves(v View, s Settings) error {
	f := r.trustFrameOf(v, s)
	if err := r.device.setFrame(&f); err != nil {
		return err
	}
	_, err := r.device.launch(cuda.EstimateError, 0, 0, v.Width*v.Height, time.Time{})
	return err
}

func (r *Renderer) trustFrameOf(v View, s Settings) cuda.Frame {
	f := r.frame(v, s)
	f.Film.Aovs, f.Film.AovPlanes = r.film.aovs.buffer.address, uint32(r.film.aovs.planes)
	f.ErrorMap.HalfImages, f.ErrorMap.Errors = r.trust.buffers.images.address, r.trust.distance.address
	return f
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

// stopTrust gives everything back; a job under way gives back its own when it ends.
func (r *Renderer) stopTrust() {
	r.dropTrust()
	if job := r.trust.job; job != nil && job.ended() {
		r.endTrust(job)
	}
}

// dropTrust gives back what no job works on.
func (r *Renderer) dropTrust() {
	t := &r.trust
	giveBack(r.device, t.claims())
	r.dropTrustBuffers()
	*t = trust{job: t.job}
}

// closeTrust gives everything back.
func (r *Renderer) closeTrust() {
	r.awaitTrust()
	r.dropTrust()
}
