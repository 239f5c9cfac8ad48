package tracer

import (
	"fmt"

	"glint/cuda"
)

// history is what denoisers of a live view carry over from image to image: where the pixels' surfaces were, what was shown
// there, and the light that the built-in filter is to filter. Of each there are two: of the image that accumulates, written
// anew whenever that is denoised, and of the one before, which stays the same meanwhile.
type history struct {
	places   [2]buffer // VirtualHit
	pictures [2]buffer // float4
	lights   [2]buffer // float4, of the built-in filter alone
	samples  [2]buffer // float: that those stand for
	pixels   int
	key      accumulationKey // of all images, camera and number of the picture apart
	images   int             // that were denoised since the history began
	image    int             // the last of them
	turn     int             // which of each pair is of that
	camera   [2]cuda.Camera
}

// DenoiseMemory is after how many samples a denoised live view has all but forgotten what it showed: by then history has
// less than a twentieth of its weight.
const DenoiseMemory = 3 * historyCap

const (
	historyCap  = 16 // samples that the past counts for at most
	historyFade = 64 // samples after which an image that accumulates needs no past
)

func (h *history) claims(denoiser string) []claim {
	const plane = 16 // bytes a pixel
	var claims []claim
	for i := range 2 {
		lights, samples := claim{b: &h.lights[i]}, claim{b: &h.samples[i]}
		if denoiser == "atrous" {
			lights.size, samples.size = plane*h.pixels, plane/4*h.pixels
		}
		claims = append(claims, claim{&h.places[i], plane * h.pixels}, claim{&h.pictures[i], plane * h.pixels}, lights, samples)
	}
	return claims
}

// free gives the memory back.
func (h *history) free(d device) {
	giveBack(d, h.claims(""))
	*h = history{}
}

// forget begins a new history.
func (h *history) forget() { h.images = 0 }

// remembers tells whether a view's pictures follow on each other. A window on a processor shows few, long after each other.
// The built-in filter softens the edges of a live view's pictures in the same step, with or without a past.
func (r *Renderer) remembers(v View, s Settings) bool {
	return v.Live && !r.inBackground(v) && (s.DenoiseHistory || s.Denoise == "atrous")
}

// historyKey is what all images of a history have in common: where the light is the same, the camera may move.
func (r *Renderer) historyKey(v View, s Settings) accumulationKey {
	key := r.key(v, s)
	key.camera, key.frame, key.settings.Denoise = cuda.Camera{}, 0, s.Denoise
	return key
}

// applyHistory has the kernels follow what they see into the image before. An image that begins takes the last one for that.
func (r *Renderer) applyHistory(f *cuda.Frame, v View, s Settings) error {
	h := &r.denoise.history
	if key := r.historyKey(v, s); key != h.key {
		h.free(r.device)
		h.pixels = v.Width * v.Height
		if err := take(r.device, h.claims(s.Denoise)); err != nil {
			*h = history{}
			return fmt.Errorf("history of %d×%d: %w", v.Width, v.Height, err)
		}
		h.key = key
	}
	if h.images == 0 || h.image != r.progress.image {
		h.images++
		h.image, h.turn = r.progress.image, 1-h.turn
	}
	now, past := h.turn, 1-h.turn
	h.camera[now] = f.Camera
	f.Denoise.VirtualHits, f.Denoise.Stabilized, f.Denoise.Light = h.places[now].address, h.pictures[now].address, h.lights[now].address
	f.Denoise.PastVirtualHits, f.Denoise.PastStabilized, f.Denoise.PastLight = h.places[past].address, h.pictures[past].address, h.lights[past].address
	f.Denoise.LightSamples, f.Denoise.PastLightSamples = h.samples[now].address, h.samples[past].address
	f.Previous = h.camera[past]
	if h.images > 1 && s.DenoiseHistory {
		f.Denoise.HistoryCap = historyCap * max(1-float32(r.progress.fresh-1)/historyFade, 0)
	}
	return nil
}
