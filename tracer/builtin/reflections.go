package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// mixedReflection has every kind of reflection side by side between diffuse walls: a framed mirror, a block of rough metal, a
// coated ball and one of glass.
func mixedReflection(b *builder, opts Options) {
	b.ceilingLamp(vec3{0, 2, 0.3}, 0.35, 0.35, warm.Mul(14))
	const halfX, halfY = 0.42, 0.42 // of the mirror, m
	mirror := at(0.38, 1.25, -0.97)
	b.put(boxSide(vec3{-halfX, -halfY, -0.01}, vec3{halfX, halfY, 0.01}, front, false), mirror, metal("mirror", vec3{0.95, 0.95, 0.95}, 0))
	b.put(frameAround(halfX, halfY, 0.05, 0.05), mirror, plastic("frame", vec3{0.32, 0.18, 0.09}, 0.4))
	segments := sphereSegments(opts.Triangles, 5)
	b.put(box(vec3{0.5, 0.85, 0.5}), at(-0.5, 0, -0.45).Mul4(turned(22)), metal("rough copper", vec3{0.93, 0.6, 0.48}, 0.35))
	b.put(sphere(0.27, segments), at(-0.5, 1.1201, -0.45), matte("chalk", vec3{0.75, 0.72, 0.68}))
	b.put(sphere(0.32, segments), ball(0.5, -0.3, 0.32), plastic("lacquer", vec3{0.55, 0.05, 0.04}, 0.05))
	b.put(sphere(0.24, segments), ball(0.1, 0.45, 0.24), glass("glass", 0, vec3{0.8, 0.95, 0.9}, 0.3))
	b.put(vase(0.6, segments), at(-0.45, 0, 0.4), plastic("glazed vase", vec3{0.06, 0.14, 0.4}, 0.15))
	b.camera(vec3{0, 1, 3.9}, vec3{0, 0.97, 0}, 38)
}

// buildGlossyRoom is a room whose floor and walls reflect with a roughness of 0.15 to 0.4: too sharp to be shared as diffuse light is,
// too blurred to follow as a mirror.
func buildGlossyRoom(b *builder, opts Options) {
	room{lo: vec3{-2, 0, -2}, hi: vec3{2, 2.4, 2.8}, walls: map[side]scene.Material{
		floor: plastic("lacquered floor", vec3{0.08, 0.06, 0.05}, 0.15), ceiling: matte("ceiling", vec3{0.72, 0.71, 0.69}),
		left: metal("copper wall", vec3{0.82, 0.5, 0.36}, 0.3), right: metal("blue steel wall", vec3{0.3, 0.42, 0.58}, 0.25),
		back: plastic("cream wall", vec3{0.6, 0.54, 0.42}, 0.2), front: plastic("grey wall", vec3{0.4, 0.4, 0.4}, 0.4),
	}}.addTo(b)
	b.ceilingLamp(vec3{-0.9, 2.4, -0.5}, 0.35, 0.35, warm.Mul(21))
	b.ceilingLamp(vec3{1.1, 2.4, 0.9}, 0.15, 0.5, vec3{13, 15.5, 20})
	segments := sphereSegments(opts.Triangles, 7)
	b.put(sphere(0.42, segments), ball(-0.75, -0.6, 0.4201), metal("satin silver", vec3{0.92, 0.91, 0.89}, 0.2))
	b.put(box(vec3{0.6, 1.1, 0.6}), at(0.75, 0.0001, -0.9).Mul4(turned(-24)), metal("brass block", brassColor, 0.4))
	b.put(sphere(0.27, segments), at(0.75, 1.3703, -0.9), plastic("red lacquer", vec3{0.6, 0.03, 0.03}, 0.18))
	b.put(vase(0.85, segments), at(0.15, 0.0001, 0.45), plastic("jade vase", vec3{0.1, 0.42, 0.26}, 0.25))
	b.put(bowl(0.2, segments), at(-0.55, 0.0001, 0.75), matte("clay bowl", vec3{0.62, 0.42, 0.28}))
	b.camera(vec3{0.35, 1.2, 2.7}, vec3{-0.05, 0.8, -0.5}, 56)
}

// buildSmoothCoatFloor is a parlour on a polished parquet: glTF's dielectric with a roughness of 0 over a diffuse base, so that
// furniture and lamps are mirrored in the floor at grazing angles and light falls through the polish at steep ones.
func buildSmoothCoatFloor(b *builder, opts Options) {
	wall := matte("green wall", vec3{0.24, 0.34, 0.27})
	hall := room{lo: vec3{-2.8, 0, -2.6}, hi: vec3{2.8, 2.7, 3}, walls: map[side]scene.Material{
		ceiling: matte("ceiling", vec3{0.75, 0.74, 0.71}), left: wall, right: wall, back: wall, front: wall,
	}}
	hall.addTo(b)
	parquet := plastic("polished parquet", vec3{1, 0.92, 0.85}, 0)
	plank := newFigure()
	parquet.Textures[scene.TextureBaseColor] = b.texture(painting{name: "parquet", srgb: true, color: plank.color([3]float64{0.74, 0.56, 0.36}, [3]float64{0.56, 0.37, 0.21})}.run())
	parquet.Textures[scene.TextureBaseColor].Transform = scene.UVTransform{2.5, 0, 0, 0, 0.7, 0} // 2.5 planks a metre, fibres along the room
	b.fix(boxSide(hall.lo, hall.hi, floor, true), parquet)
	segments := sphereSegments(opts.Triangles, 11)
	parlourLamps(b, segments)
	parlour(b, segments)
	b.camera(vec3{0.9, 1.15, 2.85}, vec3{-0.1, 0.72, -0.4}, 54)
}

// parlourLamps are a globe on a stand and two panels in the ceiling.
func parlourLamps(b *builder, segments int) {
	b.put(sphere(0.17, segments), at(-1.75, 1.62, -1.6), emitter("globe", warm.Mul(36)))
	stand := turn([]knot{{0.18, 0, edge}, {0.18, 0.02, edge}, {0.02, 0.05, soft}, {0.015, 1.43, edge}}, 1, segments)
	b.put(stand, at(-1.75, 0.0005, -1.6), metal("bronze", vec3{0.7, 0.45, 0.25}, 0.3))
	for _, x := range []float32{-0.9, 1.3} {
		b.ceilingLamp(vec3{x, 2.7, 0.2}, 0.18, 0.5, warm.Mul(15))
	}
}

// parlour is a table with what is on it, a sofa and a cabinet.
func parlour(b *builder, segments int) {
	const y = 0.0005 // m above what carries it
	walnut := b.material(plastic("walnut", vec3{0.26, 0.13, 0.06}, 0.25))
	cloth := b.material(matte("cloth", vec3{0.55, 0.12, 0.1}))
	b.add(table(vec3{1.1, 0.5, 0.6}), at(0.05, y, 0.1).Mul4(turned(14)), walnut)
	b.put(vase(0.42, segments), at(0.2, 0.502, 0.05), plastic("blue vase", vec3{0.07, 0.16, 0.42}, 0.1))
	b.put(bowl(0.1, segments), at(-0.2, 0.502, 0.18), metal("silver bowl", vec3{0.9, 0.9, 0.88}, 0.15))
	b.add(box(vec3{1.7, 0.36, 0.75}), at(-0.15, 0.06, -1.75), cloth)
	b.add(box(vec3{1.7, 0.5, 0.18}), at(-0.15, 0.4205, -2.04), cloth)
	for _, x := range []float32{-1.06, 0.76} {
		b.add(box(vec3{0.115, 0.6, 0.75}), at(x, 0.06, -1.75), walnut)
	}
	b.add(box(vec3{0.9, 1.25, 0.45}), at(1.9, y, -2.2), walnut)
	b.put(vase(0.5, segments), at(1.9, 1.2515, -2.2), plastic("cream vase", vec3{0.75, 0.68, 0.5}, 0.3))
	b.put(sphere(0.25, segments), ball(1.35, 0.35, 0.2505), metal("chrome ball", vec3{0.62, 0.63, 0.65}, 0.05))
	b.put(sphere(0.18, segments), ball(-1.2, 0.6, 0.1805), matte("yellow ball", vec3{0.75, 0.55, 0.08}))
}

// buildGlassChain has lamps that are seen, and that light what stands behind, through several pieces of glass in a row, and by way of
// two mirrors that face each other across them.
func buildGlassChain(b *builder, opts Options) {
	r := walled(vec3{-2, 0, -1.4}, vec3{2, 2, 2.6}, matte("plaster", vec3{0.7, 0.68, 0.65}))
	r.walls[left], r.walls[right] = matte("teal", vec3{0.1, 0.36, 0.36}), matte("ochre", vec3{0.68, 0.36, 0.1})
	r.addTo(b)
	segments := sphereSegments(opts.Triangles, 10)
	bench := b.material(plastic("bench", vec3{0.16, 0.1, 0.07}, 0.35))
	b.add(box(vec3{3, 0.5, 0.7}), at(0, 0.0001, 0), bench)
	chainLamps(b, segments)
	chainGlass(b, segments)
	silver := b.material(metal("mirror", vec3{0.95, 0.95, 0.95}, 0))
	frame := b.material(plastic("frame", vec3{0.3, 0.17, 0.09}, 0.4))
	for _, place := range []mgl32.Mat4{at(0.35, 1.25, -1.35), at(-0.3, 1.2, 2.55).Mul4(turned(180))} {
		b.add(boxSide(vec3{-0.9, -0.5, -0.01}, vec3{0.9, 0.5, 0.01}, front, false), place, silver)
		b.add(frameAround(0.9, 0.5, 0.05, 0.05), place, frame)
	}
	b.camera(vec3{1.65, 1.25, 2.2}, vec3{-0.15, 0.78, 0}, 42)
}

// chainLamps are a bulb at the left end of the row, and a weak panel above.
func chainLamps(b *builder, segments int) {
	b.put(sphere(0.11, segments), at(-1.35, 0.78, 0), emitter("bulb", warm.Mul(60)))
	b.put(turn([]knot{{0.1, 0, edge}, {0.03, 0.05, soft}, {0.03, 0.16, edge}}, 1, segments), at(-1.35, 0.5005, 0),
		metal("socket", brassColor, 0.3))
	b.ceilingLamp(vec3{0.2, 2, 0.6}, 0.3, 0.2, vec3{5, 5.4, 6})
}

// chainGlass is the row: a ball, a block, a frosted pane, a coloured ball and a mirror ball, and a chalk ball that they light.
func chainGlass(b *builder, segments int) {
	const y = 0.5005 // m, of the bench
	clear := b.material(glass("crystal", 0, vec3{0.97, 0.99, 0.98}, 0.5))
	b.add(sphere(0.26, segments), at(-0.85, y+0.26, 0), clear)
	b.add(box(vec3{0.16, 0.55, 0.5}), at(-0.42, y, 0).Mul4(turned(8)), clear)
	b.put(sphere(0.22, segments), at(-0.05, y+0.22, 0.03), glass("amber", 0, vec3{0.95, 0.6, 0.15}, 0.3))
	b.put(box(vec3{0.05, 0.6, 0.5}), at(0.3, y, 0).Mul4(turned(-10)), glass("frosted", 0.25, vec3{0.9, 0.96, 1}, 0.3))
	b.put(sphere(0.2, segments), at(0.62, y+0.2, 0.02), glass("emerald", 0, vec3{0.2, 0.85, 0.45}, 0.3))
	b.put(sphere(0.19, segments), at(1.03, y+0.19, -0.12), metal("mirror ball", vec3{0.93, 0.93, 0.95}, 0))
	b.put(sphere(0.14, segments), at(1.05, y+0.14, 0.22), matte("chalk", vec3{0.78, 0.75, 0.72}))
	b.put(vase(0.5, segments), at(-1, 0.0001, 0.95), matte("red vase", vec3{0.6, 0.1, 0.07}))
}
