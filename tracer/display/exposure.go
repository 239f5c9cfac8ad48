package display

import (
	"fmt"
	"math"
	"time"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/settings"
)

// AutoExposure finds the exposure of what is shown. Displays share it, so that what is compared is displayed alike: the image
// of one of them is metered, the others are exposed as that is. The zero value is ready.
type AutoExposure struct {
	set       device.Set[struct{}]
	state     device.Buffer // cuda.Meter
	histogram device.Buffer // shares of pixels by luminance
	found     cuda.Meter
	of        any           // who is metered: the first that asked while it showed light
	clock     time.Duration // of the image metered last; 0: what comes next is metered at once
}

// EV is the exposure that was found last, in stops.
func (m *AutoExposure) EV() float64 { return float64(m.found.Ev) }

// Forget has the next image metered at once: the light of another scene is none to adapt from.
func (m *AutoExposure) Forget() { m.clock = 0 }

// Close gives the memory back.
func (m *AutoExposure) Close(mem device.Memory) { m.set.Free(mem) }

func (m *AutoExposure) ensure(mem device.Memory) error {
	anew, err := m.set.Ensure(mem, struct{}{}, func(struct{}) []device.Allocation {
		return []device.Allocation{{Buffer: &m.state, Bytes: device.SizeOf[cuda.Meter]()}, {Buffer: &m.histogram, Bytes: 4 * int(cuda.MeterBins)}}
	})
	if err != nil {
		return fmt.Errorf("buffers of --auto-exposure: %w", err)
	}
	if !anew {
		return nil
	}
	if err := mem.Zero(m.state); err != nil {
		return err
	}
	return mem.Zero(m.histogram)
}

// How long exposure takes to go most of its way: eyes get used to light more quickly than to the dark.
const (
	toBright = 200 * time.Millisecond
	toDark   = 500 * time.Millisecond
)

// apply says how far exposure goes in this frame of a display. Where that is 0, nothing is metered.
func (m *AutoExposure) apply(f *cuda.Frame, s *settings.Settings, clock time.Duration, mem device.Memory, display any) error {
	if !s.AutoExposure {
		m.release(display)
		return nil
	}
	if err := m.ensure(mem); err != nil {
		return err
	}
	f.Display.Flags |= cuda.DisplayAutoExposure
	f.Display.Meter, f.Display.Histogram = m.state.Address, m.histogram.Address
	if f.Display.Shown >= cuda.ShownLightEnd { // no light
		m.release(display)
		return nil
	}
	if m.of == nil {
		m.of = display
	}
	if m.of == display {
		f.Display.AdaptDarker, f.Display.AdaptBrighter = m.adaptation(clock)
	}
	return nil
}

// adaptation is the shares of their way that exposures which are too high or too low go until a moment.
func (m *AutoExposure) adaptation(clock time.Duration) (darker, brighter float32) {
	passed := clock - m.clock
	atOnce := clock == 0 || m.clock == 0 || passed < 0
	m.clock = clock
	if atOnce {
		return 1, 1
	}
	way := func(most time.Duration) float32 { return float32(-math.Expm1(-passed.Seconds() / most.Seconds())) }
	return way(toBright), way(toDark)
}

// release lets another image be metered, at once.
func (m *AutoExposure) release(display any) {
	if m.of == display {
		m.of, m.clock = nil, 0
	}
}

// metering launches the meter where the frame is to be metered.
func metering(f *cuda.Frame) []device.Launch {
	if f.Display.AdaptDarker == 0 {
		return nil
	}
	return device.Metering(cuda.MeterLight, int(f.Film.Width), int(f.Film.Height))
}

// read reads back what was found, when the device has nothing left to do.
func (m *AutoExposure) read(mem device.Memory) error {
	found := make([]cuda.Meter, 1)
	if err := mem.Download(m.state, device.BytesOf(found)); err != nil {
		return fmt.Errorf("read the exposure that was found: %w", err)
	}
	m.found = found[0]
	return nil
}
