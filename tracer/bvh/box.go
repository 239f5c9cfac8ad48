package bvh

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// box is an axis-aligned box (m). Growing compares by hand: the built-in min and max order NaN and −0 as well, which
// costs several instructions where this costs one predictable branch.
type box struct{ lo, hi [3]float32 }

var emptyBox = box{
	lo: [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32},
	hi: [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32},
}

func (b *box) growPoint(p [3]float32) {
	for a := range 3 {
		if p[a] < b.lo[a] {
			b.lo[a] = p[a]
		}
		if p[a] > b.hi[a] {
			b.hi[a] = p[a]
		}
	}
}

func (b *box) grow(o *box) {
	if o.lo[0] < b.lo[0] {
		b.lo[0] = o.lo[0]
	}
	if o.lo[1] < b.lo[1] {
		b.lo[1] = o.lo[1]
	}
	if o.lo[2] < b.lo[2] {
		b.lo[2] = o.lo[2]
	}
	if o.hi[0] > b.hi[0] {
		b.hi[0] = o.hi[0]
	}
	if o.hi[1] > b.hi[1] {
		b.hi[1] = o.hi[1]
	}
	if o.hi[2] > b.hi[2] {
		b.hi[2] = o.hi[2]
	}
}

// halfArea is half of the surface area (m²); 0 for an empty box.
func (b *box) halfArea() float32 {
	x, y, z := b.hi[0]-b.lo[0], b.hi[1]-b.lo[1], b.hi[2]-b.lo[2]
	if x < 0 {
		return 0
	}
	return x*y + y*z + z*x
}

// widestAxis is the axis along which the box extends most.
func (b *box) widestAxis() int {
	widest := 0
	for a := 1; a < 3; a++ {
		if b.hi[a]-b.lo[a] > b.hi[widest]-b.lo[widest] {
			widest = a
		}
	}
	return widest
}

// padded is the box enlarged by the rounding of a corner rebuilt as v0 + e1, which the triangle test uses. It stays finite.
func (b *box) padded() box {
	const ulp = 1.0 / (1 << 23)
	p := *b
	for a := range 3 {
		pad := max(abs(p.lo[a]), abs(p.hi[a])) * ulp
		p.lo[a] = max(p.lo[a]-pad, -math.MaxFloat32)
		p.hi[a] = min(p.hi[a]+pad, math.MaxFloat32)
	}
	return p
}

func abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}

// primitive is a face's box. The face follows lo so that the whole fills half of a cache line.
type primitive struct {
	box
	face uint32
	_    uint32
}

// newPrimitive bounds a face. A face with a non-finite corner becomes a point at the origin.
func newPrimitive(face int, corners [3]mgl32.Vec3) primitive {
	p := primitive{box: emptyBox, face: uint32(face)}
	for _, c := range corners {
		p.growPoint(c)
		if sum := c[0]*0 + c[1]*0 + c[2]*0; sum != 0 {
			p.box = box{}
			return p
		}
	}
	return p
}

// centroid is the middle of the box along one axis, halved before the sum so that huge coordinates do not overflow.
func (p *primitive) centroid(axis int) float32 { return 0.5*p.lo[axis] + 0.5*p.hi[axis] }

func (p *primitive) centroids() [3]float32 {
	return [3]float32{0.5*p.lo[0] + 0.5*p.hi[0], 0.5*p.lo[1] + 0.5*p.hi[1], 0.5*p.lo[2] + 0.5*p.hi[2]}
}
