package builtin

import "github.com/go-gl/mathgl/mgl32"

// traffic parks and drives cars along two sides of a block.
func (c *city) traffic(x, z float32) {
	for range 7 {
		along := c.between(-blockSide/2, blockSide/2)
		lane := float32(blockSide/2) + []float32{1.6, 5.6, 10.2, 14.2}[c.random.IntN(4)]
		c.car(at(x+along, 0.001, z+lane).Mul4(turned(90)))
		along = c.between(-blockSide/2, blockSide/2)
		c.car(at(x+lane, 0.001, z+along))
	}
}

// car stands along the z axis.
func (c *city) car(where mgl32.Mat4) {
	color := rainbow(float64(c.random.Float32()))
	if c.random.IntN(3) > 0 {
		grey := c.between(0.03, 0.75)
		color = mgl32.Vec3{grey, grey, grey}
	}
	c.add(box(mgl32.Vec3{1.8, 0.75, 4.3}), where.Mul4(at(0, 0.3, 0)), c.material(plastic(c.numbered("car"), color, 0.2)))
	c.add(box(mgl32.Vec3{1.6, 0.55, 2.2}), where.Mul4(at(0, 1.0501, -0.2)), c.metal)
}

// park is a lawn with trees and a path.
func (c *city) park(x, z float32) {
	lawn := c.material(matte(c.numbered("lawn"), mgl32.Vec3{0.14, 0.23, 0.06}))
	c.add(box(mgl32.Vec3{blockSide - 4, 0.1, blockSide - 4}), at(x, sidewalk+0.002, z), lawn)
	c.add(box(mgl32.Vec3{3, 0.04, blockSide - 4}), at(x, sidewalk+0.103, z).Mul4(turned(20)), c.pavement)
	for range 26 {
		c.trees = append(c.trees, mgl32.Vec3{x + c.between(-26, 26), sidewalk, z + c.between(-26, 26)})
	}
}

// promenade is a row of trees along the quay, with a parapet and lanterns.
func (c *city) promenade() {
	for i := range 90 {
		c.trees = append(c.trees, mgl32.Vec3{(float32(i) - 45) * 7.5, 0, quayZ - 5 + c.between(-0.8, 0.8)})
	}
	c.add(box(mgl32.Vec3{700, 1, 0.5}), at(0, 0.001, quayZ-0.4), c.pavement)
	for i := range 48 {
		c.add(box(mgl32.Vec3{0.18, 5, 0.18}), at((float32(i)-24)*14, 0, quayZ-1.5), c.metal)
	}
}

// plant grows the trees, of about so many triangles in all.
func (c *city) plant(triangles int) {
	const crowns = 4 // balls of leaves on a trunk
	segments := sphereSegments(max(triangles-len(c.s.Faces), 0), crowns*len(c.trees))
	trunk := turn([]knot{{0.22, 0, edge}, {0.14, 3, edge}}, 1, 6)
	for _, where := range c.trees {
		size := c.between(0.8, 1.35)
		c.add(trunk, mgl32.Translate3D(where[0], where[1], where[2]).Mul4(mgl32.Scale3D(size, size, size)), c.bark)
		leaves := c.leaves[c.random.IntN(len(c.leaves))]
		for range crowns {
			crown := sphere(c.between(0.9, 1.7)*size, segments)
			c.add(crown, at(where[0]+c.between(-0.9, 0.9), where[1]+size*c.between(3, 4.8), where[2]+c.between(-0.9, 0.9)), leaves)
		}
	}
}
