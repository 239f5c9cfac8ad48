package denoise

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"sync"

	"glint/cuda"
	"glint/tracer/denoise/net"
	"glint/tracer/device"
)

// LearnedBytes is about how much a live view by the filter that has learned needs, bytes a pixel.
const LearnedBytes = 640

// learned is the filter that has learned (docs/denoising.md).
type learned struct{ work learnedWork }

// learnedNet is the net: a U-Net of four levels. Its last layer, which has no neighbours, is in the kernels (headsAt).
func learnedNet() []net.Layer {
	of := func(name string) []net.Source { return []net.Source{{Image: name}} }
	join := func(low, skip string) []net.Source { return []net.Source{{Image: low, Up: true}, {Image: skip}} }
	return []net.Layer{
		{Name: "e0", From: of(net.Input), Channels: 16, ReLU: true, Pool: true},
		{Name: "e1", From: of("e0" + net.Pooled), Channels: 48, ReLU: true},
		{Name: "e1b", From: of("e1"), Channels: 48, ReLU: true, Pool: true},
		{Name: "e2", From: of("e1b" + net.Pooled), Channels: 64, ReLU: true},
		{Name: "e2b", From: of("e2"), Channels: 64, ReLU: true, Pool: true},
		{Name: "e3", From: of("e2b" + net.Pooled), Channels: 96, ReLU: true},
		{Name: "e3b", From: of("e3"), Channels: 96, ReLU: true},
		{Name: "d2", From: join("e3b", "e2b"), Channels: 64, ReLU: true},
		{Name: "d1", From: join("d2", "e1b"), Channels: 32, ReLU: true},
		{Name: "d0", From: join("d1", "e0"), Channels: int(cuda.LearnedHidden), ReLU: true},
	}
}

// learnedWeights are those that were trained.
//
//go:embed learned.tza
var learnedWeights []byte

// learnedTensors reads them once.
var learnedTensors = sync.OnceValues(func() ([]net.Tensor, error) { return net.ReadTZA(learnedWeights) })

// learnedHeads are the weights of the last layer and its biases, as headsAt reads them.
func learnedHeads(tensors []net.Tensor) ([]float32, error) {
	const heads, hidden = int(cuda.LearnedHeads), int(cuda.LearnedHidden)
	var values []float32
	for _, want := range []struct {
		name string
		size int
	}{{"out.weight", heads * hidden}, {"out.bias", heads}} {
		i := slices.IndexFunc(tensors, func(t net.Tensor) bool { return t.Name == want.name })
		if i < 0 || len(tensors[i].Values) != want.size {
			return nil, fmt.Errorf("tensor %s is not there or has another size than %d", want.name, want.size)
		}
		values = append(values, tensors[i].Values...)
	}
	return values, nil
}

func (*learned) Name() string { return Learned }

func (*learned) Planes(bool) int { return int(cuda.AovFilterPlanes) }

// learnedWork is what the filter needs while it makes a picture.
type learnedWork struct {
	device             device.Device
	net                *net.Net
	heads              device.Buffer
	set                device.Set[int] // pixels
	taps, past, scales device.Buffer
	meter, histogram   device.Buffer // as those of display.AutoExposure
}

// prepare makes room for pictures of a frame's size, and has the frame name it.
func (w *learnedWork) prepare(d device.Device, f *cuda.Frame, o Options) error {
	if w.net == nil {
		if err := w.open(d); err != nil {
			w.free() // next time from the beginning
			return fmt.Errorf("the filter that has learned: %w", err)
		}
	}
	width, height := int(f.Film.Width), int(f.Film.Height)
	if err := w.net.Resize(width, height); err != nil {
		return err
	}
	const tap, past, scales = 2 * 32, 16 * int(cuda.PastPlanes), 16 // bytes a pixel
	anew, err := w.set.Ensure(d, width*height, func(pixels int) []device.Allocation {
		return []device.Allocation{{Buffer: &w.taps, Bytes: tap * pixels}, {Buffer: &w.past, Bytes: past * pixels},
			{Buffer: &w.scales, Bytes: scales * pixels},
			{Buffer: &w.meter, Bytes: device.SizeOf[cuda.Meter]()}, {Buffer: &w.histogram, Bytes: 4 * int(cuda.MeterBins)}}
	})
	if err != nil {
		return fmt.Errorf("buffers of the filter: %w", err)
	}
	if anew {
		for _, b := range []device.Buffer{w.meter, w.histogram} {
			if err := d.Zero(b); err != nil {
				return err
			}
		}
	}
	w.net.Fill(f)
	l := &f.Learned
	l.Input, l.Output, l.Heads = w.net.Input().Address, w.net.Output().Address, w.heads.Address
	l.Taps, l.Past, l.Scales = w.taps.Address, w.past.Address, w.scales.Address
	f.Display.Meter, f.Display.Histogram = w.meter.Address, w.histogram.Address // of its copy of the frame
	f.Display.AdaptDarker, f.Display.AdaptBrighter = 1, 1                       // at once
	l.Pitch, l.Exposure = uint32(w.net.Padded().Width), f.Display.Exposure*float32(math.Exp2(o.EV))
	if o.Shared {
		l.Shared = 1
	}
	return nil
}

func (w *learnedWork) open(d device.Device) error {
	tensors, err := learnedTensors()
	if err != nil {
		return err
	}
	heads, err := learnedHeads(tensors)
	if err != nil {
		return err
	}
	w.device = d
	w.net, err = net.New(d, int(cuda.LearnedInputs), learnedNet(), tensors)
	if err != nil {
		return err
	}
	buffers, err := device.UploadAll(d, []device.Rows{{Address: new(uint64), Data: device.BytesOf(heads)}})
	if err != nil {
		return err
	}
	w.heads = buffers[0]
	return nil
}

// launches are the filter's kernels, after those of input.
func (w *learnedWork) launches(f *cuda.Frame) []device.Launch {
	width, height := int(f.Film.Width), int(f.Film.Height)
	tiles := device.Tiled(width, height)
	batch := append(device.Metering(cuda.MeterSamples, width, height), device.Launch{Kernel: cuda.LearnedInput, Indices: tiles})
	batch = append(batch, w.net.Launches()...)
	batch = append(batch, device.Launch{Kernel: cuda.LearnedMix, Indices: tiles})
	for level := range cuda.LearnedPasses {
		batch = append(batch, device.Launch{Kernel: cuda.LearnedPass, Arg: level<<1 | level&1, Indices: tiles})
	}
	if f.Denoise.EdgeRays > 0 {
		batch = append(batch, device.Launch{Kernel: cuda.FindEdges, Arg: cuda.LearnedLight, Indices: tiles})
		batch = append(batch, edgeRays(f, cuda.LearnedLight)...)
	}
	pixels, live := width*height, f.Denoise.VirtualHits != 0
	if live {
		batch = append(batch, device.Launch{Kernel: cuda.LearnedStabilize, Indices: pixels})
	}
	batch = append(batch, balance(f, cuda.LearnedLight)...)
	if live {
		batch = append(batch, device.Launch{Kernel: cuda.LearnedKeep, Indices: pixels})
	}
	return batch
}

func (w *learnedWork) free() {
	if w.device != nil {
		w.set.Free(w.device)
		device.FreeAll(w.device, []device.Buffer{w.heads})
	}
	if w.net != nil {
		w.net.Free()
	}
	*w = learnedWork{}
}

// bytes is the memory that is held.
func (w *learnedWork) bytes() int {
	if w.net == nil {
		return 0
	}
	return w.net.Bytes() + w.set.Bytes() + w.heads.Size
}

// input is the first launch: what it reads is not looked at again after it.
func (*learned) input(f *cuda.Frame) device.Launch { return atrous{}.input(f) }

// Enqueue has room of its own made on the device that it is first given.
func (l *learned) Enqueue(d device.Device, f *cuda.Frame, o Options) error {
	if err := l.work.prepare(d, f, o); err != nil {
		return err
	}
	if err := d.SetFrame(f); err != nil {
		return err
	}
	return d.Submit(append(recorded(l.input(f), f), l.work.launches(f)...))
}

// Begin gives work in the background room of its own, which lives as long as it takes. Of two halves the second is filtered by the other
// built-in filter: by the same network both would look alike where both are wrong.
func (l *learned) Begin(d device.Device, frames []cuda.Frame, o Options) (func() error, error) {
	for i := range frames {
		if err := runOn(d, &frames[i], l.input(&frames[i])); err != nil {
			return nil, err
		}
	}
	background := d.Background()
	return func() error {
		var own learnedWork
		defer own.free()
		if err := own.prepare(background, &frames[0], o); err != nil {
			return err
		}
		if err := runOn(background, &frames[0], own.launches(&frames[0])...); err != nil {
			return err
		}
		for i := 1; i < len(frames); i++ {
			if err := runOn(background, &frames[i], atrous{}.filter(&frames[i])...); err != nil {
				return err
			}
		}
		return background.Sync()
	}, nil
}

// Bytes is what it holds from picture to picture.
func (l *learned) Bytes() int { return l.work.bytes() }

// Close gives the room back.
func (l *learned) Close() { l.work.free() }
