package denoise

import (
	"errors"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/oidn"
)

// Library opens OIDN on a device when it is first asked for: what was missing then stays missing.
type Library struct {
	device device.Device
	opened *oidn.Device
	err    error // why there is none
}

// NewLibrary is OIDN for images on a device.
func NewLibrary(d device.Device) *Library { return &Library{device: d} }

// Open gives the device's OIDN. It shares context, memory and stream with a GPU.
func (l *Library) Open() (*oidn.Device, error) {
	if l.opened == nil && l.err == nil {
		l.opened, l.err = l.find()
	}
	return l.opened, l.err
}

func (l *Library) find() (*oidn.Device, error) {
	library, err := oidn.Find()
	if err != nil {
		return nil, err
	}
	switch access := l.device.Access(); {
	case access.Stream != 0:
		return library.CUDA(access.Ordinal, access.Stream)
	case access.Host:
		return library.CPU()
	}
	return library.Planned(), nil
}

// Close closes what was opened.
func (l *Library) Close() error {
	if l.opened == nil {
		return nil
	}
	err := l.opened.Close()
	l.opened, l.err = nil, errors.New("closed")
	return err
}

// openImageDenoise is Intel Open Image Denoise.
type openImageDenoise struct {
	library *Library
	filters *oidn.Denoiser // kept from picture to picture
}

func (o *openImageDenoise) Name() string { return OIDN }

func (o *openImageDenoise) Planes(history bool) int {
	if history {
		return int(cuda.AovFilterPlanes)
	}
	return int(cuda.AovDenoiserPlanes)
}

func (o *openImageDenoise) ready() error {
	if o.filters != nil {
		return nil
	}
	opened, err := o.library.Open()
	if err == nil {
		o.filters = opened.Denoiser()
	}
	return err
}

func (o *openImageDenoise) input(f *cuda.Frame) device.Launch {
	return device.Launch{Kernel: cuda.DenoiseInput, Indices: int(f.Film.Width * f.Film.Height)}
}

// Enqueue denoises, and steadies the picture where there is a history.
func (o *openImageDenoise) Enqueue(d device.Device, f *cuda.Frame, options Options) error {
	if err := o.ready(); err != nil {
		return err
	}
	return d.TimeWhole(func() error {
		if err := device.Run(d, o.input(f)); err != nil {
			return err
		}
		if err := o.filters.Denoise(taskOf(f, options)); err != nil || f.Denoise.VirtualHits == 0 {
			return err
		}
		return device.Run(d, device.Launch{Kernel: cuda.TemporalStabilize, Indices: device.Tiled(int(f.Film.Width), int(f.Film.Height))})
	})
}

// Begin gives work on several images filters of its own, which live as long as it takes: whoever stops it need not wait.
func (o *openImageDenoise) Begin(d device.Device, frames []cuda.Frame, options Options) (func() error, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	var tasks []oidn.Task
	for i := range frames {
		if err := runOn(d, &frames[i], o.input(&frames[i])); err != nil {
			return nil, err
		}
		tasks = append(tasks, taskOf(&frames[i], options))
	}
	opened, filters := o.library.opened, o.filters
	return func() error {
		if len(tasks) > 1 {
			filters = opened.Denoiser()
			defer filters.Release()
		}
		for _, t := range tasks {
			if err := filters.Denoise(t); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// Bytes leaves out what OIDN takes by itself.
func (o *openImageDenoise) Bytes() int { return 0 }

func (o *openImageDenoise) Close() {
	if o.filters != nil {
		o.filters.Release()
		o.filters = nil
	}
}

// qualityOf translates the words of setting denoise-quality.
var qualityOf = map[string]oidn.Quality{"fast": oidn.Fast, "balanced": oidn.Balanced, "high": oidn.High}

// taskOf is what is to be done with the planes that a frame names (enum DenoisePlane).
func taskOf(f *cuda.Frame, o Options) oidn.Task {
	width, height := int(f.Film.Width), int(f.Film.Height)
	plane := func(p uint32) oidn.Image {
		return oidn.Image{Address: f.Denoise.Inputs + uint64(p)*16*uint64(width*height), Stride: 16}
	}
	return oidn.Task{Width: width, Height: height, HDR: true, Prefilter: o.Still, Quality: qualityOf[o.Quality],
		Color: plane(cuda.DenoiseColor), Albedo: plane(cuda.DenoiseAlbedo), Normal: plane(cuda.DenoiseNormal),
		Output: oidn.Image{Address: f.Denoise.Denoised, Stride: 16}}
}
