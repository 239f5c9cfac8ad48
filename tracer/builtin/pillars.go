package builtin

// Measures of pillars, m.
const (
	pillarRadius = 0.05
	pillarHeight = 2.6
	pillarRows   = 4
	pillarsInRow = 6
)

// buildPillars is a hall with thin pillars in front of each other and of coloured walls: with every step of the camera each of
// them uncovers what was behind it.
func buildPillars(b *builder, opts Options) {
	r := walled(vec3{-2.4, 0, -3}, vec3{2.4, pillarHeight, 3}, matte("white", white))
	r.walls[left], r.walls[right] = matte("ochre", vec3{0.7, 0.38, 0.1}), matte("blue", vec3{0.12, 0.28, 0.5})
	r.addTo(b)
	b.ceilingLamp(vec3{0, pillarHeight, -0.4}, 0.6, 0.6, warm.Mul(14))
	segments := sphereSegments(opts.Triangles, 5)
	pillarForest(b, segments)
	b.put(box(vec3{1.2, 0.5, 0.6}), at(-0.7, 0, -2).Mul4(turned(12)), matte("plinth", vec3{0.6, 0.58, 0.55}))
	b.put(sphere(0.35, segments), at(-0.7, 0.8501, -2), plastic("red ball", vec3{0.62, 0.08, 0.06}, 0.3))
	b.put(vase(1.1, segments), at(1.1, 0, -1.9), metal("brass", brassColor, 0.35))
	b.camera(vec3{0.35, 1.45, 2.85}, vec3{-0.1, 1.15, -1}, 52)
}

// pillarForest sets the pillars in rows, every other row half a step aside.
func pillarForest(b *builder, segments int) {
	stone := b.material(matte("stone", vec3{0.72, 0.7, 0.66}))
	base := b.material(metal("bronze", vec3{0.7, 0.45, 0.25}, 0.4))
	shaft := turn([]knot{{pillarRadius, 0, edge}, {0.9 * pillarRadius, pillarHeight, edge}}, 1, segments/2)
	foot := turn([]knot{{2 * pillarRadius, 0, edge}, {2 * pillarRadius, 0.05, edge}, {pillarRadius, 0.12, edge}}, 1, segments/2)
	for row := range pillarRows {
		for i := range pillarsInRow {
			x := (float32(i) - (pillarsInRow-1)/2.0 + 0.5*float32(row%2) - 0.25) * 0.75
			where := at(x, 0, 0.9-0.85*float32(row))
			b.add(shaft, where, stone)
			b.add(foot, where, base)
		}
	}
}
