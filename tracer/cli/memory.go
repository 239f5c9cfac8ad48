package cli

import (
	"fmt"

	"glint/tracer/device"
	"glint/tracer/integrator"
	"glint/tracer/profile"
)

// What a pixel takes of the host's memory, bytes: lower bounds of what was measured of pictures of 4 megapixels on the CPU. They are
// counted before anything is taken, since neither Go nor the system says no: the process would end without a word, and late.
const (
	pixelOfPicture = 32  // film, target and the file's pixels
	pixelOfLayers  = 600 // AOV planes, and all of them read back
	pixelOfReuse   = 190 // reservoirs
	pixelOfDenoise = 180 // guides, history
)

// checkMemory refuses a picture that the machine cannot hold. A GPU has its own memory, and says when that is full.
func (j *job) checkMemory() error {
	perPixel := uint64(pixelOfPicture)
	if j.view.Layers {
		perPixel += pixelOfLayers
	}
	if j.renderer.Engine().Backend().Kind == device.KindCPU {
		if integrator.Reuses(j.renderer.Engine().Plan(j.view, j.settings).Settings.Integrator) {
			perPixel += pixelOfReuse
		}
		if j.settings.Denoise != "off" {
			perPixel += pixelOfDenoise
		}
	}
	need, free := perPixel*uint64(j.view.Width)*uint64(j.view.Height), profile.AvailableMemory()
	if need > free {
		return fmt.Errorf("--size %dx%d: a picture of this size takes at least %d MB of memory with these settings, and %d MB are free: take a smaller one",
			j.view.Width, j.view.Height, need>>20, free>>20)
	}
	return nil
}
