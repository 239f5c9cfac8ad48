package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// whole rounds a length to a number of units, at least two.
func whole(length, unit float32) float32 {
	return max(float32(math.Round(float64(length/unit))), 2) * unit
}

// house builds on a lot of w × d metres around (x, z), about h high.
func (c *city) house(x, z, w, d, h float32) {
	w, d, h = whole(w-1, windowAxis), whole(d-1, windowAxis), whole(h, storey)
	switch kind := c.random.IntN(10); {
	case h > 60 && kind < 5:
		c.tower(x, z, w, d, h, c.facadeMaterial(curtain))
	case h > 60:
		c.setbacks(x, z, w, d, h, c.facadeMaterial(ribbon))
	case h > 32 && kind < 2:
		c.roundTower(x, z, min(w, d)/2, h)
	case h > 32 && kind < 7:
		c.fins(x, z, w, d, h)
	case h > 26:
		c.setbacks(x, z, w, d, h, c.facadeMaterial(punched))
	case kind < 3:
		c.gabled(x, z, w, d, min(h, 5*storey))
	default:
		c.corniced(x, z, w, d, h)
	}
}

// volume is a box of walls with a roof, its foot at height y; it returns the height of its roof.
func (c *city) volume(x, y, z, w, h, d float32, wall uint32) float32 {
	lo, hi := mgl32.Vec3{x - w/2, y, z - d/2}, mgl32.Vec3{x + w/2, y + h, z + d/2}
	for _, s := range []side{left, right, front, back} {
		c.add(boxSide(lo, hi, s, false), mgl32.Ident4(), wall)
	}
	c.add(boxSide(lo, hi, ceiling, false), mgl32.Ident4(), c.roofs[c.random.IntN(len(c.roofs))])
	return y + h
}

// frame is a low wall around a roof.
func (c *city) frame(x, y, z, w, d, height, thickness float32, material uint32) {
	for _, s := range []float32{-1, 1} {
		c.add(box(mgl32.Vec3{thickness, height, d + thickness}), at(x+s*w/2, y, z), material)
		c.add(box(mgl32.Vec3{w - thickness, height, thickness}), at(x, y, z+s*d/2), material)
	}
}

// tower is one prism of glass with a crown.
func (c *city) tower(x, z, w, d, h float32, wall uint32) {
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	inner := c.between(0.5, 0.75)
	y = c.volume(x, y, z, whole(w*inner, windowAxis), whole(h*c.between(0.06, 0.2), storey), whole(d*inner, windowAxis), wall)
	c.roofTop(x, y, z, w*inner, d*inner)
	if c.random.IntN(2) == 0 {
		c.add(turn([]knot{{0.16, 0, edge}, {0.02, 1, edge}, {0, 1, edge}}, float64(c.between(14, 30)), 8), at(x, y, z), c.metal)
	}
}

// setbacks is a pile of boxes that get smaller.
func (c *city) setbacks(x, z, w, d, h float32, wall uint32) {
	y, steps := float32(sidewalk), 2+c.random.IntN(2)
	for i := range steps {
		part := whole(h*[]float32{0.5, 0.3, 0.2}[i], storey)
		y = c.volume(x, y, z, w, part, d, wall)
		c.frame(x, y, z, w-0.4, d-0.4, 1, 0.4, wall)
		if i < steps-1 {
			w, d = whole(w*c.between(0.65, 0.85), windowAxis), whole(d*c.between(0.65, 0.85), windowAxis)
		}
	}
	c.roofTop(x, y, z, w, d)
}

// fins is a slab with blades of stone between its windows.
func (c *city) fins(x, z, w, d, h float32) {
	wall := c.facadeMaterial(ribbon)
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	blade := box(mgl32.Vec3{0.35, h + 1.2, 0.9})
	for i := range int(w/windowAxis) + 1 {
		for _, s := range []float32{-1, 1} {
			c.add(blade, at(x-w/2+float32(i)*windowAxis, sidewalk, z+s*(d/2+0.3)), wall)
		}
	}
	for i := range int(d/windowAxis) - 1 {
		for _, s := range []float32{-1, 1} {
			c.add(blade, at(x+s*(w/2+0.3), sidewalk, z-d/2+float32(i+1)*windowAxis).Mul4(turned(90)), wall)
		}
	}
	c.roofTop(x, y, z, w, d)
}

// roundTower is a cylinder with floors that stand out.
func (c *city) roundTower(x, z, r, h float32) {
	wall, floors := c.facadeMaterial(curtain), c.facadeMaterial(plain)
	shaft := turn([]knot{{float64(r), 0, edge}, {float64(r), float64(h), edge}, {0, float64(h), edge}}, 1, 32)
	c.add(shaft, at(x, sidewalk, z), wall)
	disc := turn([]knot{{0, 0, edge}, {float64(r) + 0.8, 0, edge}, {float64(r) + 0.8, 0.5, edge}, {0, 0.5, edge}}, 1, 32)
	for i := range int(h / storey) {
		c.add(disc, at(x, sidewalk+float32(i+1)*storey, z), floors)
	}
	c.roofTop(x, sidewalk+h+0.5, z, r, r)
}

// corniced is an old house with a moulding around its roof.
func (c *city) corniced(x, z, w, d, h float32) {
	wall := c.facadeMaterial(punched)
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	stone := c.facadeMaterial(plain)
	c.frame(x, y-0.8, z, w+0.4, d+0.4, 0.8, 0.8, stone)
	c.frame(x, y, z, w-0.3, d-0.3, 0.9, 0.3, wall)
	c.frame(x, sidewalk+storey-0.3, z, w+0.1, d+0.1, 0.3, 0.3, stone)
	c.roofTop(x, y, z, w, d)
}

// gabled has a saddle roof of tiles.
func (c *city) gabled(x, z, w, d, h float32) {
	wall := c.facadeMaterial(punched)
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	rise := min(w, d) * 0.38
	roof := c.material(matte(c.numbered("tiles"), mgl32.Vec3{c.between(0.3, 0.5), c.between(0.1, 0.16), c.between(0.05, 0.08)}))
	e, l := w/2+0.5, d/2+0.4
	ridge := [2]mgl32.Vec3{{0, rise, l}, {0, rise, -l}}
	c.add(quad([4]mgl32.Vec3{{e, 0, l}, {e, 0, -l}, ridge[1], ridge[0]}, mgl32.Vec2{1, 1}), at(x, y, z), roof)
	c.add(quad([4]mgl32.Vec3{{-e, 0, -l}, {-e, 0, l}, ridge[0], ridge[1]}, mgl32.Vec2{1, 1}), at(x, y, z), roof)
	for _, s := range []float32{-1, 1} { // gables, each a narrow quad
		c.add(quad([4]mgl32.Vec3{{-s * w / 2, 0, s * d / 2}, {s * w / 2, 0, s * d / 2}, {s * 0.05, rise, s * d / 2}, {-s * 0.05, rise, s * d / 2}},
			mgl32.Vec2{0.3, 0.3}), at(x, y, z), wall)
	}
}

// roofTop is what stands on a flat roof: machines, a stair's head, sometimes a water tank.
func (c *city) roofTop(x, y, z, w, d float32) {
	for range 2 + c.random.IntN(4) {
		size := mgl32.Vec3{c.between(1.2, 4), c.between(0.8, 2.6), c.between(1.2, 4)}
		c.add(box(size), at(x+c.between(-0.3, 0.3)*w, y+0.01, z+c.between(-0.3, 0.3)*d), c.metal)
	}
	if c.random.IntN(4) > 0 {
		return
	}
	tank := turn([]knot{{0, 0, edge}, {1.6, 0, edge}, {1.6, 2.8, edge}, {0, 4, edge}}, 1, 16)
	tx, tz := x+c.between(-0.3, 0.3)*w, z+c.between(-0.3, 0.3)*d
	c.add(tank, at(tx, y+2, tz), c.bark)
	for i := range 4 {
		c.add(box(mgl32.Vec3{0.2, 2, 0.2}), at(tx+float32(i%2)*2-1, y, tz+float32(i/2)*2-1), c.metal)
	}
}
