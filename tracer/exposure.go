package tracer

import (
	"fmt"
	"math"
	"time"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// meter is auto exposure. Twins share it, so that what is compared is displayed alike: the image of one of them is metered,
// the others are exposed as that is.
type meter struct {
	state     buffer // cuda.Meter
	histogram buffer // shares of pixels by luminance
	found     cuda.Meter
	of        *Renderer     // whose image is metered: the first that asked while it showed light
	clock     time.Duration // of the view metered last; 0: what comes next is metered at once
}

func (m *meter) claims() []claim {
	return []claim{{&m.state, bytesIn[cuda.Meter]()}, {&m.histogram, 4 * meterBins}}
}

// As cuda/kernels/display/exposure.cuh has them.
const (
	meterBins   = 256
	meterStride = 2
	meterPixels = 4096 // that a block meters
)

// How long exposure takes to go most of its way: eyes get used to light more quickly than to the dark.
const (
	toBright = 200 * time.Millisecond
	toDark   = 500 * time.Millisecond
)

// applyMeter says how far exposure goes in this frame. Where that is 0, nothing is metered.
func (r *Renderer) applyMeter(f *cuda.Frame, v view.View, s settings.Settings) error {
	m := &r.meter
	if !s.AutoExposure {
		r.leaveMeter()
		return nil
	}
	if m.state.size == 0 {
		if err := take(r.device, m.claims()); err != nil {
			return fmt.Errorf("buffers of --auto-exposure: %w", err)
		}
		for _, c := range m.claims() {
			if err := r.device.zero(*c.b); err != nil {
				return err
			}
		}
	}
	f.Display.Flags |= cuda.DisplayAutoExposure
	f.Display.Meter, f.Display.Histogram = m.state.address, m.histogram.address
	if f.Display.Shown >= cuda.ShownLightEnd { // no light
		r.leaveMeter()
		return nil
	}
	if m.of == nil {
		m.of = r
	}
	if m.of == r {
		f.Display.AdaptDarker, f.Display.AdaptBrighter = m.ways(v.Clock)
	}
	return nil
}

// ways are the shares of their way that exposures which are too high or too low go until a moment.
func (m *meter) ways(clock time.Duration) (darker, brighter float32) {
	passed := clock - m.clock
	atOnce := clock == 0 || m.clock == 0 || passed < 0
	m.clock = clock
	if atOnce {
		return 1, 1
	}
	way := func(most time.Duration) float32 { return float32(-math.Expm1(-passed.Seconds() / most.Seconds())) }
	return way(toBright), way(toDark)
}

// leaveMeter lets another image be metered, at once.
func (r *Renderer) leaveMeter() {
	if m := &r.meter; m.of == r {
		m.of, m.clock = nil, 0
	}
}

// metering launches the meter where the frame is to be metered.
func metering(f *cuda.Frame) []launch {
	if f.Display.AdaptDarker == 0 {
		return nil
	}
	across := (int(f.Film.Width) + meterStride - 1) / meterStride
	down := (int(f.Film.Height) + meterStride - 1) / meterStride
	blocks := (across*down + meterPixels - 1) / meterPixels
	return []launch{{kernel: cuda.MeterLight, indices: blocks * cuda.MeterLight.Threads()},
		{kernel: cuda.SetExposure, indices: cuda.SetExposure.Threads()}}
}

// readMeter reads back what was found, when the device has nothing left to do.
func (r *Renderer) readMeter(f *cuda.Frame) error {
	if f.Display.AdaptDarker == 0 {
		return nil
	}
	found := make([]cuda.Meter, 1)
	if err := r.device.download(r.meter.state, bytesOf(found)); err != nil {
		return fmt.Errorf("read the meter: %w", err)
	}
	r.meter.found = found[0]
	return nil
}

// Metered are settings that expose every picture as auto exposure would this one (linear, nits).
func (r *Renderer) Metered(img *imageio.Image, s settings.Settings) (settings.Settings, error) {
	if !s.AutoExposure {
		return s, nil
	}
	if _, err := r.Develop(img, s); err != nil {
		return s, fmt.Errorf("meter: %w", err)
	}
	s.AutoExposure = false
	s.Exposure += float64(r.meter.found.Ev)
	return s, nil
}
