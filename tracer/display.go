package tracer

import (
	"fmt"

	"glint/cuda"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// applyDisplay has film do what the settings ask for besides exposure and tone curve.
func (r *Renderer) applyDisplay(f *cuda.Frame, v view.View, s settings.Settings) error {
	if s.Dither {
		f.Display.Flags |= cuda.DisplayDither
	}
	if s.WhiteBalance != settings.NeutralWhite || s.Tint != 0 {
		f.Display.Flags |= cuda.DisplayBalance
		f.Display.BalanceRed, f.Display.BalanceGreen, f.Display.BalanceBlue = balanceRows(s.WhiteBalance, s.Tint)
	}
	if err := r.applyMeter(f, v, s); err != nil {
		return err
	}
	return r.applyBloom(f, s)
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
func (r *Renderer) applyBloom(f *cuda.Frame, s settings.Settings) error {
	b, pixels := &r.film.bloom, 0
	if s.Bloom > 0 {
		sizes := bloomSizes(int(f.Film.Width), int(f.Film.Height))
		for _, size := range sizes {
			pixels += size
		}
		f.Display.Bloom, f.Display.BloomLevels = float32(s.Bloom), uint32(len(sizes))
	}
	if b.size != 16*pixels {
		pyramid := []claim{{b, 16 * pixels}}
		giveBack(r.device, pyramid)
		if err := take(r.device, pyramid); err != nil {
			return fmt.Errorf("buffer of --bloom: %w", err)
		}
	}
	f.Display.Bloomed = b.address
	return nil
}

// blooming launches the way down the pyramid and up again.
func blooming(f *cuda.Frame) []launch {
	if f.Display.BloomLevels == 0 || f.Display.Shown >= cuda.ShownLightEnd {
		return nil
	}
	var launches []launch
	sizes := bloomSizes(int(f.Film.Width), int(f.Film.Height))
	for level, size := range sizes {
		launches = append(launches, launch{kernel: cuda.BloomDown, turn: uint32(level), indices: size})
	}
	for level := len(sizes) - 2; level >= 0; level-- {
		launches = append(launches, launch{kernel: cuda.BloomUp, turn: uint32(level), indices: sizes[level]})
	}
	return launches
}
