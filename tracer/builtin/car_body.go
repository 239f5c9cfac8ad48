package builtin

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

// Measures of the car, m. It stands on y = 0 and looks along −x.
const (
	carHalfLength = 2.2
	wheelRadius   = 0.34
	wheelTread    = 0.74 // half the distance between the wheels of an axle
	archRadius    = 0.375
)

// axles are where the wheels stand along x.
var axles = [2]float64{-1.36, 1.3}

// The lines of the body along x: half its width, its top and its bottom, how far the fenders stand out of the hood, and the
// height of the point on which nose or tail close in.
var (
	bodyWidth  = curve{{-2.2, 0.86}, {-1.4, 0.92}, {-0.1, 0.86}, {1.25, 0.95}, {2.2, 0.84}}
	bodyTop    = curve{{-2.2, 0.63}, {-1.5, 0.69}, {-0.6, 0.79}, {0.4, 0.86}, {1.3, 0.88}, {2.2, 0.84}}
	bodyBottom = curve{{-2.2, 0.2}, {-1.9, 0.16}, {1.7, 0.16}, {2.2, 0.36}}
	bodyTip    = curve{{-2.2, 0.42}, {-1, 0.5}, {1, 0.6}, {2.2, 0.64}}
	fenderRise = curve{{-2.2, 0.02}, {-1.4, 0.14}, {-0.5, 0.06}, {0.3, 0.01}, {1.25, 0.1}, {2.1, 0.03}}
)

// carBody is lofted along x through superelliptic sections, with the wheel arches pressed into it.
func carBody(detail float64) mesh {
	around := max(16, 4*int(math.Round(28*detail)))
	var rings [][]mgl32.Vec3
	for _, x := range bodyStations(max(12, int(math.Round(110*detail)))) {
		rings = append(rings, bodySection(x, around))
	}
	return loft(rings)
}

// bodyStations run from nose to tail, dense at both ends, with more along the arches: their edges need two stations each.
func bodyStations(n int) []float64 {
	var x []float64
	for i := range n + 1 {
		at := -carHalfLength * math.Cos(math.Pi*float64(i)/float64(n))
		if !nearArch(at) {
			x = append(x, at)
		}
	}
	for _, axle := range axles {
		x = append(x, axle-archRadius-1e-3, axle+archRadius+1e-3)
		for i := range n/4 + 1 {
			x = append(x, axle-archRadius*math.Cos(math.Pi*float64(i)/float64(n/4)))
		}
	}
	slices.Sort(x)
	return x
}

func nearArch(x float64) bool {
	for _, axle := range axles {
		if math.Abs(x-axle) < archRadius+0.01 {
			return true
		}
	}
	return false
}

// archHeight is where the body ends above a wheel, 0 elsewhere.
func archHeight(x float64) float64 {
	for _, axle := range axles {
		if d := math.Abs(x - axle); d <= archRadius {
			return wheelRadius + math.Sqrt(max(0, archRadius*archRadius-d*d))
		}
	}
	return 0
}

// bodySection is the ring at x. Towards nose and tail all lines close in on a point.
func bodySection(x float64, n int) []mgl32.Vec3 {
	const shoulder = 0.56 // height of the widest place
	tip := bodyTip.at(x)
	closing := math.Pow(max(0, 1-math.Pow(math.Abs(x)/carHalfLength, 6)), 0.4)
	toward := func(y float64) float64 { return tip + (y-tip)*closing }
	width, top, bottom, middle := bodyWidth.at(x)*closing, toward(bodyTop.at(x)), toward(bodyBottom.at(x)), toward(shoulder)
	ring := make([]mgl32.Vec3, n)
	for j := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(n))
		var y, z float64
		if sin >= 0 {
			z = width * power(cos, 0.7)
			y = middle + (top-middle)*power(sin, 0.8)
			y += fenderRise.at(x) * closing * bump((math.Abs(z)-0.62)/0.2) * sin
		} else {
			z = width * power(cos, 0.35)
			y = middle + (middle-bottom)*power(sin, 0.75)
			z *= 1 - 0.06*sin*sin // tucked under
		}
		y = max(y, archHeight(x))
		ring[j] = mgl32.Vec3{float32(x), float32(y), float32(-z)}
	}
	return ring
}

// carCabin is a dome on the body, steeper at its sides than at windscreen and rear.
func carCabin(detail float64) mesh {
	around, rows := 4*max(6, int(math.Round(24*detail))), max(8, int(math.Round(40*detail)))
	const front, rear, half, height = 1.15, 1.6, 0.74, 0.46
	var rings [][]mgl32.Vec3
	for i := range rows + 1 {
		rise, shrink := math.Sincos(math.Pi / 2 * float64(i) / float64(rows))
		if i == rows {
			shrink = 0 // the pole must close exactly
		}
		ring := make([]mgl32.Vec3, around)
		for j := range ring {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(around))
			length := front
			if cos < 0 {
				length = rear
			}
			ring[j] = mgl32.Vec3{
				float32(0.35 - length*power(cos, 0.85)*math.Pow(shrink, 0.9)),
				float32(0.76 + height*math.Pow(rise, 0.8)),
				float32(half * power(sin, 0.8) * math.Pow(shrink, 0.5)),
			}
		}
		rings = append(rings, ring)
	}
	return loft(rings)
}

// power is |x|ᵖ with the sign of x.
func power(x, p float64) float64 { return math.Copysign(math.Pow(math.Abs(x), p), x) }

// bump is 1 at 0 and fades within ±2.
func bump(x float64) float64 { return math.Exp(-x * x) }

// split parts a mesh by what its faces' corners have in common.
func (m mesh) split(inside func(uv mgl32.Vec2, p mgl32.Vec3) bool) (in, out mesh) {
	in.vertices, out.vertices = m.vertices, m.vertices
	for _, f := range m.faces {
		all := true
		for _, v := range f {
			all = all && inside(m.vertices[v].UV[0], m.vertices[v].Position)
		}
		if all {
			in.faces = append(in.faces, f)
		} else {
			out.faces = append(out.faces, f)
		}
	}
	return in, out
}
