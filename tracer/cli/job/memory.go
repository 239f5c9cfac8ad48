package job

import (
	"fmt"
	"log/slog"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/integrator"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// What a pixel takes of the host's memory, bytes: lower bounds of what was measured of pictures of 4 megapixels on the CPU. They are
// counted before anything is taken, since neither Go nor the system says no: the process would end without a word, and late.
const (
	pixelOfPicture = 32  // film, target and the file's pixels
	pixelOfLayers  = 600 // AOV planes, and all of them read back
	pixelOfReuse   = 190 // reservoirs
	pixelOfDenoise = 180 // guides, history
)

// reserveOf is what pictures will take of the GPU that the options choose, whatever scene it will be, bytes; 0 where none is there.
func reserveOf(o tracer.Options, v schedule.Request, s settings.Settings) int64 {
	gpu, found := tracer.GPU(o)
	if !found {
		return 0
	}
	bytes, err := tracer.PictureBytes(device.Info{Kind: device.KindCUDA, Memory: gpu.TotalMemory}, v, s, true)
	if err != nil {
		return 0 // rendering will say why
	}
	return bytes
}

// announceMemory says what the scene and its pictures will take of the device's memory, before they do.
func announceMemory(log *slog.Logger, d device.Device, scene *gpuscene.Prepared, v schedule.Request, s settings.Settings) {
	pictures, err := tracer.PictureBytes(d.Info(), v, s, scene.HasGlass())
	if err != nil {
		return // rendering will say why
	}
	need := scene.Needs()
	about := []any{"geometry", guard.Size(need.Geometry), "textures", guard.Size(need.Textures), "pictures", guard.Size(pictures)}
	if free, known := d.FreeMemory(); known {
		about = append(about, "free", guard.Size(int64(free)))
	}
	log.Info("memory planned", append(about, "host", guard.Size(int64(profile.PeakMemory())))...)
}

// CheckMemory refuses a picture that the machine cannot hold. A GPU has its own memory, and says when that is full.
func CheckMemory(engine *tracer.Engine, v schedule.Request, s settings.Settings) error {
	perPixel := uint64(pixelOfPicture)
	if v.Layers {
		perPixel += pixelOfLayers
	}
	if engine.Backend().Kind == device.KindCPU {
		if integrator.Reuses(engine.Plan(v, s).Settings.Integrator) {
			perPixel += pixelOfReuse
		}
		if s.Denoise != "off" {
			perPixel += pixelOfDenoise
		}
	}
	need, free := perPixel*uint64(v.Width)*uint64(v.Height), profile.AvailableMemory()
	if need > free {
		return fmt.Errorf("--size %dx%d: a picture of this size takes at least %d MB of memory with these settings, and %d MB are free: take a smaller one",
			v.Width, v.Height, need>>20, free>>20)
	}
	return nil
}
