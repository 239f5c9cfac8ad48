package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// Where the carved heads join the turned stems, in squares.
const (
	mitreFoot, mitreBottom, mitreTop = 0.115, 0.9, 1.32
	crownFoot, crownBottom           = 0.215, 1.39
)

// polar is the point at radius r, height y and angle a counter-clockwise from +x seen from above.
func polar(r, y, a float64) mgl32.Vec3 {
	sin, cos := math.Sincos(a)
	return mgl32.Vec3{float32(r * cos), float32(y), float32(-r * sin)}
}

// ring is a closed ring of n points.
func ring(n int, point func(a float64) mgl32.Vec3) []mgl32.Vec3 {
	points := make([]mgl32.Vec3, n)
	for j := range points {
		points[j] = point(2 * math.Pi * float64(j) / float64(n))
	}
	return points
}

// mitre is the bishop's head: rings that tilt towards the cut, and between two of them the cut itself, deep in front and
// running out at the sides.
func (d carver) mitre() mesh {
	outline := []knot{{mitreFoot, mitreBottom, edge}, {0.162, 0.965, soft}, {0.178, 1.04, soft}, {0.16, 1.14, soft},
		{0.105, 1.25, soft}, {0.035, mitreTop, soft}, {0, mitreTop + 0.006, edge}}
	const cut, halfWidth, depth, tilt = 1.135, 0.016, 0.1, 0.55
	run := sample(outline, d.steps*2)[0]
	tilted := func(y, sink float64) []mgl32.Vec3 {
		// tilt fades towards both ends, so that they stay level
		lean := tilt * smoothstep(mitreBottom, cut-0.02, y) * (1 - smoothstep(cut+0.02, mitreTop, y))
		return ring(d.segments, func(a float64) mgl32.Vec3 {
			h := y + lean*radiusAt(run, y)*math.Cos(a)
			into := sink * smoothstep(0.1, 0.75, math.Cos(a))
			return polar(max(radiusAt(run, h)-into, 0), h, a)
		})
	}
	below, above := []float64{}, []float64{}
	for _, q := range run {
		switch {
		case q.y < cut-halfWidth-0.004:
			below = append(below, q.y)
		case q.y > cut+halfWidth+0.004:
			above = append(above, q.y)
		}
	}
	var rings [][]mgl32.Vec3
	for _, y := range append(below, cut-halfWidth-0.003, cut-halfWidth) {
		rings = append(rings, tilted(y, 0))
	}
	rings = append(rings, tilted(cut-halfWidth*0.9, depth), tilted(cut+halfWidth*0.9, depth))
	for _, y := range append([]float64{cut + halfWidth, cut + halfWidth + 0.003}, above...) {
		rings = append(rings, tilted(y, 0))
	}
	return loft(rings)
}

// radiusAt is the radius of a rising outline at height y, 0 above its end.
func radiusAt(run []profilePoint, y float64) float64 {
	for i := range len(run) - 1 {
		if y <= run[i+1].y {
			t := (y - run[i].y) / (run[i+1].y - run[i].y)
			return mix(run[i].r, run[i+1].r, max(t, 0))
		}
	}
	return 0
}

// crown is the queen's coronet: a flaring wall whose rim waves, and the bowl and dome inside it.
func (d carver) crown() mesh {
	const points, height = 9, 0.045
	n := (max(d.segments, 36) + points - 1) / points * points
	wall := []struct{ r, y, wave float64 }{
		{crownFoot, crownBottom, 0}, {0.222, 1.402, 0}, {0.226, 1.41, 0}, {0.235, 1.43, 0.1}, {0.258, 1.475, 0.8}, {0.262, 1.482, 1}, {0.258, 1.486, 1},
		{0.238, 1.478, 1}, {0.232, 1.47, 0.9}, {0.205, 1.435, 0.1}, {0.2, 1.43, 0}, {0.16, 1.437, 0}, {0.11, 1.455, 0}, {0.05, 1.47, 0}, {0, 1.474, 0},
	}
	var rings [][]mgl32.Vec3
	for _, w := range wall {
		rings = append(rings, ring(n, func(a float64) mgl32.Vec3 {
			scallop := 2*math.Abs(math.Sin(points*a/2)) - 1
			return polar(w.r+0.008*w.wave*scallop, w.y+height*w.wave*scallop, a)
		}))
	}
	return loft(rings)
}

// arcBlock is a piece of a round wall between two radii and heights, opening by angle radians, centred on +x.
func arcBlock(inner, outer, y0, y1, angle float64, segments int) mesh {
	strip := func(a, b func(t float64) mgl32.Vec3) mesh {
		var m mesh
		for i := range segments {
			t, u := (float64(i)/float64(segments)-0.5)*angle, (float64(i+1)/float64(segments)-0.5)*angle
			m.append(quad([4]mgl32.Vec3{a(t), b(t), b(u), a(u)}, mgl32.Vec2{0.1, 0.1}), mgl32.Ident4())
		}
		return m
	}
	corner := func(r, y float64) func(float64) mgl32.Vec3 {
		return func(t float64) mgl32.Vec3 { return polar(r, y, t) }
	}
	a, b, c, d := corner(inner, y0), corner(outer, y0), corner(outer, y1), corner(inner, y1)
	var m mesh
	for _, s := range []mesh{strip(b, a), strip(c, b), strip(d, c), strip(a, d)} {
		m.append(s, mgl32.Ident4())
	}
	lo, hi := -angle/2, angle/2
	m.append(quad([4]mgl32.Vec3{a(lo), b(lo), c(lo), d(lo)}, mgl32.Vec2{0.1, 0.1}), mgl32.Ident4())
	m.append(quad([4]mgl32.Vec3{b(hi), a(hi), d(hi), c(hi)}, mgl32.Vec2{0.1, 0.1}), mgl32.Ident4())
	return m
}
