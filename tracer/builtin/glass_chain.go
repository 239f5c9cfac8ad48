package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// buildGlassChain has lamps that are seen, and that light what stands behind, through several pieces of glass in a row, and by way of
// two mirrors that face each other across them.
func buildGlassChain(b *builder, opts Options) {
	r := room{lo: mgl32.Vec3{-2, 0, -1.4}, hi: mgl32.Vec3{2, 2, 2.6}, walls: map[side]scene.Material{}}
	for s := range sideCount {
		r.walls[s] = matte("plaster", mgl32.Vec3{0.7, 0.68, 0.65})
	}
	r.walls[left], r.walls[right] = matte("teal", mgl32.Vec3{0.1, 0.36, 0.36}), matte("ochre", mgl32.Vec3{0.68, 0.36, 0.1})
	r.addTo(b)
	segments := sphereSegments(opts.Triangles, 10)
	bench := b.material(plastic("bench", mgl32.Vec3{0.16, 0.1, 0.07}, 0.35))
	b.add(box(mgl32.Vec3{3, 0.5, 0.7}), at(0, 0.0001, 0), bench)
	b.chainLamps(segments)
	b.chainGlass(segments)
	silver := b.material(metal("mirror", mgl32.Vec3{0.95, 0.95, 0.95}, 0))
	frame := b.material(plastic("frame", mgl32.Vec3{0.3, 0.17, 0.09}, 0.4))
	for _, place := range []mgl32.Mat4{at(0.35, 1.25, -1.35), at(-0.3, 1.2, 2.55).Mul4(turned(180))} {
		b.add(boxSide(mgl32.Vec3{-0.9, -0.5, -0.01}, mgl32.Vec3{0.9, 0.5, 0.01}, front, false), place, silver)
		b.add(frameAround(0.9, 0.5, 0.05, 0.05), place, frame)
	}
	b.camera(mgl32.Vec3{1.65, 1.25, 2.2}, mgl32.Vec3{-0.15, 0.78, 0}, 42)
}

// chainLamps are a bulb at the left end of the row, and a weak panel above.
func (b *builder) chainLamps(segments int) {
	b.add(sphere(0.11, segments), at(-1.35, 0.78, 0), b.material(emitter("bulb", warm.Mul(60))))
	b.add(turn([]knot{{0.1, 0, edge}, {0.03, 0.05, soft}, {0.03, 0.16, edge}}, 1, segments), at(-1.35, 0.5005, 0),
		b.material(metal("socket", brassColor, 0.3)))
	b.ceilingLamp(mgl32.Vec3{0.2, 2, 0.6}, 0.3, 0.2, mgl32.Vec3{5, 5.4, 6})
}

// chainGlass is the row: a ball, a block, a frosted pane, a coloured ball and a mirror ball, and a chalk ball that they light.
func (b *builder) chainGlass(segments int) {
	const y = 0.5005 // m, of the bench
	clear := b.material(glass("crystal", 0, mgl32.Vec3{0.97, 0.99, 0.98}, 0.5))
	b.add(sphere(0.26, segments), at(-0.85, y+0.26, 0), clear)
	b.add(box(mgl32.Vec3{0.16, 0.55, 0.5}), at(-0.42, y, 0).Mul4(turned(8)), clear)
	b.add(sphere(0.22, segments), at(-0.05, y+0.22, 0.03), b.material(glass("amber", 0, mgl32.Vec3{0.95, 0.6, 0.15}, 0.3)))
	b.add(box(mgl32.Vec3{0.05, 0.6, 0.5}), at(0.3, y, 0).Mul4(turned(-10)), b.material(glass("frosted", 0.25, mgl32.Vec3{0.9, 0.96, 1}, 0.3)))
	b.add(sphere(0.2, segments), at(0.62, y+0.2, 0.02), b.material(glass("emerald", 0, mgl32.Vec3{0.2, 0.85, 0.45}, 0.3)))
	b.add(sphere(0.19, segments), at(1.03, y+0.19, -0.12), b.material(metal("mirror ball", mgl32.Vec3{0.93, 0.93, 0.95}, 0)))
	b.add(sphere(0.14, segments), at(1.05, y+0.14, 0.22), b.material(matte("chalk", mgl32.Vec3{0.78, 0.75, 0.72})))
	b.add(vase(0.5, segments), at(-1, 0.0001, 0.95), b.material(matte("red vase", mgl32.Vec3{0.6, 0.1, 0.07})))
}
