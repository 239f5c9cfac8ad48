package builtin

import "github.com/go-gl/mathgl/mgl32"

// cornellCamera sees the whole opening of a Cornell room.
func (b *builder) cornellCamera() { b.camera(mgl32.Vec3{0, 1, 3.9}, mgl32.Vec3{0, 1, 0}, 38) }

// buildCornell is the box of Goral et al. 1984 in the form that everyone draws, scaled to 2 m.
func buildCornell(b *builder, _ Options) {
	cornellRoom().addTo(b)
	b.cornellLamp()
	w := b.material(matte("blocks", white))
	b.add(box(mgl32.Vec3{0.6, 1.2, 0.6}), at(-0.33, 0, -0.3).Mul4(turned(18)), w)
	b.add(box(mgl32.Vec3{0.6, 0.6, 0.6}), at(0.35, 0, 0.32).Mul4(turned(-17)), w)
	b.cornellCamera()
}

// cornellLamp lights a Cornell room so that its white walls have a radiance of about 0.5.
func (b *builder) cornellLamp() {
	b.ceilingLamp(mgl32.Vec3{0, 2, 0}, 0.25, 0.2, warm.Mul(26))
}

// buildCornellGlossy has lobes narrow enough to matter and wide enough for light sampling: where the sampling modes must agree.
func buildCornellGlossy(b *builder, _ Options) {
	r := cornellRoom()
	r.walls[floor] = plastic("floor", mgl32.Vec3{0.4, 0.4, 0.4}, 0.3)
	r.addTo(b)
	b.cornellLamp()
	b.add(box(mgl32.Vec3{0.6, 1.2, 0.6}), at(-0.33, 0, -0.3).Mul4(turned(18)),
		b.material(metal("metal", mgl32.Vec3{0.9, 0.7, 0.45}, 0.3)))
	b.add(box(mgl32.Vec3{0.6, 0.6, 0.6}), at(0.35, 0, 0.32).Mul4(turned(-17)),
		b.material(plastic("plastic", mgl32.Vec3{0.1, 0.25, 0.55}, 0.25)))
	b.cornellCamera()
}

// buildCornellSphereLight hangs a glowing sphere over the two blocks.
func buildCornellSphereLight(b *builder, opts Options) {
	cornellRoom().addTo(b)
	w := b.material(matte("blocks", white))
	b.add(box(mgl32.Vec3{0.5, 0.9, 0.5}), at(-0.42, 0, -0.35).Mul4(turned(18)), w)
	b.add(box(mgl32.Vec3{0.5, 0.5, 0.5}), at(0.42, 0, 0.3).Mul4(turned(-17)), w)
	lamp := sphere(0.2, sphereSegments(opts.Triangles, 1))
	b.add(lamp, at(0, 1.45, 0), b.material(emitter("lamp", warm.Mul(8))))
	b.cornellCamera()
}
