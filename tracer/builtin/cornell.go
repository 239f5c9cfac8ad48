package builtin

import "glint/tracer/scene"

// cornellRoom is 2 m wide and high with a red left and a green right wall, open to the front.
func cornellRoom() room {
	w := matte("white", white)
	return room{
		lo: vec3{-1, 0, -1}, hi: vec3{1, 2, 1},
		walls: map[side]scene.Material{left: matte("red", red), right: matte("green", green), floor: w, ceiling: w, back: w},
	}
}

// cornellCamera sees the whole opening of a Cornell room.
func cornellCamera(b *builder) { b.camera(vec3{0, 1, 3.9}, vec3{0, 1, 0}, 38) }

// cornellLamp lights a Cornell room so that its white walls have a radiance of about 0.5.
func cornellLamp(b *builder) {
	b.ceilingLamp(vec3{0, 2, 0}, 0.25, 0.2, warm.Mul(26))
}

// cornellBlocks is the box of Goral et al. 1984 in the form that everyone draws, scaled to 2 m.
func cornellBlocks(b *builder, _ Options) {
	cornellLamp(b)
	w := b.material(matte("blocks", white))
	b.add(box(vec3{0.6, 1.2, 0.6}), at(-0.33, 0, -0.3).Mul4(turned(18)), w)
	b.add(box(vec3{0.6, 0.6, 0.6}), at(0.35, 0, 0.32).Mul4(turned(-17)), w)
	cornellCamera(b)
}

// buildCornellGlossy has lobes narrow enough to matter and wide enough for light sampling: where the sampling modes must agree.
func buildCornellGlossy(b *builder, _ Options) {
	r := cornellRoom()
	r.walls[floor] = plastic("floor", vec3{0.4, 0.4, 0.4}, 0.3)
	r.addTo(b)
	cornellLamp(b)
	b.put(box(vec3{0.6, 1.2, 0.6}), at(-0.33, 0, -0.3).Mul4(turned(18)), metal("metal", vec3{0.9, 0.7, 0.45}, 0.3))
	b.put(box(vec3{0.6, 0.6, 0.6}), at(0.35, 0, 0.32).Mul4(turned(-17)), plastic("plastic", vec3{0.1, 0.25, 0.55}, 0.25))
	cornellCamera(b)
}

// sphereLight hangs a glowing sphere over the two blocks.
func sphereLight(b *builder, opts Options) {
	w := b.material(matte("blocks", white))
	b.add(box(vec3{0.5, 0.9, 0.5}), at(-0.42, 0, -0.35).Mul4(turned(18)), w)
	b.add(box(vec3{0.5, 0.5, 0.5}), at(0.42, 0, 0.3).Mul4(turned(-17)), w)
	b.put(sphere(0.2, sphereSegments(opts.Triangles, 1)), at(0, 1.45, 0), emitter("lamp", warm.Mul(8)))
	cornellCamera(b)
}

// cube is one cube: in an open room paths end early, which is what compaction lives on; in a closed one every path lives
// until roulette ends it.
func cube(b *builder, _ Options) {
	cornellLamp(b)
	b.put(box(vec3{0.8, 0.8, 0.8}), at(0, 0.4, 0).Mul4(turned(30)), matte("cube", white))
	b.camera(vec3{0, 1, 2.95}, vec3{0, 0.95, 0}, 42)
}
