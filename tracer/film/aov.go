package film

import (
	"glint/cuda"
	"glint/tracer/device"
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
