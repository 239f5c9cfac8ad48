package cuda

// AOV is something that is kept of each pixel besides its light: a view in the window, a layer of an EXR file. The table is
// generated from the rows in kernels/params/film.h.
type AOV struct {
	Name     string // of view and layer
	Help     string
	Channels []string // of the layer
	Scale    []string // what the view's colours mean at their low end, in the middle and at their high end, where they are a scale
	Shown    uint32   // what Frame.Display.Shown is for its view

	source func(p *AOVPixel, plane uint32, first int, values []float32) // nil: something of its own buffer
	plane  uint32
	first  int // channel of the plane
}

// AOVPixel is what is kept of one pixel.
type AOVPixel struct {
	Planes [AovPlanes][4]float32
	Light  [4]float32 // sum of its samples, and their number
	Since  int        // how many of them the planes leave out
}

// AOVs lists them all, those that are shown as light first. The table must not be changed.
func AOVs() []AOV { return aovs }

// IsKept tells whether the values of pixels follow from AOVPixel.
func (a *AOV) IsKept() bool { return a.source != nil }

// Append adds the values of a pixel, one a channel.
func (a *AOV) Append(values []float32, p *AOVPixel) []float32 {
	var v [4]float32
	a.source(p, a.plane, a.first, v[:len(a.Channels)])
	return append(values, v[:len(a.Channels)]...)
}

// aovGuide is the mean over guides; zero without any.
func aovGuide(p *AOVPixel, plane uint32, first int, values []float32) {
	for i := range values {
		values[i] = p.Planes[plane][first+i] / max(p.Planes[AovAlbedo][3], 1)
	}
}

// aovMean is the mean over samples; zero without samples.
func aovMean(p *AOVPixel, plane uint32, first int, values []float32) {
	sums := p.Planes[plane]
	for i := range values {
		values[i] = sums[first+i] / max(sums[3], 1)
	}
}

// aovFirst is what the first sample has left.
func aovFirst(p *AOVPixel, plane uint32, first int, values []float32) {
	copy(values, p.Planes[plane][first:])
}

// aovRest is what a mean leaves of the light.
func aovRest(p *AOVPixel, plane uint32, first int, values []float32) {
	aovMean(p, plane, first, values)
	for i := range values {
		values[i] = p.Light[i]/max(p.Light[3], 1) - values[i]
	}
}

// aovSamples is the number of samples.
func aovSamples(p *AOVPixel, _ uint32, _ int, values []float32) { values[0] = p.Light[3] }

// aovMoments is the variance of the mean luminance, from the sums of luminances, of their squares, and their number.
func aovMoments(p *AOVPixel, _ uint32, _ int, values []float32) {
	sum, squares := float64(p.Planes[AovGloss][2]), float64(p.Planes[AovGloss][3])
	n := float64(p.Light[3]) - float64(p.Since)
	if n >= 2 {
		mean := sum / n
		values[0] = float32(max(squares/n-mean*mean, 0) / (n - 1))
	}
}
