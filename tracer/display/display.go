// Package display turns light into 8 bits: exposure, white balance, bloom and tone curve.
package display

import (
	"fmt"
	"math"
	"time"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/settings"
)

// toneMapOf translates the words of setting tonemap.
var toneMapOf = map[string]uint32{"none": cuda.TonemapNone, "reinhard": cuda.TonemapReinhard, "aces": cuda.TonemapAces,
	"agx": cuda.TonemapAgx, "neutral": cuda.TonemapNeutral}

// Display shows one image.
type Display struct {
	device       device.Device
	autoExposure *AutoExposure
	bloom        device.Set[bloomShape]
	pyramid      device.Buffer // float4 per pixel of all levels, while there is bloom
}

type bloomShape struct{ pixels int }

// New is a display whose exposure may be found automatically, alike for all displays that share it.
func New(d device.Device, shared *AutoExposure) *Display {
	return &Display{device: d, autoExposure: shared}
}

// Fill fills in what is known without an image.
func Fill(f *cuda.Frame, s *settings.Settings) {
	f.Display.ToneMap = toneMapOf[s.ToneMap]
	f.Display.Exposure = float32(math.Exp2(s.Exposure))
	color, colored := settings.Color(s.Background)
	switch {
	case colored:
		f.Display.Background, f.Display.Backdrop = cuda.BackgroundColor, color
	case s.HidesBackground():
		f.Display.Background = cuda.BackgroundChecker
	}
}

// KeepAlpha leaves transparent what a checkerboard would stand for.
func KeepAlpha(f *cuda.Frame) {
	if f.Display.Background == cuda.BackgroundChecker {
		f.Display.Background = cuda.BackgroundAlpha
	}
}

// Resolve writes the image that the frame shows (radiance, nits) to the address target, RGBA8. Clock is the viewer's time,
// by which exposure adapts; without it, at 0, it does so at once.
func (d *Display) Resolve(f *cuda.Frame, s *settings.Settings, clock time.Duration, target uint64) error {
	f.Display.Target = target
	if s.Dither {
		f.Display.Flags |= cuda.DisplayDither
	}
	if s.WhiteBalance != settings.NeutralWhite || s.Tint != 0 {
		f.Display.Flags |= cuda.DisplayBalance
		f.Display.BalanceRed, f.Display.BalanceGreen, f.Display.BalanceBlue = balanceRows(s.WhiteBalance, s.Tint)
	}
	if err := d.autoExposure.apply(f, s, clock, d.device, d); err != nil {
		return err
	}
	if err := d.applyBloom(f, s); err != nil {
		return err
	}
	if err := d.device.SetFrame(f); err != nil {
		return err
	}
	launches := append(metering(f), bloomLaunches(f)...)
	for _, l := range append(launches, device.Launch{Kernel: cuda.Resolve, Indices: resolved(f)}) {
		if err := device.Run(d.device, l); err != nil {
			return err
		}
	}
	if err := d.device.Sync(); err != nil {
		return err
	}
	if f.Display.AdaptDarker == 0 {
		return nil
	}
	return d.autoExposure.read(d.device)
}

// resolved is the indices of kernel resolve: whole blocks for each line of the image.
func resolved(f *cuda.Frame) int {
	threads := cuda.Resolve.Threads()
	return (int(f.Film.Width) + threads - 1) / threads * threads * int(f.Film.Height)
}

// mostBloomLevels is enough for glare as wide as the image.
const mostBloomLevels = 8

// bloomSizes are width times height of the levels of the pyramid, as far as both sides have something to blur.
func bloomSizes(width, height int) []int {
	var sizes []int
	for len(sizes) < mostBloomLevels && (len(sizes) == 0 || min(width, height) > 8) {
		width, height = (width+1)/2, (height+1)/2
		sizes = append(sizes, width*height)
	}
	return sizes
}

// applyBloom makes room for the pyramid while there is bloom.
func (d *Display) applyBloom(f *cuda.Frame, s *settings.Settings) error {
	if s.Bloom == 0 {
		d.bloom.Free(d.device)
		return nil
	}
	sizes, pixels := bloomSizes(int(f.Film.Width), int(f.Film.Height)), 0
	for _, size := range sizes {
		pixels += size
	}
	f.Display.Bloom, f.Display.BloomLevels = float32(s.Bloom), uint32(len(sizes))
	if _, err := d.bloom.Ensure(d.device, bloomShape{pixels}, func(b bloomShape) []device.Allocation {
		return []device.Allocation{{Buffer: &d.pyramid, Bytes: 16 * b.pixels}}
	}); err != nil {
		return fmt.Errorf("buffer of --bloom: %w", err)
	}
	f.Display.Bloomed = d.pyramid.Address
	return nil
}

// bloomLaunches go down the pyramid and up again.
func bloomLaunches(f *cuda.Frame) []device.Launch {
	if f.Display.BloomLevels == 0 || f.Display.Shown >= cuda.ShownLightEnd {
		return nil
	}
	var launches []device.Launch
	sizes := bloomSizes(int(f.Film.Width), int(f.Film.Height))
	for level, size := range sizes {
		launches = append(launches, device.Launch{Kernel: cuda.BloomDown, Arg: uint32(level), Indices: size})
	}
	for level := len(sizes) - 2; level >= 0; level-- {
		launches = append(launches, device.Launch{Kernel: cuda.BloomUp, Arg: uint32(level), Indices: sizes[level]})
	}
	return launches
}

// Bytes is the memory that is held.
func (d *Display) Bytes() int { return d.bloom.Bytes() }

// Close gives everything back, and lets another image be metered.
func (d *Display) Close() {
	d.bloom.Free(d.device)
	d.autoExposure.release(d)
}
