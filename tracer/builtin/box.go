package builtin

import "github.com/go-gl/mathgl/mgl32"

// side names one face of a box.
type side int

const (
	left side = iota
	right
	floor
	ceiling
	back
	front
	sideCount
)

// boxSides gives each face's corners, counter-clockwise seen from outside with +Y up; bit 0, 1, 2 chooses the far x, y, z.
var boxSides = [sideCount][4]int{
	left: {0, 4, 6, 2}, right: {5, 1, 3, 7}, floor: {0, 1, 5, 4}, ceiling: {6, 7, 3, 2}, back: {1, 0, 2, 3}, front: {4, 5, 7, 6},
}

// boxSide is one face of the box between two corners, looking outwards, or inwards as the wall of a room. Faces of one box
// share their corners bit for bit. One texture tile is one metre.
func boxSide(lo, hi mgl32.Vec3, s side, inwards bool) mesh {
	var p [4]mgl32.Vec3
	for i, corner := range boxSides[s] {
		for axis := range 3 {
			p[i][axis] = lo[axis]
			if corner>>axis&1 == 1 {
				p[i][axis] = hi[axis]
			}
		}
	}
	if inwards {
		p = [4]mgl32.Vec3{p[1], p[0], p[3], p[2]}
	}
	return quad(p, mgl32.Vec2{p[1].Sub(p[0]).Len(), p[3].Sub(p[0]).Len()})
}

// box is a closed box of the given size that stands on the origin, m.
func box(size mgl32.Vec3) mesh {
	lo, hi := mgl32.Vec3{-size[0] / 2, 0, -size[2] / 2}, mgl32.Vec3{size[0] / 2, size[1], size[2] / 2}
	var m mesh
	for s := range sideCount {
		m.append(boxSide(lo, hi, s, false), mgl32.Ident4())
	}
	return m
}
