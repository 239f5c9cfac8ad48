package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// buildSmoothCoatFloor is a parlour on a polished parquet: glTF's dielectric with a roughness of 0 over a diffuse base, so that
// furniture and lamps are mirrored in the floor at grazing angles and light falls through the polish at steep ones.
func buildSmoothCoatFloor(b *builder, opts Options) {
	wall := matte("green wall", mgl32.Vec3{0.24, 0.34, 0.27})
	hall := room{lo: mgl32.Vec3{-2.8, 0, -2.6}, hi: mgl32.Vec3{2.8, 2.7, 3}, walls: map[side]scene.Material{
		ceiling: matte("ceiling", mgl32.Vec3{0.75, 0.74, 0.71}), left: wall, right: wall, back: wall, front: wall,
	}}
	hall.addTo(b)
	parquet := plastic("polished parquet", mgl32.Vec3{1, 0.92, 0.85}, 0)
	plank := newFigure()
	parquet.Textures[scene.TextureBaseColor] = b.texture(painting{name: "parquet", srgb: true, color: plank.color([3]float64{0.74, 0.56, 0.36}, [3]float64{0.56, 0.37, 0.21})}.run())
	parquet.Textures[scene.TextureBaseColor].Transform = scene.UVTransform{2.5, 0, 0, 0, 0.7, 0} // 2.5 planks a metre, fibres along the room
	b.add(boxSide(hall.lo, hall.hi, floor, true), mgl32.Ident4(), b.material(parquet))
	segments := sphereSegments(opts.Triangles, 11)
	b.parlourLamps(segments)
	b.parlour(segments)
	b.camera(mgl32.Vec3{0.9, 1.15, 2.85}, mgl32.Vec3{-0.1, 0.72, -0.4}, 54)
}

// parlourLamps are a globe on a stand and two panels in the ceiling.
func (b *builder) parlourLamps(segments int) {
	b.add(sphere(0.17, segments), at(-1.75, 1.62, -1.6), b.material(emitter("globe", warm.Mul(36))))
	stand := turn([]knot{{0.18, 0, edge}, {0.18, 0.02, edge}, {0.02, 0.05, soft}, {0.015, 1.43, edge}}, 1, segments)
	b.add(stand, at(-1.75, 0.0005, -1.6), b.material(metal("bronze", mgl32.Vec3{0.7, 0.45, 0.25}, 0.3)))
	for _, x := range []float32{-0.9, 1.3} {
		b.ceilingLamp(mgl32.Vec3{x, 2.7, 0.2}, 0.18, 0.5, warm.Mul(15))
	}
}

// parlour is a table with what is on it, a sofa and a cabinet.
func (b *builder) parlour(segments int) {
	const y = 0.0005 // m above what carries it
	walnut := b.material(plastic("walnut", mgl32.Vec3{0.26, 0.13, 0.06}, 0.25))
	cloth := b.material(matte("cloth", mgl32.Vec3{0.55, 0.12, 0.1}))
	b.add(table(mgl32.Vec3{1.1, 0.5, 0.6}), at(0.05, y, 0.1).Mul4(turned(14)), walnut)
	b.add(vase(0.42, segments), at(0.2, 0.502, 0.05), b.material(plastic("blue vase", mgl32.Vec3{0.07, 0.16, 0.42}, 0.1)))
	b.add(bowl(0.1, segments), at(-0.2, 0.502, 0.18), b.material(metal("silver bowl", mgl32.Vec3{0.9, 0.9, 0.88}, 0.15)))
	b.add(box(mgl32.Vec3{1.7, 0.36, 0.75}), at(-0.15, 0.06, -1.75), cloth)
	b.add(box(mgl32.Vec3{1.7, 0.5, 0.18}), at(-0.15, 0.4205, -2.04), cloth)
	for _, x := range []float32{-1.06, 0.76} {
		b.add(box(mgl32.Vec3{0.115, 0.6, 0.75}), at(x, 0.06, -1.75), walnut)
	}
	b.add(box(mgl32.Vec3{0.9, 1.25, 0.45}), at(1.9, y, -2.2), walnut)
	b.add(vase(0.5, segments), at(1.9, 1.2515, -2.2), b.material(plastic("cream vase", mgl32.Vec3{0.75, 0.68, 0.5}, 0.3)))
	b.add(sphere(0.25, segments), ball(1.35, 0.35, 0.2505), b.material(metal("chrome ball", mgl32.Vec3{0.62, 0.63, 0.65}, 0.05)))
	b.add(sphere(0.18, segments), ball(-1.2, 0.6, 0.1805), b.material(matte("yellow ball", mgl32.Vec3{0.75, 0.55, 0.08})))
}
