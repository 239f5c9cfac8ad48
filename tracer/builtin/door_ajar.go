package builtin

import "glint/tracer/scene"

// Measures of door-ajar, m: two rooms of 4 × 4 × 3 with a wall between z = −wallDepth and z = 0, and a doorway in it.
const (
	wallDepth    = 0.1
	doorLeft     = -0.75
	doorWidth    = 0.9
	doorHeight   = 2.1
	doorAngle    = 20 // degrees
	doorLeaf     = 0.04
	doorMargin   = 0.004 // clearance of the leaf
	farPanelSide = 1
)

// buildDoorAjar is the situation of Veach 1997, figure 11.3: one room lit through a door that is hardly open. The lamp lies on
// the far side of the wall between the rooms and shines away from it, so no straight line leads from it through the doorway.
func buildDoorAjar(b *builder, opts Options) {
	wall := matte("wall", vec3{0.7, 0.7, 0.7})
	doorRooms(b, wall)
	const lampX, lampY, h = 1.1, 1.6, farPanelSide / 2.0
	b.fix(rectangle(vec3{lampX, lampY, -wallDepth - lampGap}, vec3{-h, 0, 0}, vec3{0, h, 0}), emitter("lamp", warm.Mul(256)))
	doorThings(b, sphereSegments(opts.Triangles, 12))
	b.camera(vec3{0.55, 1.45, 3.9}, vec3{-0.15, 1.05, 0}, 50)
}

// doorRooms are the walls and the leaf, hinged at the doorway's left and swung into the far room.
func doorRooms(b *builder, wall scene.Material) {
	r := walled(vec3{-2, 0, -4 - wallDepth}, vec3{2, 3, 4}, wall)
	r.walls[floor] = matte("floor", vec3{0.7, 0.62, 0.5})
	r.addTo(b)
	const doorRight = doorLeft + doorWidth
	masonry := b.material(wall)
	for _, part := range [][4]float32{ // x from, x to, y from, y to
		{-2, doorLeft, 0, 3}, {doorRight, 2, 0, 3}, {doorLeft, doorRight, doorHeight, 3},
	} {
		size := vec3{part[1] - part[0], part[3] - part[2], wallDepth}
		b.add(box(size), at((part[0]+part[1])/2, part[2], -wallDepth/2), masonry)
	}
	leaf := box(vec3{doorWidth - 2*doorMargin, doorHeight - 2*doorMargin, doorLeaf})
	hinge := at(doorLeft+doorMargin, doorMargin, -wallDepth).Mul4(turned(doorAngle))
	b.put(leaf, hinge.Mul4(at(doorWidth/2-doorMargin, 0, 0)), plastic("door", vec3{0.45, 0.55, 0.6}, 0.5))
}

// doorThings are what stands in the room of the camera, and a sofa's worth of colour in the other.
func doorThings(b *builder, segments int) {
	wood := b.material(plastic("wood", vec3{0.42, 0.25, 0.13}, 0.45))
	b.add(table(vec3{1.3, 0.72, 0.75}), at(1.05, 0, 0.75).Mul4(turned(-8)), wood)
	b.put(vase(0.5, segments), at(1.35, 0.7201, 0.65), plastic("blue vase", vec3{0.1, 0.25, 0.5}, 0.3))
	b.put(bowl(0.14, segments), at(0.95, 0.7201, 0.85), metal("brass bowl", brassColor, 0.3))
	b.put(sphere(0.09, segments), at(0.62, 0.7201, 0.68).Mul4(at(0, 0.09, 0)), matte("orange", vec3{0.8, 0.35, 0.06}))
	b.put(box(vec3{0.5, 0.5, 0.5}), at(-1.4, 0.0001, 0.7).Mul4(turned(25)), matte("crate", red))
	b.put(sphere(0.22, segments), at(-1.4, 0.7202, 0.7), plastic("white ball", white, 0.4))
	b.put(vase(0.9, segments), at(-1.5, 0.0001, 1.6), matte("green vase", green))
	b.put(box(vec3{1.6, 0.7, 0.7}), at(0.8, 0.0001, -3.2).Mul4(turned(-12)), matte("far crate", vec3{0.7, 0.5, 0.2}))
}
