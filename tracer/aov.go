package tracer

import (
	"errors"
	"fmt"
	"slices"

	"glint/cuda"
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
	return viridis(a.Scale[0], a.Scale[1], a.Scale[2])
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

func aovChoices() []settings.Choice {
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
	table := slices.DeleteFunc(AOVs(), func(a AOV) bool { return !a.IsKept() })
	layers := make([]imageio.Layer, len(table))
	for i, a := range table {
		layers[i] = imageio.Layer{Name: a.Name, Channels: a.Channels, Pix: make([]float32, 0, len(a.Channels)*pixels)}
	}
	for at := range pixels {
		p := cuda.AOVPixel{Light: sums[at]}
		for plane := range p.Planes {
			p.Planes[plane] = planes[plane*pixels+at]
		}
		for i, a := range table {
			layers[i].Pix = a.Append(layers[i].Pix, &p)
		}
	}
	return layers, nil
}
