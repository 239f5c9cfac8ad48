package builtin

// buildOpenEnvironment is a stage on a round of open ground without any light of its own: it is for the environment to light. Nooks that
// the sky hardly reaches, and coloured surfaces next to white ones, make indirect light matter.
func buildOpenEnvironment(b *builder, opts Options) {
	const radius, depth = 60, 0.2 // of the ground, m
	segments := sphereSegments(opts.Triangles, 8)
	b.fix(turn([]knot{{radius, -depth, edge}, {radius, 0, edge}, {0, 0, edge}}, 1, segments), matte("ground", vec3{0.45, 0.4, 0.33}))
	arcade(b)
	b.put(vase(1.3, segments), at(0.2, 0.0001, 0.1), plastic("glazed vase", vec3{0.05, 0.3, 0.34}, 0.25))
	b.put(sphere(0.42, segments), ball(1.15, 0.75, 0.42), metal("rough gold", vec3{0.95, 0.68, 0.3}, 0.3))
	b.put(sphere(0.28, segments), ball(-0.55, 1.15, 0.28), matte("orange ball", vec3{0.8, 0.3, 0.06}))
	b.put(bowl(0.3, segments), at(0.45, 0.0001, 1.5), plastic("white bowl", vec3{0.8, 0.78, 0.74}, 0.3))
	b.camera(vec3{1.7, 1.5, 5.2}, vec3{-0.1, 0.75, 0}, 42)
}

// arcade is a corner of two walls, one red, under a slab on square columns: open to two sides.
func arcade(b *builder) {
	plaster := b.material(matte("plaster", vec3{0.75, 0.72, 0.66}))
	const y = 0.0001 // m above the ground, so that no two faces share a plane
	b.add(box(vec3{4.4, 2.2, 0.2}), at(0, y, -1.6), plaster)
	b.put(box(vec3{0.2, 2.2, 2.6}), at(-2.1, y, -0.19), matte("red plaster", vec3{0.6, 0.12, 0.08}))
	b.add(box(vec3{4.6, 0.18, 1.6}), at(0, 2.2+2*y, -0.9), plaster)
	for _, x := range []float32{-1.0, 0.4, 1.8} {
		b.add(box(vec3{0.22, 2.06, 0.22}), at(x, 0.12+y, -0.35), plaster)
		b.add(box(vec3{0.34, 0.12, 0.34}), at(x, y/2, -0.35), plaster)
	}
}
