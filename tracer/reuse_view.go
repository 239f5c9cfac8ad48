package tracer

import (
	"fmt"

	"glint/cuda"
)

// Swatch is a colour of a view and what it stands for.
type Swatch struct {
	RGB   uint32 // 0xRRGGBB, display-encoded
	Label string
}

// ReuseView is something that --reuse-view shows, with the meaning of its colours.
type ReuseView struct {
	Name   string
	Help   string
	Legend []Swatch
	id     uint32 // enum ReuseView of cuda/kernels/params/restir.h
}

// Ends and middles of the kernels' colour maps (cuda/kernels/display/views.cuh).
const (
	viridisLow, viridisMiddle, viridisHigh       = 0x440154, 0x21918c, 0xfde725
	divergingLow, divergingMiddle, divergingHigh = 0x053061, 0xf7f7f7, 0x67001f
)

// ReuseViews lists what of reuse can be shown. Pixels without anything to share are dark grey, null samples black.
func ReuseViews() []ReuseView {
	axes := []Swatch{{0xff0000, "x"}, {0x00ff00, "y"}, {0x0000ff, "z"}}
	counts := viridis("0", "15", "255")
	return []ReuseView{
		{"off", "", nil, cuda.ReuseViewOff},
		{"position", "x2, where the shaded sample lies: a wave per axis, as long as the scene's radius", axes, cuda.ReuseViewPosition},
		{"normal", "n2, the normal there: 0 at −1, full at 1", axes, cuda.ReuseViewNormal},
		{"radiance", "L2, what x2 sends, through exposure and tone curve", nil, cuda.ReuseViewRadiance},
		{"coat", "the coat over x2", []Swatch{{0xff0000, "roughness"}, {0x00ff00, "reflectance"}}, cuda.ReuseViewCoat},
		{"weight", "W, the sample's weight [sr], logarithmic", viridis("0.01", "3", "1000"), cuda.ReuseViewWeight},
		{"confidence", "c, fresh samples that the sample stands for, logarithmic", counts, cuda.ReuseViewConfidence},
		{"age", "frames that the sample has lived, logarithmic", counts, cuda.ReuseViewAge},
		{"rejection", "what became of the search for history", verdicts(), cuda.ReuseViewVerdict},
		{"temporal-jacobian", "J of the shift from the frame before, by its logarithm, stretched around 1", jacobians(), cuda.ReuseViewTemporalJacobian},
		{"spatial-jacobian", "J of the shift from the first neighbour with a sample, by its logarithm, stretched around 1", jacobians(), cuda.ReuseViewSpatialJacobian},
		{"neighbours", "neighbours that are alike enough", viridis("0", "4", "8"), cuda.ReuseViewNeighbours},
		{"duplicates", "pixels of 17×17 that hold the same sample, logarithmic", viridis("0", "16", "288"), cuda.ReuseViewDuplicates},
	}
}

func viridis(low, middle, high string) []Swatch {
	return []Swatch{{viridisLow, low}, {viridisMiddle, middle}, {viridisHigh, high}}
}

func jacobians() []Swatch {
	return []Swatch{{divergingLow, "1/10"}, {divergingMiddle, "1"}, {divergingHigh, "10"},
		{cuda.ShiftNone, "nobody to take from"}, {cuda.ShiftEmpty, "no sample"}, {cuda.ShiftUndefined, "cannot be moved"}}
}

func verdicts() []Swatch {
	return []Swatch{
		{cuda.VerdictAccepted, "found"}, {cuda.VerdictNear, "found near by"}, {cuda.VerdictUnshared, "nothing to share"},
		{cuda.VerdictNew, "no frame before"}, {cuda.VerdictOutside, "out of sight"}, {cuda.VerdictKind, "nothing shared there, or a mirror"},
		{cuda.VerdictNormal, "normal"}, {cuda.VerdictDepth, "distance"}, {cuda.VerdictMaterial, "material"}, {cuda.VerdictAge, "too old"},
	}
}

func reuseViewNames() []string {
	var names []string
	for _, v := range ReuseViews() {
		names = append(names, v.Name)
	}
	return names
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

const viewSize = 4 // bytes a pixel

// applyView has the kernels draw the view that is on.
func (r *Renderer) applyView(f *cuda.Frame, s Settings) error {
	f.Restir.ReuseView = LookupReuseView(s.ReuseView).id
	if f.Restir.ReuseView == cuda.ReuseViewOff {
		return nil
	}
	b, size := &r.film.restir.view, viewSize*int(f.Film.Width)*int(f.Film.Height)
	if b.size != size {
		view := []claim{{b, size}}
		giveBack(r.device, view)
		if err := take(r.device, view); err != nil {
			return fmt.Errorf("buffer of --reuse-view: %w", err)
		}
		if err := r.device.zero(*b); err != nil {
			return err
		}
	}
	f.Restir.View = b.address
	return nil
}
