package denoise

import (
	"glint/cuda"
	"glint/tracer/device"
)

// atrous is the built-in filter (docs/denoising.md).
type atrous struct{}

func (atrous) Name() string { return Atrous }

func (atrous) Planes(bool) int { return int(cuda.AovFilterPlanes) }

// EdgeSamples is how many camera rays a pixel of a live view has at least, where those around it differ (docs/denoising.md).
const EdgeSamples = 1 + int(cuda.EdgeRays)

// input is the first launch. Images without history are denoised in the background: what it reads is not looked at again after it.
func (atrous) input(f *cuda.Frame) device.Launch {
	return device.Launch{Kernel: cuda.AtrousDemodulate, Indices: int(f.Film.Width * f.Film.Height)}
}

// recorded is the first launch, and what keeps what it wrote, where filters learn from that.
func recorded(input device.Launch, f *cuda.Frame) []device.Launch {
	if f.Denoise.Record == 0 {
		return []device.Launch{input}
	}
	return []device.Launch{input, {Kernel: cuda.KeepRecord, Indices: device.Tiled(int(f.Film.Width), int(f.Film.Height))}}
}

// filter are the launches that follow. They read one half of the signals and write the other by turns.
func (atrous) filter(f *cuda.Frame) []device.Launch {
	tiles := device.Tiled(int(f.Film.Width), int(f.Film.Height))
	var batch []device.Launch
	side := uint32(0)
	if f.Denoise.VirtualHits != 0 {
		batch = append(batch, device.Launch{Kernel: cuda.AtrousAccumulate, Indices: tiles})
		side = 1 - side
	}
	batch = append(batch, device.Launch{Kernel: cuda.AtrousErrors, Arg: side, Indices: tiles})
	for pass := range cuda.AtrousPasses {
		side = 1 - side
		batch = append(batch, device.Launch{Kernel: cuda.AtrousFilter, Arg: pass<<1 | side, Indices: tiles})
	}
	filtered, converged := 1-side, f.Denoise.ImageSamples >= float32(cuda.ConvergedSamples)
	live := f.Denoise.VirtualHits != 0
	if live && !converged {
		batch = append(batch, device.Launch{Kernel: cuda.FindEdges, Arg: filtered, Indices: tiles})
	}
	batch = append(batch, edgeRays(f, filtered)...)
	batch = append(batch, balance(f, filtered)...)
	if live {
		batch = append(batch, device.Launch{Kernel: cuda.TemporalStabilize, Indices: tiles})
	}
	return batch
}

// edgeRays are the launches after FindEdges; `filtered` is the half of the irradiance with what has been filtered.
func edgeRays(f *cuda.Frame, filtered uint32) []device.Launch {
	if f.Denoise.EdgeRays == 0 {
		return nil
	}
	pixels := int(f.Film.Width * f.Film.Height)
	return []device.Launch{
		{Kernel: cuda.SmoothEdges, Arg: filtered, Indices: pixels * int(f.Denoise.EdgeRays)},
		{Kernel: cuda.FollowEdges, Arg: filtered, Indices: pixels * int(f.Denoise.EdgeRays)},
		{Kernel: cuda.AverageEdges, Arg: filtered, Indices: pixels}}
}

// balance are the launches that show samples where the filter errs more.
func balance(f *cuda.Frame, filtered uint32) []device.Launch {
	return []device.Launch{
		{Kernel: cuda.MeasureBias, Arg: 1 - filtered, Indices: blocks(f.Film.Width) * blocks(f.Film.Height)},
		{Kernel: cuda.Balance, Arg: 1 - filtered, Indices: device.Tiled(int(f.Film.Width), int(f.Film.Height))}}
}

// blocks is how many blocks of the filter's balance lie along so many pixels.
func blocks(pixels uint32) int { return int((pixels + cuda.BalanceSide - 1) / cuda.BalanceSide) }

func (a atrous) Enqueue(d device.Device, f *cuda.Frame, _ Options) error {
	return d.Submit(append(recorded(a.input(f), f), a.filter(f)...))
}

func (a atrous) Begin(d device.Device, frames []cuda.Frame, _ Options) (func() error, error) {
	for i := range frames {
		if err := runOn(d, &frames[i], a.input(&frames[i])); err != nil {
			return nil, err
		}
	}
	background := d.Background()
	return func() error {
		for i := range frames {
			if err := runOn(background, &frames[i], a.filter(&frames[i])...); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func (atrous) Bytes() int { return 0 }

func (atrous) Close() {}
