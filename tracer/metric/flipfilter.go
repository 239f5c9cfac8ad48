package metric

import (
	"math"
)

// gaussian is one term a·√(π/b)·exp(−π²x²/b) of a contrast sensitivity function, x in degrees (FLIP 2020, table 1).
type gaussian struct{ a, b float64 }

// contrastSensitivities are the sums of Gaussians for luminance, red–green and blue–yellow.
var contrastSensitivities = [3][]gaussian{
	{{1, 0.0047}},
	{{1, 0.0053}},
	{{34.1, 0.04}, {13.5, 0.025}},
}

const (
	widestGaussian = 0.04  // the largest b above: it decides the filters' radius
	edgeWidth      = 0.082 // degrees from peak to trough of the eye's edge detector (FLIP 2020, §4.2)
)

// flipFilters are FLIP's filters for one viewing condition, all separable. Kernels have odd length.
type flipFilters struct {
	color               [3][]weighted
	smooth, edge, point []float32
}

// weighted is one separable Gaussian of a filter, each kernel summing to one.
type weighted struct {
	weight float32
	kernel []float32
}

func newFlipFilters(pixelsPerDegree float64) *flipFilters {
	f := &flipFilters{}
	radius := int(math.Ceil(3 * math.Sqrt(widestGaussian/(2*math.Pi*math.Pi)) * pixelsPerDegree))
	for channel, terms := range contrastSensitivities {
		total := 0.0
		weights := make([]float64, len(terms))
		for i, g := range terms {
			kernel := sampled(radius, func(x float64) float64 {
				degrees := x / pixelsPerDegree
				return math.Exp(-math.Pi * math.Pi * degrees * degrees / g.b)
			})
			sum := normalize(kernel)
			weights[i] = g.a * math.Sqrt(math.Pi/g.b) * sum * sum
			total += weights[i]
			f.color[channel] = append(f.color[channel], weighted{kernel: toFloat32(kernel)})
		}
		for i := range weights {
			f.color[channel][i].weight = float32(weights[i] / total)
		}
	}
	f.newDetectors(0.5 * edgeWidth * pixelsPerDegree)
	return f
}

// newDetectors makes the first and second derivative of a Gaussian, whose positive weights sum to 1 and negative to −1.
func (f *flipFilters) newDetectors(sigma float64) {
	radius := int(math.Ceil(3 * sigma))
	bell := func(x float64) float64 { return math.Exp(-x * x / (2 * sigma * sigma)) }
	smooth := sampled(radius, bell)
	edge := sampled(radius, func(x float64) float64 { return -x * bell(x) })
	point := sampled(radius, func(x float64) float64 { return (x*x/(sigma*sigma) - 1) * bell(x) })
	normalize(smooth)
	normalize(edge)
	normalize(point)
	f.smooth, f.edge, f.point = toFloat32(smooth), toFloat32(edge), toFloat32(point)
}

func sampled(radius int, f func(x float64) float64) []float64 {
	kernel := make([]float64, 2*radius+1)
	for i := range kernel {
		kernel[i] = f(float64(i - radius))
	}
	return kernel
}

// normalise scales the positive weights to the sum 1 and the negative ones to −1; it returns the sum of the positive.
func normalize(kernel []float64) float64 {
	positive, negative := 0.0, 0.0
	for _, w := range kernel {
		positive += max(w, 0)
		negative -= min(w, 0)
	}
	for i, w := range kernel {
		if w > 0 {
			kernel[i] /= positive
		} else if w < 0 {
			kernel[i] /= negative
		}
	}
	return positive
}

func toFloat32(values []float64) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return out
}

// contrastSensitivity blurs away what the eye cannot resolve.
func (f *flipFilters) contrastSensitivity(in *planes) *planes {
	out := newPlanes(in.width, in.height)
	for c, terms := range f.color {
		for _, g := range terms {
			across := convolveAcross(in.c[c], in.width, g.kernel)
			convolveDown(out.c[c], across, in.width, g.kernel, g.weight)
		}
	}
	return out
}

// features are the magnitudes of the gradient and of the second derivative of the achromatic plane.
func (f *flipFilters) features(y []float32, width int) (edges, points []float32) {
	smooth := convolveAcross(y, width, f.smooth)
	return f.detect(y, smooth, width, f.edge), f.detect(y, smooth, width, f.point)
}

func (f *flipFilters) detect(y, smooth []float32, width int, detector []float32) []float32 {
	dx, dy := make([]float32, len(y)), make([]float32, len(y))
	convolveDown(dx, convolveAcross(y, width, detector), width, f.smooth, 1)
	convolveDown(dy, smooth, width, detector, 1)
	for i := range dx {
		dx[i] = float32(math.Sqrt(float64(dx[i]*dx[i] + dy[i]*dy[i])))
	}
	return dx
}

// convolveAcross correlates each row with the kernel; beyond the edges the last pixel repeats.
func convolveAcross(in []float32, width int, kernel []float32) []float32 {
	out := make([]float32, len(in))
	radius := len(kernel) / 2
	parallelRows(len(in)/width, func(from, to int) {
		padded := make([]float32, width+2*radius)
		for y := from; y < to; y++ {
			row := in[y*width:][:width]
			copy(padded[radius:], row)
			for i := range radius {
				padded[i], padded[radius+width+i] = row[0], row[width-1]
			}
			for k, w := range kernel {
				addScaled(out[y*width:][:width], padded[k:][:width], w)
			}
		}
	})
	return out
}

// convolveDown adds weight times the columns' correlation with the kernel to out.
func convolveDown(out, in []float32, width int, kernel []float32, weight float32) {
	radius, height := len(kernel)/2, len(in)/width
	parallelRows(height, func(from, to int) {
		for y := from; y < to; y++ {
			for k, w := range kernel {
				row := min(max(y+k-radius, 0), height-1)
				addScaled(out[y*width:][:width], in[row*width:][:width], weight*w)
			}
		}
	})
}

func addScaled(dst, src []float32, w float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += w * src[i]
	}
}
