package denoise

import (
	"fmt"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// history is what denoisers of a live view carry over from image to image: where the pixels' surfaces were, what was shown
// there, and the light that the built-in filter is to filter. Of each there are two: of the image that accumulates, written
// anew whenever that is denoised, and of the one before, which stays the same meanwhile.
type history struct {
	device   device.Device
	set      device.Set[historyShape]
	places   [2]device.Buffer // SeenPlace
	pictures [2]device.Buffer // float4
	lights   [2]device.Buffer // float4, of the built-in filters
	samples  [2]device.Buffer // float: that those stand for
	filtered [2]device.Buffer // float4, of the filter that has learned
	key      view.Key         // of all images, without camera and number of the picture
	images   int              // that were denoised since the history began
	image    int              // the last of them
	turn     int              // which of each pair is of that
	camera   [2]cuda.Camera
	moves    [2]int // of the scene, when it was rendered
}

type historyShape struct {
	pixels   int
	denoiser string
}

// Memory is after how many samples a denoised live view has all but forgotten what it showed: by then history has less than a
// twentieth of its weight.
const Memory = 3 * historyCap

const (
	historyCap  = 8  // samples that the past counts for at most: the more, the less noise, but the more blur and lag
	sharedCap   = 4  // the same of samples that pixels share (docs/measurements.md)
	historyFade = 64 // from so many samples on an image that accumulates needs no past
)

// capOf is for how many samples the past of an image counts at most.
func capOf(o Options) float32 {
	if o.Shared {
		return sharedCap
	}
	return historyCap
}

func (h *history) allocations(s historyShape) []device.Allocation {
	const plane = 16 // bytes a pixel
	var list []device.Allocation
	for i := range 2 {
		lights, samples, filtered := device.Allocation{Buffer: &h.lights[i]}, device.Allocation{Buffer: &h.samples[i]},
			device.Allocation{Buffer: &h.filtered[i]}
		switch s.denoiser {
		case Atrous:
			lights.Bytes, samples.Bytes = plane*s.pixels, plane/4*s.pixels
		case Learned:
			lights.Bytes, filtered.Bytes = plane*s.pixels, plane*s.pixels
		}
		list = append(list, device.Allocation{Buffer: &h.places[i], Bytes: plane * s.pixels},
			device.Allocation{Buffer: &h.pictures[i], Bytes: plane * s.pixels}, lights, samples, filtered)
	}
	return list
}

// free gives the memory back.
func (h *history) free() {
	h.set.Free(h.device)
	*h = history{device: h.device}
}

// forget begins a new history.
func (h *history) forget() { h.images = 0 }

// Remembers tells whether a view's pictures follow on each other. A window on a processor shows few, long after each other.
// The built-in filter smooths the edges of a live view's pictures by the same buffers, with or without a past.
func Remembers(v *schedule.Request, s *settings.Settings, background bool) bool {
	return v.Live && !background && (s.DenoiseHistory || BuiltIn(s.Denoise))
}

// Follows tells whether they also follow what rough surfaces reflect, for which guides trace a ray more.
func Follows(v *schedule.Request, s *settings.Settings, background bool) bool {
	return s.Denoise != Off && s.DenoiseHistory && Remembers(v, s, background)
}

// keyOf is what all images of a history have in common: where the light is the same, the camera may move.
func (h *history) keyOf(src *Source) view.Key {
	key := src.Key.Light()
	key.Settings.Denoise = src.Settings.Denoise
	return key
}

// fill has the kernels follow what they see into the image before. An image that begins takes the last one for that.
func (h *history) fill(f *cuda.Frame, src *Source) error {
	if key := h.keyOf(src); key != h.key {
		h.free()
		if _, err := h.set.Ensure(h.device, historyShape{src.View.Width * src.View.Height, src.Settings.Denoise}, h.allocations); err != nil {
			return fmt.Errorf("history of %d×%d: %w", src.View.Width, src.View.Height, err)
		}
		h.key = key
	}
	if h.images == 0 || h.image != src.Image {
		h.images++
		h.image, h.turn = src.Image, 1-h.turn
	}
	now, past := h.turn, 1-h.turn
	h.camera[now], h.moves[now] = f.Camera, src.Key.Moves
	f.Denoise.VirtualHits, f.Denoise.Stabilized, f.Denoise.Light = h.places[now].Address, h.pictures[now].Address, h.lights[now].Address
	f.Denoise.PastVirtualHits, f.Denoise.PastStabilized, f.Denoise.PastLight = h.places[past].Address, h.pictures[past].Address, h.lights[past].Address
	f.Denoise.LightSamples, f.Denoise.PastLightSamples = h.samples[now].Address, h.samples[past].Address
	f.Learned.Filtered, f.Learned.PastFiltered = h.filtered[now].Address, h.filtered[past].Address
	f.Previous = h.camera[past]
	if h.moves[now] != h.moves[past] {
		f.Denoise.SceneMoved = 1
	}
	if h.images > 1 && src.Settings.DenoiseHistory {
		// The kernels weigh history against independent samples, but an image of samples that err alike is worth more than one.
		fade := max(1-float32(src.SinceReplace-1)/(historyFade-1), 0)
		f.Denoise.HistoryCap = capOf(src.Options) * fade * float32(src.Independent) / float32(src.SinceReplace)
	}
	return nil
}
