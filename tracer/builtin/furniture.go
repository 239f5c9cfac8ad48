package builtin

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

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

// vase is a slender turned vase of the given height, m, that stands on the origin.
func vase(height float64, segments int) mesh {
	return turn([]knot{
		{0, 0, edge}, {0.13, 0, edge}, {0.15, 0.02, edge}, {0.2, 0.16, soft}, {0.25, 0.36, soft}, {0.22, 0.56, soft}, {0.11, 0.74, soft},
		{0.075, 0.84, soft}, {0.09, 0.93, soft}, {0.125, 0.99, edge}, {0.118, 1, edge}, {0.1, 1, edge}, {0.055, 0.86, soft}, {0, 0.8, edge},
	}, height, segments)
}

// bowl is a wide turned bowl of the given height, m, that stands on the origin.
func bowl(height float64, segments int) mesh {
	return turn([]knot{
		{0, 0, edge}, {0.42, 0, edge}, {0.44, 0.08, edge}, {0.75, 0.25, soft}, {1.02, 0.6, soft}, {1.15, 1, edge}, {1.09, 1, edge},
		{0.93, 0.55, soft}, {0.6, 0.25, soft}, {0, 0.16, edge},
	}, height, segments)
}

// turn is the lathe's work on an outline in units of scale metres; spans of the outline take a sixth as many steps as there
// are segments around.
func turn(outline []knot, scale float64, segments int) mesh {
	k := slices.Clone(outline)
	for i := range k {
		k[i].r *= scale
		k[i].y *= scale
	}
	return lathe(sample(k, max(2, segments/6)), segments)
}
