package integrator

import (
	"fmt"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/film"
	"glint/tracer/settings"
)

// ReuseView is something that --reuse-view shows, with the meaning of its colours.
type ReuseView struct {
	Name   string
	Help   string
	Legend []film.Swatch
	id     uint32 // enum ReuseView of cuda/kernels/params/restir.h
}

// ReuseViews lists what of reuse can be shown. Pixels without anything to share are dark grey, null samples black.
func ReuseViews() []ReuseView {
	axes := []film.Swatch{{RGB: 0xff0000, Label: "x"}, {RGB: 0x00ff00, Label: "y"}, {RGB: 0x0000ff, Label: "z"}}
	counts := film.Viridis("0", "15", "255")
	return []ReuseView{
		{"off", "", nil, cuda.ReuseViewOff},
		{"position", "x2, where the shaded sample lies: a wave per axis, as long as the scene's radius", axes, cuda.ReuseViewPosition},
		{"normal", "n2, the normal there: 0 at −1, full at 1", axes, cuda.ReuseViewNormal},
		{"radiance", "L2, what x2 sends, through exposure and tone curve", nil, cuda.ReuseViewRadiance},
		{"coat", "the coat over x2", []film.Swatch{{RGB: 0xff0000, Label: "roughness"}, {RGB: 0x00ff00, Label: "reflectance"}}, cuda.ReuseViewCoat},
		{"weight", "W, the sample's weight [sr], logarithmic", film.Viridis("0.01", "3", "1000"), cuda.ReuseViewWeight},
		{"confidence", "c, fresh samples that the sample stands for, logarithmic", counts, cuda.ReuseViewConfidence},
		{"age", "frames that the sample has lived, logarithmic", counts, cuda.ReuseViewAge},
		{"rejection", "what became of the search for history", verdicts(), cuda.ReuseViewVerdict},
		{"temporal-jacobian", "J of the shift from the frame before, by its logarithm, stretched around 1", jacobians(), cuda.ReuseViewTemporalJacobian},
		{"spatial-jacobian", "J of the shift from the first neighbour with a sample, by its logarithm, stretched around 1", jacobians(), cuda.ReuseViewSpatialJacobian},
		{"neighbours", "neighbours that are alike enough", film.Viridis("0", "4", "8"), cuda.ReuseViewNeighbors},
		{"duplicates", "pixels of 17×17 that hold the same sample, logarithmic", film.Viridis("0", "16", "288"), cuda.ReuseViewDuplicates},
	}
}

func jacobians() []film.Swatch {
	return append(film.Diverging("1/10", "1", "10"), []film.Swatch{{RGB: cuda.ShiftNone, Label: "nobody to take from"}, {RGB: cuda.ShiftEmpty, Label: "no sample"}, {RGB: cuda.ShiftUndefined, Label: "cannot be moved"}}...)
}

func verdicts() []film.Swatch {
	return []film.Swatch{
		{RGB: cuda.VerdictAccepted, Label: "found"}, {RGB: cuda.VerdictNear, Label: "found near by"}, {RGB: cuda.VerdictUnshared, Label: "nothing to share"},
		{RGB: cuda.VerdictNew, Label: "no frame before"}, {RGB: cuda.VerdictOutside, Label: "out of sight"}, {RGB: cuda.VerdictKind, Label: "nothing shared there, or a mirror"},
		{RGB: cuda.VerdictNormal, Label: "normal"}, {RGB: cuda.VerdictDepth, Label: "distance"}, {RGB: cuda.VerdictMaterial, Label: "material"}, {RGB: cuda.VerdictAge, Label: "too old"},
	}
}

// ReuseChoices are the words of setting reuse-view.
func ReuseChoices() []settings.Choice {
	var choices []settings.Choice
	for _, v := range ReuseViews()[1:] {
		choices = append(choices, settings.Choice{Name: v.Name, Help: v.Help})
	}
	return choices
}

// LookupReuseView finds a view by its name; the first, off, when there is none.
func LookupReuseView(name string) ReuseView {
	views := ReuseViews()
	for _, v := range views {
		if v.Name == name {
			return v
		}
	}
	return views[0]
}

// reuseView is where kernels draw the view that is on: RGBA8 per pixel.
type reuseView struct {
	set    device.Set[reuseShape]
	buffer device.Buffer
}

type reuseShape struct{ width, height uint32 }

// fill has the kernels draw a view, or none.
func (v *reuseView) fill(d device.Device, f *cuda.Frame, name string) error {
	f.Restir.ReuseView = LookupReuseView(name).id
	if f.Restir.ReuseView == cuda.ReuseViewOff {
		return nil
	}
	anew, err := v.set.Ensure(d, reuseShape{f.Film.Width, f.Film.Height}, func(s reuseShape) []device.Allocation {
		return []device.Allocation{{Buffer: &v.buffer, Bytes: 4 * int(s.width) * int(s.height)}}
	})
	if err == nil && anew {
		err = d.Zero(v.buffer)
	}
	if err != nil {
		return fmt.Errorf("buffer of --reuse-view: %w", err)
	}
	f.Restir.View = v.buffer.Address
	return nil
}
