// Package film is what samples add up to, and how to read it back.
package film

import (
	"errors"
	"fmt"
	"slices"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/imageio"
)

// Film holds the samples of one image.
type Film struct {
	device        device.Device
	fixed         device.Set[struct{}]
	images        device.Set[Size]
	accumulation  device.Buffer // float4 per pixel: sum of samples [nit], and their number by weight
	target        device.Buffer // RGBA8 per pixel, where kernels cannot reach those that are asked for
	imported      device.Buffer // float4 per pixel of a picture that was imported to be shown
	counters      device.Buffer
	spareCounters device.Buffer // that nobody reads
	aovs          planes
	moving        device.Set[Size]
	movement      device.Buffer // float4 per pixel: to where its surface was in the image before [m]
}

// Size is that of an image, pixels.
type Size struct{ Width, Height int }

// Pixels is how many there are.
func (s Size) Pixels() int { return s.Width * s.Height }

// New makes an empty film.
func New(d device.Device) (*Film, error) {
	f := &Film{device: d}
	if _, err := f.fixed.Ensure(d, struct{}{}, func(struct{}) []device.Allocation {
		const counters = 8 * int(cuda.CounterCount)
		return []device.Allocation{{Buffer: &f.counters, Bytes: counters}, {Buffer: &f.spareCounters, Bytes: counters}}
	}); err != nil {
		return nil, err
	}
	if err := d.Zero(f.counters); err != nil {
		f.fixed.Free(d)
		return nil, err
	}
	return f, nil
}

// Size is that of the image; zero before the first Resize.
func (f *Film) Size() Size { return f.images.Shape() }

// Resize makes the buffers fit an image; true when they were made anew, and hold nothing yet.
func (f *Film) Resize(size Size) (bool, error) {
	if f.images.Held() && f.images.Shape() == size {
		return false, nil
	}
	f.FreeImages()
	anew, err := f.images.Ensure(f.device, size, func(s Size) []device.Allocation {
		return []device.Allocation{{Buffer: &f.accumulation, Bytes: 16 * s.Pixels()}, {Buffer: &f.target, Bytes: 4 * s.Pixels()}}
	})
	if err != nil {
		return false, fmt.Errorf("image of %d×%d: %w", size.Width, size.Height, err)
	}
	return anew, nil
}

// Fill fills in where samples go, and how bright they may be [nit]; 0: as they are.
func (f *Film) Fill(frame *cuda.Frame, size Size, clamp float64) {
	frame.Film.Width, frame.Film.Height = uint32(size.Width), uint32(size.Height)
	frame.Film.TiledPixels = uint32(device.Tiled(size.Width, size.Height))
	frame.Film.Accumulation, frame.Film.Counters = f.accumulation.Address, f.counters.Address
	frame.Film.SampleWeight, frame.Film.Clamp = 1, float32(clamp)
}

// Target is where a picture goes, RGBA8, where kernels cannot reach the pixels that are asked for.
func (f *Film) Target() uint64 { return f.target.Address }

// FillImported has the picture shown that was imported.
func (f *Film) FillImported(frame *cuda.Frame) { frame.Film.Accumulation = f.imported.Address }

// FillPreview has this image shown, stretched, in place of one of another size; denoised is the address of its means where it
// has been denoised, or 0.
func (f *Film) FillPreview(frame *cuda.Frame, denoised uint64) {
	frame.Film.PreviewWidth, frame.Film.PreviewHeight = uint32(f.Size().Width), uint32(f.Size().Height)
	frame.Film.Preview, frame.Film.PreviewMeans, frame.Film.PreviewAovs = f.accumulation.Address, 0, 0
	if f.AOVs() > int(cuda.AovEmissive) {
		frame.Film.PreviewAovs = f.aovs.buffer.Address
	}
	if denoised != 0 {
		frame.Film.Preview, frame.Film.PreviewMeans = denoised, 1
	}
}

// FillAOVs fills in the planes that are kept.
func (f *Film) FillAOVs(frame *cuda.Frame) {
	frame.Film.Aovs, frame.Film.AovPlanes = f.aovs.buffer.Address, uint32(f.aovs.set.Shape().planes)
	frame.Film.MomentsImage, frame.Film.MomentsSince = f.accumulation.Address, float32(f.aovs.since)
	frame.Film.Movement, frame.Film.Blocks = f.movement.Address, 0
	if keepsBlocks(f.AOVs()) {
		frame.Film.Blocks = f.aovs.buffer.Address + uint64(16*f.AOVs()*f.Size().Pixels())
	}
}

// EnsureMovement has kept, beside AOVs, where surfaces were in the image before, or no longer.
func (f *Film) EnsureMovement(wanted bool) error {
	if !wanted {
		f.moving.Free(f.device)
		return nil
	}
	_, err := f.moving.Ensure(f.device, f.Size(), func(s Size) []device.Allocation {
		return []device.Allocation{{Buffer: &f.movement, Bytes: 16 * s.Pixels()}}
	})
	return err
}

// DirectPass makes the frame of a pass that traces the paths of a sample once more, for direct light alone: the same random
// numbers find the same light, so that direct and indirect add up to the image, and the kernels that render it need not tell
// them apart.
func (f *Film) DirectPass(frame cuda.Frame) cuda.Frame {
	frame.Film.Accumulation = frame.Film.Aovs + uint64(cuda.AovDirect)*16*uint64(frame.Film.Width)*uint64(frame.Film.Height)
	frame.Film.Counters = f.spareCounters.Address // what is dropped has been counted
	frame.Sampling.Flags = frame.Sampling.Flags&^cuda.FrameStatistics | cuda.FrameNoIndirect
	if frame.FirstHits.Hits != 0 {
		frame.Sampling.Flags |= cuda.FrameFirstHits // all are known by now
	}
	frame.Film.AovPlanes = 0
	return frame
}

// Clear empties image, counters and AOVs.
func (f *Film) Clear() error {
	for _, b := range []device.Buffer{f.counters, f.accumulation, f.aovs.buffer} {
		if b.Size == 0 {
			continue
		}
		if err := f.device.Zero(b); err != nil {
			return err
		}
	}
	return nil
}

// Import keeps a picture (linear, nits) of the image's size for FillImported to show.
func (f *Film) Import(img *imageio.Image) error {
	if (Size{img.Width, img.Height}) != f.Size() {
		return errors.New("render an image of the same size first")
	}
	pixels := make([][4]float32, img.Width*img.Height)
	for i := range pixels {
		pixels[i] = [4]float32{img.Pix[3*i], img.Pix[3*i+1], img.Pix[3*i+2], 1}
	}
	if err := f.device.Sync(); err != nil {
		return err
	}
	if f.imported.Size == 0 {
		if err := device.Allocate(f.device, []device.Allocation{{Buffer: &f.imported, Bytes: 16 * len(pixels)}}); err != nil {
			return fmt.Errorf("picture of %d pixels: %w", len(pixels), err)
		}
	}
	return f.device.Upload(f.imported, device.BytesOf(pixels))
}

// Radiance is the image so far: the mean of every pixel's samples, linear, nits.
func (f *Film) Radiance() (*imageio.Image, error) {
	size := f.Size()
	sums := make([][4]float32, size.Pixels())
	if err := f.device.Download(f.accumulation, device.BytesOf(sums)); err != nil {
		return nil, fmt.Errorf("read the image back: %w", err)
	}
	img := &imageio.Image{Width: size.Width, Height: size.Height, Pix: make([]float32, 3*size.Pixels())}
	for i, s := range sums {
		for c := range 3 {
			img.Pix[3*i+c] = s[c] / max(s[3], 1)
		}
	}
	return img, nil
}

// ReadTarget reads back RGBA8 that was written to the film's own target.
func (f *Film) ReadTarget(pixels []byte) error { return f.device.Download(f.target, pixels) }

// Counters reads back what kernels have counted since the image began (enum Counter).
func (f *Film) Counters() (raw [cuda.CounterCount]uint64, err error) {
	if err := f.device.Download(f.counters, device.BytesOf(raw[:])); err != nil {
		return raw, fmt.Errorf("read the counters: %w", err)
	}
	return raw, nil
}

// Bytes is the memory of the image; that of AOVs is AOVBytes.
func (f *Film) Bytes() int { return f.fixed.Bytes() + f.images.Bytes() + f.imported.Size }

// AOVBytes is the memory of AOVs.
func (f *Film) AOVBytes() int { return f.aovs.buffer.Size + f.moving.Bytes() }

// FreeImages gives back all but the counters. Resize makes the image anew.
func (f *Film) FreeImages() {
	f.images.Free(f.device)
	device.Release(f.device, []device.Allocation{{Buffer: &f.imported}})
	f.aovs.set.Free(f.device)
	f.moving.Free(f.device)
}

// Close gives the memory back.
func (f *Film) Close() {
	f.FreeImages()
	f.fixed.Free(f.device)
}

// EnsureAOVs makes room for so many planes of the image, which has so many samples by weight, or for none. It tells whether they are new, and
// empty.
func (f *Film) EnsureAOVs(count, samples int) (anew bool, err error) {
	a, shape := &f.aovs, planesShape{f.Size().Pixels(), count}
	if count == 0 {
		a.set.Free(f.device)
		return false, nil
	}
	anew, err = a.set.Ensure(f.device, shape, func(s planesShape) []device.Allocation {
		return []device.Allocation{{Buffer: &a.buffer, Bytes: 4 * floatsOf(s.planes) * s.pixels}}
	})
	if err != nil {
		return false, fmt.Errorf("buffers of AOVs: %w", err)
	}
	if anew {
		a.since, err = samples, f.device.Zero(a.buffer)
	}
	return anew, err
}

// Restart says that the image begins anew, and AOVs with it.
func (f *Film) Restart() { f.aovs.since = 0 }

// AOVs is how many planes are kept.
func (f *Film) AOVs() int { return f.aovs.set.Shape().planes }

// Layers are all AOVs of the image so far, except those that package denoise makes.
func (f *Film) Layers() ([]imageio.Layer, error) {
	pixels := f.Size().Pixels()
	if f.AOVs() < int(cuda.AovPlanes) {
		return nil, errors.New("read the layers: they were not kept")
	}
	planes, sums := make([][4]float32, int(cuda.AovPlanes)*pixels), make([][4]float32, pixels)
	err := f.device.Download(f.aovs.buffer, device.BytesOf(planes))
	if err == nil {
		err = f.device.Download(f.accumulation, device.BytesOf(sums))
	}
	if err != nil {
		return nil, fmt.Errorf("read the layers: %w", err)
	}
	table := slices.DeleteFunc(AOVs(), func(a AOV) bool { return !a.IsKept() })
	layers := make([]imageio.Layer, len(table))
	for i, a := range table {
		layers[i] = imageio.Layer{Name: a.Name, Channels: a.Channels, Pix: make([]float32, 0, len(a.Channels)*pixels)}
	}
	for at := range pixels {
		p := cuda.AOVPixel{Light: sums[at], Since: f.aovs.since}
		for plane := range p.Planes {
			p.Planes[plane] = planes[plane*pixels+at]
		}
		for i, a := range table {
			layers[i].Pix = a.Append(layers[i].Pix, &p)
		}
	}
	return layers, nil
}
