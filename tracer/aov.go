package tracer

import (
	"errors"
	"fmt"
	"slices"

	"glint/cuda"
	"glint/tracer/imageio"
)

// AOV is something that is kept of each pixel besides its light: a view in the window, a layer of an EXR file.
type AOV struct {
	Name     string // of view and layer
	Help     string
	Channels []string // of the layer
	// Mean says that the samples of a pixel are averaged, as they are for light. What cannot be is taken from the first one.
	Mean  bool
	shown uint32                      // enum Shown of cuda/kernels/params/display.h
	value func(p *aovPixel) []float32 // nil: it is no mean of samples, see Trust
}

// Legend is what colours of its view stand for, where they are a scale.
func (a AOV) Legend() []Swatch {
	switch a.Name {
	case "variance":
		return viridis("1/1024", "1/32", "1")
	case "trust":
		return viridis("1/256: agreed", "1/16", "1: not to be trusted")
	}
	return nil
}

// aovPixel is what is kept of one pixel.
type aovPixel struct {
	planes [cuda.AovPlanes][4]float32
	light  [4]float32 // sum of its samples, and their number
}

// AOVs lists them all. Albedo and normal are those of the first surface that is neither mirror nor smooth glass
// (cuda/kernels/path/guides.cuh), the others of the first surface.
func AOVs() []AOV {
	rgb, xyz := []string{"R", "G", "B"}, []string{"X", "Y", "Z"}
	return []AOV{
		{"direct", "light that was scattered once at most, mirrors and smooth glass apart [nit]", rgb, true, cuda.ShownDirect,
			meanOf(cuda.AovDirect, 3)},
		{"indirect", "the rest of the light [nit]: with direct it is the image", rgb, true, cuda.ShownIndirect, indirectOf},
		{"albedo", "colour without light", rgb, true, cuda.ShownAlbedo, meanOf(cuda.AovAlbedo, 3)},
		{"normal", "shading normal: 0 at −1, full at 1", xyz, true, cuda.ShownNormal, meanOf(cuda.AovNormal, 3)},
		{"depth", "along the camera's axis, dark near and bright far [m]", []string{"Z"}, false, cuda.ShownDepth,
			func(p *aovPixel) []float32 { return p.planes[cuda.AovPosition][3:] }},
		{"position", "a wave per axis, as long as the scene's radius [m]", xyz, false, cuda.ShownPosition,
			func(p *aovPixel) []float32 { return p.planes[cuda.AovPosition][:3] }},
		{"material", "number in the file; −1 for none", []string{"I"}, false, cuda.ShownMaterial,
			func(p *aovPixel) []float32 { return p.planes[cuda.AovIds][:1] }},
		{"object", "number of what was placed in the scene; −1 for none", []string{"I"}, false, cuda.ShownObject,
			func(p *aovPixel) []float32 { return p.planes[cuda.AovIds][1:2] }},
		{"motion", "in the image since the frame before [pixels]: red to the right, green down, 16 at full", []string{"X", "Y"}, false, cuda.ShownMotion,
			func(p *aovPixel) []float32 { return p.planes[cuda.AovIds][2:] }},
		{"samples", "in the pixel, logarithmic up to 65536", []string{"N"}, false, cuda.ShownSamples,
			func(p *aovPixel) []float32 { return p.light[3:] }},
		{"variance", "of the pixel's mean luminance [nit²]; shown as relative standard error, logarithmic from 1/1024 to 1",
			[]string{"V"}, false, cuda.ShownVariance, func(p *aovPixel) []float32 { return []float32{varianceOf(p.planes[cuda.AovMoments])} }},
		{"trust", "how far two halves of the samples are apart once each is denoised, relative: about the error that is left; logarithmic from 1/256 to 1",
			[]string{"T"}, false, cuda.ShownError, nil},
	}
}

// meanOf is the mean over samples of the first values of a plane; zero without samples.
func meanOf(plane uint32, values int) func(*aovPixel) []float32 {
	return func(p *aovPixel) []float32 {
		sums := p.planes[plane]
		mean := make([]float32, values)
		for i := range mean {
			mean[i] = sums[i] / max(sums[3], 1)
		}
		return mean
	}
}

// indirectOf is what direct light leaves of the mean.
func indirectOf(p *aovPixel) []float32 {
	direct := meanOf(cuda.AovDirect, 3)(p)
	for i := range direct {
		direct[i] = p.light[i]/max(p.light[3], 1) - direct[i]
	}
	return direct
}

// varianceOf is the variance of a mean, from the sums of values, of their squares, and their number.
func varianceOf(moments [4]float32) float32 {
	sum, squares, n := float64(moments[0]), float64(moments[1]), float64(moments[3])
	if n < 2 {
		return 0
	}
	mean := sum / n
	return float32(max(squares/n-mean*mean, 0) / (n - 1))
}

func aovNames() []string {
	names := []string{"off"}
	for _, a := range AOVs() {
		names = append(names, a.Name)
	}
	return names
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

// Layers are all AOVs of the image so far, but for trust. They are kept while View.Layers is on.
func (r *Renderer) Layers() ([]imageio.Layer, error) {
	pixels := r.film.width * r.film.height
	if r.film.aovs.planes < int(cuda.AovPlanes) {
		return nil, errors.New("read the layers: they were not kept")
	}
	planes, sums := make([][4]float32, int(cuda.AovPlanes)*pixels), make([][4]float32, pixels)
	err := r.device.download(r.film.aovs.buffer, bytesOf(planes))
	if err == nil {
		err = r.device.download(r.film.accumulation, bytesOf(sums))
	}
	if err != nil {
		return nil, fmt.Errorf("read the layers: %w", err)
	}
	table := slices.DeleteFunc(AOVs(), func(a AOV) bool { return a.value == nil })
	layers := make([]imageio.Layer, len(table))
	for i, a := range table {
		layers[i] = imageio.Layer{Name: a.Name, Channels: a.Channels, Pix: make([]float32, 0, len(a.Channels)*pixels)}
	}
	for at := range pixels {
		p := aovPixel{light: sums[at]}
		for plane := range p.planes {
			p.planes[plane] = planes[plane*pixels+at]
		}
		for i, a := range table {
			layers[i].Pix = append(layers[i].Pix, a.value(&p)...)
		}
	}
	return layers, nil
}
