package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// buildChess is the built-in scene: White in marble with crystal pawns, Black in walnut with brass pawns.
func buildChess(b *builder, opts Options) {
	materials := b.addChessMaterials()
	b.chessRoom(materials)
	d := newCarver(opts.Triangles)
	b.chessBoard(materials, d.steps)
	kinds := d.pieces()
	for i, man := range position(operaGame) {
		b.chessman(kinds, materials, man, i)
	}
	for i, man := range taken {
		b.chessman(kinds, materials, man, 100+i)
	}
	b.camera(mgl32.Vec3{0.33, 0.64, 1.38}, mgl32.Vec3{0.03, 0.05, -0.03}, 39)
}

// taken are the men that have left the game; they stand on the floor beside the board.
var taken = []chessman{
	{'n', true, 9, 7}, {'p', true, 10, 7}, {'b', false, -3, 5}, {'p', false, -3, 4},
}

func (b *builder) chessRoom(m chessMaterials) {
	r := cornellRoom()
	r.lo, r.hi = mgl32.Vec3{-1.25, 0, -1.25}, mgl32.Vec3{1.25, 1.7, 1.5}
	r.without(left).addTo(b)
	b.add(boxSide(r.lo, r.hi, left, true), mgl32.Ident4(), m.redMetal)
	b.ceilingLamp(mgl32.Vec3{0.1, 1.7, -0.2}, 0.42, 0.28, warm.Mul(16))
	b.ceilingLamp(mgl32.Vec3{-0.55, 1.7, 1.05}, 0.25, 0.25, mgl32.Vec3{0.95, 1, 1.08}.Mul(16))
}

func (b *builder) chessBoard(m chessMaterials, steps int) {
	for i := range 64 {
		file, rank := i%8, i/8
		stone := m.blackStone
		if (file+rank)%2 == 1 {
			stone = m.whiteStone
		}
		x, z := squareCenter(file, rank)
		b.add(boardTile(i), at(x, boardHeight, z).Mul4(turned(float32(90*(i*7%4)))), stone)
	}
	b.add(boardInlay(), mgl32.Ident4(), m.inlay)
	b.add(boardFrame(steps), mgl32.Ident4(), m.frame)
}

// squareCenter is where a file and rank are, m: White sits at +z.
func squareCenter(file, rank int) (x, z float32) {
	return (float32(file) - 3.5) * square, (3.5 - float32(rank)) * square
}

// chessman sets one piece down as a hand does: a little off the middle and a little turned; i decides how.
func (b *builder) chessman(kinds map[rune]piece, m chessMaterials, man chessman, i int) {
	x, z := squareCenter(man.file, man.rank)
	y := float32(boardHeight)
	if man.file < 0 || man.file > 7 {
		y = 0
	}
	jitter := func(k uint32) float32 { return float32(hash(uint32(i), k, 77))/math.MaxUint32*2 - 1 }
	facing := float32(-90)
	if man.white {
		facing = 90
	}
	const clearance = 0.0004 // m, so that base and board do not share a plane
	where := at(x+0.009*jitter(1), y+clearance, z+0.009*jitter(2)).Mul4(turned(facing + 14*jitter(3))).Mul4(mgl32.Scale3D(square, square, square))
	kind := man.kind
	body := map[bool]uint32{true: m.marble, false: m.walnut}[man.white]
	switch {
	case man.kind == 'p' && man.white:
		kind, body = crystalPawn, m.crystal
	case man.kind == 'p':
		body = m.brass
	}
	b.add(kinds[kind].body, where, body)
	if accent := kinds[kind].accent; len(accent.faces) > 0 {
		b.add(accent, where, m.brass)
	}
}
