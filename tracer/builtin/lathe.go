package builtin

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
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

// lathe turns an outline about the y axis. u goes once around, v falls with the length of the outline, m, times the turns
// of texture per metre that make a texel square where the outline is widest.
func lathe(p profile, segments int) mesh {
	widest := 0.0
	for _, run := range p {
		for _, q := range run {
			widest = max(widest, q.r)
		}
	}
	around := make([][2]float64, segments+1) // the last column closes the first bit for bit
	for j := range segments {
		sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(segments))
		around[j] = [2]float64{sin, cos}
	}
	around[segments] = around[0]
	var m mesh
	for _, run := range p {
		first := len(m.vertices)
		for _, q := range run {
			if q.r == 0 {
				q.nr, q.ny = 0, math.Copysign(1, q.ny)
			}
			for j, sc := range around {
				sin, cos := sc[0], sc[1]
				m.vertex(
					vec3{float32(q.r * cos), float32(q.y), float32(-q.r * sin)},
					vec3{float32(q.nr * cos), float32(q.ny), float32(-q.nr * sin)},
					mgl32.Vec4{float32(-sin), 0, float32(-cos), 1},
					vec2{float32(j) / float32(segments), float32(-q.s / (2 * math.Pi * widest))})
			}
		}
		m.lattice(first, len(run), segments+1)
	}
	return m
}

// sphere is centred on the origin, with exact normals; segments around, half as many from pole to pole.
func sphere(radius float32, segments int) mesh {
	rows := max(2, segments/2)
	run := make([]profilePoint, rows+1)
	for i := range run {
		a := math.Pi * float64(i) / float64(rows)
		sin, cos := math.Sincos(a)
		if i == rows {
			sin = 0 // the pole must close exactly
		}
		r := float64(radius)
		run[i] = profilePoint{r: r * sin, y: -r * cos, nr: sin, ny: -cos, s: r * a}
	}
	return lathe(profile{run}, segments)
}

// sphereSegments is the number of segments around with which count spheres have about that many triangles together:
// one sphere has 2·s·(s/2 − 1) ≈ s².
func sphereSegments(triangles, count int) int {
	return max(8, int(math.Round(math.Sqrt(float64(triangles)/float64(count))))&^1)
}

// torus is a ring around the z axis: radius of the ring and of its wire, m.
func torus(radius, wire float64, around, across int) mesh {
	run := make([]profilePoint, across+1)
	for i := range run {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%across) / float64(across)) // the last point closes the first bit for bit
		run[i] = profilePoint{radius + wire*cos, wire * sin, cos, sin, 2 * math.Pi * wire * float64(i) / float64(across)}
	}
	return lathe(profile{run}, around).moved(mgl32.HomogRotate3DX(mgl32.DegToRad(90)))
}

// vase is a slender turned vase of the given height, m, that stands on the origin.
func vase(height float64, segments int) mesh {
	return turn([]knot{
		{0, 0, edge}, {0.13, 0, edge}, {0.15, 0.02, edge}, {0.2, 0.16, soft}, {0.25, 0.36, soft}, {0.22, 0.56, soft}, {0.11, 0.74, soft},
		{0.075, 0.84, soft}, {0.09, 0.93, soft}, {0.125, 0.99, edge}, {0.118, 1, edge}, {0.1, 1, edge}, {0.055, 0.86, soft}, {0, 0.8, edge},
	}, height, segments)
}

// bowl is a wide turned bowl of the given height, m, that stands on the origin.
func bowl(height float64, segments int) mesh {
	return turn([]knot{
		{0, 0, edge}, {0.42, 0, edge}, {0.44, 0.08, edge}, {0.75, 0.25, soft}, {1.02, 0.6, soft}, {1.15, 1, edge}, {1.09, 1, edge},
		{0.93, 0.55, soft}, {0.6, 0.25, soft}, {0, 0.16, edge},
	}, height, segments)
}

// turn is the lathe's work on an outline in units of scale metres; spans of the outline take a sixth as many steps as there
// are segments around.
func turn(outline []knot, scale float64, segments int) mesh {
	k := slices.Clone(outline)
	for i := range k {
		k[i].r *= scale
		k[i].y *= scale
	}
	return lathe(sample(k, max(2, segments/6)), segments)
}
