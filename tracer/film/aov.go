package film

import (
	"errors"
	"fmt"
	"slices"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/imageio"
	"glint/tracer/settings"
)

// AOV is something that is kept of each pixel besides its light: a view in the window, a layer of an EXR file.
type AOV struct{ cuda.AOV }

// Legend is what colours of its view stand for, where they are a scale.
func (a AOV) Legend() []Swatch {
	if a.Scale == nil {
		return nil
	}
	return Viridis(a.Scale[0], a.Scale[1], a.Scale[2])
}

// AOVs lists them all. Albedo and normal are those of the first surface that is neither mirror nor smooth glass
// (cuda/kernels/path/guides.cuh), the others of the first surface.
func AOVs() []AOV {
	table := make([]AOV, len(cuda.AOVs()))
	for i, a := range cuda.AOVs() {
		table[i] = AOV{a}
	}
	return table
}

// Choices are the words of setting aov-view.
func Choices() []settings.Choice {
	var choices []settings.Choice
	for _, a := range AOVs() {
		choices = append(choices, settings.Choice{Name: a.Name, Help: a.Help})
	}
	return choices
}

// LookupAOV finds an AOV by its name.
func LookupAOV(name string) (AOV, bool) {
	for _, a := range AOVs() {
		if a.Name == name {
			return a, true
		}
	}
	return AOV{}, false
}

// planes are the planes of AOVs of one image, taken when they are first wanted.
type planes struct {
	set    device.Set[planesShape]
	buffer device.Buffer // float4 per pixel and plane, then where the built-in filter's are kept the Blocks of each pixel
	since  int           // samples of the image when they were taken, by weight
}

type planesShape struct{ pixels, planes int }

// floatsOf is how many floats a pixel has in so many planes and, where the built-in filter's are kept, in its blocks of samples.
func floatsOf(planes int) int {
	if keepsBlocks(planes) {
		return 4*planes + device.SizeOf[cuda.Blocks]()/4
	}
	return 4 * planes
}

// keepsBlocks tells whether blocks of samples are kept beside so many planes.
func keepsBlocks(planes int) bool { return planes >= int(cuda.AovFilterPlanes) }

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
