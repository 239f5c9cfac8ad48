package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// buildStatue is the gallery without ceiling and front wall.
func buildStatue(b *builder, opts Options) {
	gallery().without(ceiling).addTo(b)
	b.exhibit(opts.Triangles)
}

// buildStatueClosed is the gallery with all its walls, the camera inside.
func buildStatueClosed(b *builder, opts Options) {
	gallery().closed(3).addTo(b)
	b.exhibit(opts.Triangles)
}

// gallery is a Cornell room in the quiet colours of a museum.
func gallery() room {
	r := cornellRoom()
	r.walls[left], r.walls[right] = matte("terracotta", mgl32.Vec3{0.52, 0.19, 0.1}), matte("sage", mgl32.Vec3{0.2, 0.3, 0.24})
	r.walls[floor] = plastic("slate floor", mgl32.Vec3{0.24, 0.23, 0.22}, 0.35)
	return r
}

// exhibit is a bronze cat with a golden collar on its plinth, under two lamps: at least 4000 triangles.
func (b *builder) exhibit(triangles int) {
	b.ceilingLamp(mgl32.Vec3{-0.15, 2, 0.35}, 0.3, 0.3, warm.Mul(26))
	b.ceilingLamp(mgl32.Vec3{0.6, 2, -0.7}, 0.15, 0.15, mgl32.Vec3{0.9, 1, 1.15}.Mul(22))
	plinth := b.material(plastic("limestone", mgl32.Vec3{0.66, 0.6, 0.5}, 0.55))
	b.add(box(mgl32.Vec3{0.86, 0.06, 1.06}), at(0, 0.0001, 0), plinth)
	b.add(box(mgl32.Vec3{0.76, 0.3, 0.96}), at(0, 0.06, 0), plinth)
	b.add(box(mgl32.Vec3{0.84, 0.05, 1.04}), at(0, 0.3601, 0), plinth)
	where := at(0, 0.4095, 0).Mul4(turned(24)).Mul4(mgl32.Scale3D(1.12, 1.12, 1.12)).Mul4(at(0, 0, 0.05))
	b.cat(where, max(triangles, 4000))
	b.camera(mgl32.Vec3{-0.15, 1.2, 2.9}, mgl32.Vec3{0, 0.98, 0}, 34)
}

// cat adds the sculpture: body, collar, eyes and ear rings.
func (b *builder) cat(where mgl32.Mat4, triangles int) {
	const ornament = 2400 // triangles of eyes and rings
	s := newSkin(catDetail(catBody()), catLow, catHigh, triangles-ornament)
	gold := b.material(metal("gold", mgl32.Vec3{1, 0.77, 0.34}, 0.22))
	b.add(s.mesh(func(p mgl32.Vec3) bool { return !onCollar(p) }), where, b.material(bronze()))
	b.add(s.mesh(onCollar), where, gold)
	eye := sphere(0.02, sphereSegments(ornament/3, 2))
	onyx := b.material(plastic("onyx", mgl32.Vec3{0.02, 0.02, 0.02}, 0.05))
	for _, side := range []float32{-1, 1} {
		b.add(eye, where.Mul4(at(side*0.043, 0.833, 0.168)), gold)
		b.add(eye, where.Mul4(at(side*0.0455, 0.833, 0.1745)).Mul4(mgl32.Scale3D(0.8, 0.8, 0.8)), onyx)
		b.add(torus(0.024, 0.004, 32, 12), where.Mul4(at(side*0.105, 0.885, 0.062)).Mul4(turned(side*70)), gold)
	}
}

// bronze is dark, patinated, and catches light on its ridges.
func bronze() scene.Material { return metal("bronze", mgl32.Vec3{0.27, 0.2, 0.145}, 0.34) }

// torus is a ring around the z axis: radius of the ring and of its wire, m.
func torus(radius, wire float64, around, across int) mesh {
	run := make([]profilePoint, across+1)
	for i := range run {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%across) / float64(across)) // the last point closes the first bit for bit
		run[i] = profilePoint{radius + wire*cos, wire * sin, cos, sin, 2 * math.Pi * wire * float64(i) / float64(across)}
	}
	var m mesh
	m.append(lathe(profile{run}, around), mgl32.HomogRotate3DX(mgl32.DegToRad(90)))
	return m
}
