package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// piece is one kind of chessman in units of one square, standing on the origin and facing +x.
type piece struct {
	body   mesh
	accent mesh // the finial, which may be of another material; may be empty
}

// newCarver gives the chess scene about that many triangles: their number goes with steps × segments, and carverUnit is how
// many there are for each such unit.
func newCarver(triangles int) carver {
	const carverUnit = 3200
	product := float64(triangles) / carverUnit
	steps := max(1, int(math.Round(math.Sqrt(product/16))))
	return carver{steps: steps, segments: max(12, int(math.Round(product/float64(steps))))}
}

// crystalPawn is the key of White's pawns among the pieces.
const crystalPawn = 'P'

// pieces makes one of each kind, by its small letter in FEN, and the crystal pawn, which is cut finer: refraction shows
// every facet.
func (d carver) pieces() map[rune]piece {
	return map[rune]piece{
		crystalPawn: {body: d.fine().turn(pawnProfile())},

		'p': {body: d.turn(pawnProfile())},
		'r': d.rook(),
		'n': d.knight(),
		'b': d.bishop(),
		'q': d.queen(),
		'k': d.king(),
	}
}

// carver holds the resolution of the carving: steps per span of an outline, and segments around.
type carver struct{ steps, segments int }

// fine is the resolution for crystal.
func (d carver) fine() carver { return carver{steps: 3 * d.steps, segments: 2 * d.segments} }

func (d carver) turn(k []knot) mesh { return lathe(sample(k, d.steps), d.segments) }

func (d carver) king() piece {
	return piece{body: d.turn(kingProfile()), accent: cross(1.685)}
}

func (d carver) queen() piece {
	p := piece{body: d.turn(queenProfile())}
	p.body.append(d.crown(), mgl32.Ident4())
	p.accent = d.finial(0.062, 1.515)
	return p
}

func (d carver) bishop() piece {
	p := piece{body: d.turn(bishopProfile())}
	p.body.append(d.mitre(), mgl32.Ident4())
	p.accent = d.finial(0.05, mitreTop+0.028)
	return p
}

func (d carver) rook() piece {
	p := piece{body: d.turn(rookProfile())}
	const merlons = 6
	one := arcBlock(0.19, 0.272, 0.945, 1.045, 0.62*2*math.Pi/merlons, max(2, d.segments/merlons))
	for i := range merlons {
		p.body.append(one, turned(float32(i)*360/merlons))
	}
	return p
}

// finial is a small ball at height y.
func (d carver) finial(radius, y float64) mesh {
	var m mesh
	m.append(sphere(float32(radius), max(12, d.segments/2)), at(0, float32(y), 0))
	return m
}
