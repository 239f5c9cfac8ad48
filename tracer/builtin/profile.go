package builtin

import (
	"math"
	"sort"
)

// knot is a point of a drawn outline: r from the axis, y along it. The curve is smooth through a soft knot and breaks at an edge;
// between two edges it is straight.
type knot struct {
	r, y float64
	edge bool
}

// The two kinds of knot, for tables.
const (
	edge = true
	soft = false
)

// profilePoint is a sampled point of an outline with its unit normal to the right of the direction of travel and s, the
// length of the curve so far.
type profilePoint struct{ r, y, nr, ny, s float64 }

// profile is an outline as smooth runs; neighbouring runs meet in a place with two normals.
type profile [][]profilePoint

// sample turns knots into a profile, steps points per curved span. Runs between edges are cubic Hermite splines whose tangents
// are the finite differences over uneven chords (Catmull-Rom generalised to chord length).
func sample(knots []knot, steps int) profile {
	var p profile
	var s float64
	for start := 0; start < len(knots)-1; {
		end := start + 1
		for end < len(knots)-1 && !knots[end].edge {
			end++
		}
		run := sampleRun(knots[start:end+1], steps, s)
		s = run[len(run)-1].s
		p = append(p, run)
		start = end
	}
	return p
}

func sampleRun(k []knot, steps int, s float64) []profilePoint {
	if len(k) == 2 {
		steps = 1
	}
	var run []profilePoint
	for i := range len(k) - 1 {
		chord := math.Hypot(k[i+1].r-k[i].r, k[i+1].y-k[i].y)
		ar, ay := tangent(k, i)
		br, by := tangent(k, i+1)
		for j := range steps + 1 {
			if j == 0 && i > 0 {
				continue
			}
			t := float64(j) / float64(steps)
			r, dr := hermite(k[i].r, k[i+1].r, ar*chord, br*chord, t)
			y, dy := hermite(k[i].y, k[i+1].y, ay*chord, by*chord, t)
			r = max(r, 0)
			if n := len(run); n > 0 {
				s += math.Hypot(r-run[n-1].r, y-run[n-1].y)
			}
			length := math.Hypot(dr, dy)
			run = append(run, profilePoint{r, y, dy / length, -dr / length, s})
		}
	}
	return run
}

// tangent is the derivative by chord length at knot i, one-sided at the ends.
func tangent(k []knot, i int) (dr, dy float64) {
	slope := func(i int) (float64, float64, float64) {
		h := math.Hypot(k[i+1].r-k[i].r, k[i+1].y-k[i].y)
		return (k[i+1].r - k[i].r) / h, (k[i+1].y - k[i].y) / h, h
	}
	if len(k) == 2 {
		dr, dy, _ = slope(0)
		return dr, dy
	}
	j := min(max(i, 1), len(k)-2)
	r0, y0, h0 := slope(j - 1)
	r1, y1, h1 := slope(j)
	dr, dy = (r0*h1+r1*h0)/(h0+h1), (y0*h1+y1*h0)/(h0+h1)
	switch i { // the ends of the parabola through three knots
	case j - 1:
		return 2*r0 - dr, 2*y0 - dy
	case j + 1:
		return 2*r1 - dr, 2*y1 - dy
	}
	return dr, dy
}

// hermite is the cubic from a to b with end derivatives da and db, and its derivative, at t in 0…1.
func hermite(a, b, da, db, t float64) (value, derivative float64) {
	t2, t3 := t*t, t*t*t
	value = (2*t3-3*t2+1)*a + (t3-2*t2+t)*da + (3*t2-2*t3)*b + (t3-t2)*db
	derivative = 6*(t2-t)*(a-b) + (3*t2-4*t+1)*da + (3*t2-2*t)*db
	if t == 1 {
		value = b // shared places must be equal bit for bit
	}
	return value, derivative
}

// ballKnots are the knots of a ball centred at height y, from the polar angle a (radians from the bottom) to its top.
func ballKnots(y, radius, a float64) []knot {
	const spans = 5
	var k []knot
	for i := range spans {
		sin, cos := math.Sincos(a + (math.Pi-a)*float64(i)/spans)
		k = append(k, knot{radius * sin, y - radius*cos, i == 0})
	}
	return append(k, knot{0, y + radius, edge})
}

// curve is a smooth function through points (x, y) with rising x, flat beyond its ends: cubic Hermite spans whose slopes are
// finite differences.
type curve [][2]float64

func (c curve) at(x float64) float64 {
	last := len(c) - 1
	if x <= c[0][0] {
		return c[0][1]
	}
	if x >= c[last][0] {
		return c[last][1]
	}
	i := sort.Search(last, func(i int) bool { return c[i+1][0] > x })
	width := c[i+1][0] - c[i][0]
	y, _ := hermite(c[i][1], c[i+1][1], c.slope(i)*width, c.slope(i+1)*width, (x-c[i][0])/width)
	return y
}

// slope is 0 at the ends, so that nothing breaks there.
func (c curve) slope(i int) float64 {
	if i == 0 || i == len(c)-1 {
		return 0
	}
	return (c[i+1][1] - c[i-1][1]) / (c[i+1][0] - c[i-1][0])
}
