package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// gallery is a Cornell room in the quiet colours of a museum.
func gallery() room {
	r := cornellRoom()
	r.walls[left], r.walls[right] = matte("terracotta", vec3{0.52, 0.19, 0.1}), matte("sage", vec3{0.2, 0.3, 0.24})
	r.walls[floor] = plastic("slate floor", vec3{0.24, 0.23, 0.22}, 0.35)
	return r
}

// exhibit is a bronze cat with a golden collar on its plinth, under two lamps: at least 4000 triangles.
func exhibit(b *builder, opts Options) {
	b.ceilingLamp(vec3{-0.15, 2, 0.35}, 0.3, 0.3, warm.Mul(26))
	b.ceilingLamp(vec3{0.6, 2, -0.7}, 0.15, 0.15, vec3{0.9, 1, 1.15}.Mul(22))
	plinth := b.material(plastic("limestone", vec3{0.66, 0.6, 0.5}, 0.55))
	b.add(box(vec3{0.86, 0.06, 1.06}), at(0, 0.0001, 0), plinth)
	b.add(box(vec3{0.76, 0.3, 0.96}), at(0, 0.06, 0), plinth)
	b.add(box(vec3{0.84, 0.05, 1.04}), at(0, 0.3601, 0), plinth)
	where := at(0, 0.4095, 0).Mul4(turned(24)).Mul4(mgl32.Scale3D(1.12, 1.12, 1.12)).Mul4(at(0, 0, 0.05))
	cat(b, where, max(opts.Triangles, 4000))
	b.camera(vec3{-0.15, 1.2, 2.9}, vec3{0, 0.98, 0}, 34)
}

// cat adds the sculpture: body, collar, eyes and ear rings.
func cat(b *builder, where mgl32.Mat4, triangles int) {
	const ornament = 2400 // triangles of eyes and rings
	s := newSkin(catDetail(catBody()), catLow, catHigh, triangles-ornament)
	gold := b.material(metal("gold", vec3{1, 0.77, 0.34}, 0.22))
	b.put(s.mesh(func(p vec3) bool { return !onCollar(p) }), where, metal("bronze", vec3{0.27, 0.2, 0.145}, 0.34))
	b.add(s.mesh(onCollar), where, gold)
	eye := sphere(0.02, sphereSegments(ornament/3, 2))
	onyx := b.material(plastic("onyx", vec3{0.02, 0.02, 0.02}, 0.05))
	for _, side := range []float32{-1, 1} {
		b.add(eye, where.Mul4(at(side*0.043, 0.833, 0.168)), gold)
		b.add(eye, where.Mul4(at(side*0.0455, 0.833, 0.1745)).Mul4(mgl32.Scale3D(0.8, 0.8, 0.8)), onyx)
		b.add(torus(0.024, 0.004, 32, 12), where.Mul4(at(side*0.105, 0.885, 0.062)).Mul4(turned(side*70)), gold)
	}
}

// The box around the cat, m: it sits on y = 0, looks along +z and is a metre high.
var catLow, catHigh = vec3{-0.36, -0.06, -0.5}, vec3{0.36, 1.06, 0.42}

// catBody is a seated cat as Egyptian sculptors saw it: upright, forelegs together, tail laid around.
func catBody() field {
	v := func(x, y, z float32) vec3 { return vec3{x, y, z} }
	trunk := melted(0.11,
		ellipsoid(v(0, 0.2, -0.14), v(0.165, 0.2, 0.22)),
		limb(v(0, 0.3, -0.1), v(0, 0.6, 0.045), 0.145, 0.1),
		ellipsoid(v(0, 0.47, 0.055), v(0.105, 0.16, 0.095)),
		limb(v(0, 0.6, 0.05), v(0, 0.76, 0.075), 0.082, 0.068))
	legs := mirrored(melted(0.05,
		ellipsoid(v(0.135, 0.165, -0.06), v(0.08, 0.16, 0.175)),
		limb(v(0.075, 0.42, 0.08), v(0.06, 0.06, 0.15), 0.062, 0.036),
		ellipsoid(v(0.06, 0.028, 0.19), v(0.044, 0.036, 0.07)),
		ellipsoid(v(0.155, 0.028, 0.08), v(0.045, 0.036, 0.1))))
	skull := melted(0.035,
		ellipsoid(v(0, 0.815, 0.095), v(0.096, 0.08, 0.1)),
		ellipsoid(v(0, 0.785, 0.165), v(0.05, 0.038, 0.06)),
		limb(v(0, 0.835, 0.15), v(0, 0.795, 0.215), 0.026, 0.017),
		mirrored(ellipsoid(v(0.05, 0.79, 0.13), v(0.036, 0.036, 0.042))))
	ears := mirrored(carved(0.012,
		limb(v(0.058, 0.86, 0.075), v(0.088, 1.0, 0.058), 0.046, 0.012),
		limb(v(0.062, 0.875, 0.13), v(0.093, 1.01, 0.1), 0.05, 0.026)))
	low := within(v(0, 0.2, 0), 0.36, legs)
	head := within(v(0, 0.87, 0.09), 0.19, melted(0.03, skull, ears))
	return melted(0.03, melted(0.045, trunk, low), head, within(v(0.05, 0.03, -0.05), 0.36, catTail()))
}

// catTail lies on the ground around the cat's right flank.
func catTail() field {
	const pieces = 9
	var parts []field
	at := func(i int) vec3 {
		t := float64(i) / pieces
		sin, cos := math.Sincos(mix(-1.75, 0.42, t))
		return vec3{float32(0.03 + 0.25*cos), 0.034, float32(-0.06 + 0.3*sin)}
	}
	radius := func(i int) float32 { return 0.036 - 0.012*float32(i)/pieces }
	for i := range pieces {
		parts = append(parts, limb(at(i), at(i+1), radius(i), radius(i+1)))
	}
	return melted(0.01, parts...)
}

// The collar lies around the neck between two slanted planes; these are heights along its axis, m.
const (
	collarLow  = 0.0
	collarHigh = 0.095
	collarRows = 5
)

// collarHeight measures along the collar's axis: it hangs lower in front.
func collarHeight(p vec3) float32 {
	return (p[1]-0.585)*0.92 + (p[2]-0.05)*0.39
}

// onCollar tells whether a place on the cat is covered by the collar.
func onCollar(p vec3) bool {
	h := collarHeight(p)
	return h > collarLow && h < collarHigh && p[1] > 0.45 && p[1] < 0.74
}

// catDetail is the relief on the body: rows of beads on the collar, and the traces of the hammer
// everywhere else.
func catDetail(body field) field {
	return func(p vec3) float32 {
		d := body(p)
		if mgl32.Abs(d) > 0.03 {
			return d
		}
		if onCollar(p) {
			return d - beads(p)
		}
		x, y, z := float64(p[0]), float64(p[1]), float64(p[2])
		hammer := noise(55*x, 55*y, 4096, 4096, 401) + noise(55*y, 55*z, 4096, 4096, 402) + noise(55*z, 55*x, 4096, 4096, 403)
		return d - 0.0011*float32(hammer)
	}
}

// beads is the height of the collar above the body, m: rows of round beads between cords.
func beads(p vec3) float32 {
	row := float64(collarHeight(p)-collarLow) / (collarHigh - collarLow) * collarRows
	around := math.Atan2(float64(p[0]), float64(p[2])+0.02) * 14
	if int(row)%2 == 1 {
		around += math.Pi / 2
	}
	across := math.Sin(math.Pi * (row - math.Floor(row)))
	along := 0.6 + 0.4*math.Abs(math.Sin(around))
	return float32(0.003 + 0.0075*math.Sqrt(across)*along)
}
