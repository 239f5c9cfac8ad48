package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// The chess scene is built in squares of this many metres; the board's top is at boardHeight.
const (
	square      = 0.15
	boardHeight = 0.066
	boardEdge   = 0.1 // width of the frame, m
)

// boardTile is one square of the board: a slab with chamfered edges whose top is at y = 0. Each takes another part of the
// stone's picture, chosen by index.
func boardTile(index int) mesh {
	const half, chamfer = square / 2, 0.0016
	m := sweepSquare([]knot{{half, -0.01, edge}, {half, -chamfer, edge}, {half - chamfer, 0, edge}}, 1)
	h := float32(half - chamfer)
	m.append(quad([4]mgl32.Vec3{{-h, 0, h}, {h, 0, h}, {h, 0, -h}, {-h, 0, -h}}, mgl32.Vec2{0.4, 0.4}), mgl32.Ident4())
	shift := mgl32.Vec2{float32(index%8) * 0.37, float32(index/8) * 0.29}
	for i := range m.vertices {
		m.vertices[i].UV[0] = m.vertices[i].UV[0].Add(shift)
	}
	return m
}

// boardInlay is the metal line between the squares and the frame, in metres.
func boardInlay() mesh {
	const inner = 4 * square
	return sweepSquare([]knot{{inner + 0.012, boardHeight - 0.008, edge}, {inner + 0.012, boardHeight + 0.0006, edge},
		{inner, boardHeight + 0.0006, edge}, {inner, boardHeight - 0.01, edge}}, 1)
}

// boardFrame is the moulding around the board, in metres.
func boardFrame(steps int) mesh {
	const inner, outer = 4*square + 0.012, 4*square + boardEdge
	return sweepSquare([]knot{
		{outer + 0.008, 0, edge}, {outer + 0.008, 0.012, soft}, {outer + 0.002, 0.018, edge}, {outer - 0.002, 0.022, edge},
		{outer - 0.008, 0.034, soft}, {outer - 0.006, 0.05, soft}, {outer - 0.012, boardHeight - 0.004, soft}, {outer - 0.022, boardHeight, edge},
		{inner, boardHeight, edge}, {inner, boardHeight - 0.01, edge},
	}, steps)
}

// sweepSquare leads an outline (r from the middle to the middle of a side) around a square, mitred at the corners. u runs
// along the outline and v along each side, one tile to 0.4 m, so that wood grain follows the sides.
func sweepSquare(k []knot, steps int) mesh {
	const tile = 0.4
	var m mesh
	for side := range 4 {
		turn := mgl32.HomogRotate3DY(float32(side) * math.Pi / 2)
		for _, run := range sample(k, steps) {
			var part mesh
			for _, q := range run {
				r, y := float32(q.r), float32(q.y)
				n := mgl32.Vec3{float32(q.nr), float32(q.ny), 0}
				up := mgl32.Vec4{float32(-q.ny), float32(q.nr), 0, -1}
				for _, z := range []float32{r, -r} {
					part.vertex(mgl32.Vec3{r, y, z}, n, up, mgl32.Vec2{(float32(q.s) + 0.31*float32(side)) / tile, z / tile})
				}
			}
			part.lattice(0, len(run), 2)
			m.append(part, turn)
		}
	}
	return m
}
