package builtin

import "github.com/go-gl/mathgl/mgl32"

// table is a board on four legs, standing on the origin: its size with the height of its top, m.
func table(size mgl32.Vec3) mesh {
	const leg, board = 0.06, 0.045 // thickness, m
	var m mesh
	m.append(box(mgl32.Vec3{size[0], board, size[2]}), at(0, size[1]-board, 0))
	for corner := range 4 {
		x := (size[0]/2 - 1.5*leg) * float32(2*(corner%2)-1)
		z := (size[2]/2 - 1.5*leg) * float32(corner/2*2-1)
		m.append(box(mgl32.Vec3{leg, size[1] - board, leg}), at(x, 0, z))
	}
	return m
}

// frameAround is a flat frame in the plane z = 0 around an opening of the given half size: border wide and depth thick, m.
func frameAround(halfX, halfY, border, depth float32) mesh {
	var m mesh
	for _, s := range []float32{-1, 1} {
		m.append(box(mgl32.Vec3{border, 2 * (halfY + border), depth}), at(s*(halfX+border/2), -halfY-border, 0))
		m.append(box(mgl32.Vec3{2 * halfX, border, depth}), at(0, s*(halfY+border/2)-border/2, 0))
	}
	return m
}
