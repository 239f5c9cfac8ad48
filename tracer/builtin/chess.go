package builtin

import (
	"math"
	"slices"
	"unicode"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// buildChess is the built-in scene: White in marble with crystal pawns, Black in walnut with brass pawns.
func buildChess(b *builder, opts Options) {
	materials := addChessMaterials(b)
	chessRoom(b, materials)
	d := newCarver(opts.Triangles)
	chessBoard(b, materials, d.steps)
	kinds := d.pieces()
	for i, man := range position(operaGame) {
		setDown(b, kinds, materials, man, i)
	}
	for i, man := range taken {
		setDown(b, kinds, materials, man, 100+i)
	}
	b.camera(vec3{0.33, 0.64, 1.38}, vec3{0.03, 0.05, -0.03}, 39)
}

// taken are the men that have left the game; they stand on the floor next to the board.
var taken = []chessman{{'n', true, 9, 7}, {'p', true, 10, 7}, {'b', false, -3, 5}, {'p', false, -3, 4}}

func chessRoom(b *builder, m chessMaterials) {
	r := cornellRoom()
	r.lo, r.hi = vec3{-1.25, 0, -1.25}, vec3{1.25, 1.7, 1.5}
	r.without(left).addTo(b)
	b.add(boxSide(r.lo, r.hi, left, true), mgl32.Ident4(), m.redMetal)
	b.ceilingLamp(vec3{0.1, 1.7, -0.2}, 0.42, 0.28, warm.Mul(16))
	b.ceilingLamp(vec3{-0.55, 1.7, 1.05}, 0.25, 0.25, vec3{0.95, 1, 1.08}.Mul(16))
}

func chessBoard(b *builder, m chessMaterials, steps int) {
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

// setDown sets one piece down as a hand does: a little off the middle and a little turned; i decides how.
func setDown(b *builder, kinds map[rune]piece, m chessMaterials, man chessman, i int) {
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

// operaGame is the position after 9.Bg5 of Morphy against the Duke of Brunswick and Count Isouard, Paris 1858, as the first
// field of Forsyth-Edwards notation.
const operaGame = "rn2kb1r/pp2qppp/2p2n2/4p1B1/2B1P3/1QN5/PPP2PPP/R3K2R"

// chessman is a piece on its square: file and rank 0…7 from White's left corner, kind as a small FEN letter.
type chessman struct {
	kind       rune
	white      bool
	file, rank int
}

// position reads the piece placement of a FEN string.
func position(fen string) []chessman {
	var men []chessman
	file, rank := 0, 7
	for _, c := range fen {
		switch {
		case c == '/':
			file, rank = 0, rank-1
		case unicode.IsDigit(c):
			file += int(c - '0')
		default:
			men = append(men, chessman{unicode.ToLower(c), unicode.IsUpper(c), file, rank})
			file++
		}
	}
	return men
}

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
	m.append(quad([4]vec3{{-h, 0, h}, {h, 0, h}, {h, 0, -h}, {-h, 0, -h}}, vec2{0.4, 0.4}), mgl32.Ident4())
	shift := vec2{float32(index%8) * 0.37, float32(index/8) * 0.29}
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
				n := vec3{float32(q.nr), float32(q.ny), 0}
				up := mgl32.Vec4{float32(-q.ny), float32(q.nr), 0, -1}
				for _, z := range []float32{r, -r} {
					part.vertex(vec3{r, y, z}, n, up, vec2{(float32(q.s) + 0.31*float32(side)) / tile, z / tile})
				}
			}
			part.lattice(0, len(run), 2)
			m.append(part, turn)
		}
	}
	return m
}

// chessMaterials are the indices of the chess scene's materials.
type chessMaterials struct {
	redMetal                       uint32 // wall
	whiteStone, blackStone         uint32 // squares
	frame, inlay                   uint32 // board
	marble, crystal, walnut, brass uint32 // pieces
}

// addChessMaterials generates the textures and adds the materials.
func addChessMaterials(b *builder) chessMaterials {
	t, none, one := b.textures(chessPaintings()...), scene.NoTexture(), vec3{1, 1, 1}
	wood, polish, grain, brushed, relief := t[3], t[4], t[5], t[6], t[7]
	return chessMaterials{
		redMetal:   b.material(textured(metal("red metal", vec3{0.8, 0.09, 0.07}, 0.5), none, brushed, relief)),
		whiteStone: b.material(textured(plastic("white marble squares", vec3{0.9, 0.88, 0.84}, 0.12), t[0], none, none)),
		blackStone: b.material(textured(plastic("black marble squares", one, 0.12), t[1], none, none)),
		frame:      b.material(textured(plastic("walnut frame", vec3{0.8, 0.62, 0.55}, 0.35), wood, polish, grain)),
		inlay:      b.material(metal("brass inlay", brassColor, 0.2)),
		marble:     b.material(textured(plastic("marble", one, 0.1), t[2], none, none)),
		crystal:    b.material(glass("crystal", 0, vec3{0.75, 0.93, 0.88}, 0.08)),
		walnut:     b.material(textured(plastic("walnut", vec3{0.62, 0.5, 0.46}, 0.28), wood, polish, grain)),
		brass:      b.material(textured(metal("brass", brassColor, 0.28), none, brushed, relief)),
	}
}

// chessPaintings are three marbles, wood in three images and brushed metal in two.
func chessPaintings() []painting {
	plank := newFigure()
	return append([]painting{
		marble("white marble", stone{[3]float64{0.93, 0.92, 0.9}, [3]float64{0.86, 0.85, 0.84}, [3]float64{0.42, 0.43, 0.46}, 0.03, 1}),
		marble("black marble", stone{[3]float64{0.13, 0.13, 0.14}, [3]float64{0.2, 0.19, 0.19}, [3]float64{0.75, 0.7, 0.6}, 0.016, 101}),
		marble("statuary marble", stone{[3]float64{0.95, 0.94, 0.92}, [3]float64{0.91, 0.9, 0.88}, [3]float64{0.62, 0.61, 0.6}, 0.022, 201}),
	}, append(plank.paintings([3]float64{0.56, 0.35, 0.2}, [3]float64{0.27, 0.135, 0.075}),
		roughnessMap("brushed polish", brushedPolish), painting{name: "brushed relief", height: brushedRelief})...)
}

// brassColor is polished brass at normal incidence.
var brassColor = vec3{0.91, 0.72, 0.38}

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
		'r': {body: d.rook()},
		'n': {body: d.knight()},
		'b': {d.turn(bishopProfile()).with(d.mitre()), d.finial(0.05, mitreTop+0.028)},
		'q': {d.turn(queenProfile()).with(d.crown()), d.finial(0.062, 1.515)},
		'k': {d.turn(kingProfile()), cross(1.685)},
	}
}

// carver holds the resolution of the carving: steps per span of an outline, and segments around.
type carver struct{ steps, segments int }

// fine is the resolution for crystal.
func (d carver) fine() carver { return carver{steps: 3 * d.steps, segments: 2 * d.segments} }

func (d carver) turn(k []knot) mesh { return lathe(sample(k, d.steps), d.segments) }

func (d carver) rook() mesh {
	const merlons = 6
	m, one := d.turn(rookProfile()), arcBlock(0.19, 0.272, 0.945, 1.045, 0.62*2*math.Pi/merlons, max(2, d.segments/merlons))
	for i := range merlons {
		m.append(one, turned(float32(i)*360/merlons))
	}
	return m
}

// finial is a small ball at height y.
func (d carver) finial(radius, y float64) mesh {
	return sphere(float32(radius), max(12, d.segments/2)).moved(at(0, float32(y), 0))
}

// The turned parts of the pieces in the manner of Staunton's set, in units of one square of the board.

// foot is the moulded base that all pieces but the pawns share, of radius r; it ends at height 0.27 r/0.3, radius 0.68 r.
func foot(r float64) []knot {
	k := r / 0.3
	return []knot{
		{0, 0, edge}, {0.29 * k, 0, edge}, {0.305 * k, 0.02 * k, soft}, {0.307 * k, 0.05 * k, soft}, {0.30 * k, 0.085 * k, edge},
		{0.272 * k, 0.09 * k, edge}, {0.283 * k, 0.115 * k, soft}, {0.268 * k, 0.145 * k, edge}, {0.25 * k, 0.15 * k, edge},
		{0.228 * k, 0.175 * k, soft}, {0.213 * k, 0.22 * k, edge},
	}
}

// collar is a ring of radius r between two stems of radius inner, from height y to y + h.
func collar(inner, r, y, h float64) []knot {
	return []knot{{inner, y, edge}, {r * 0.96, y + 0.12*h, edge}, {r, y + 0.4*h, soft}, {r * 0.93, y + 0.75*h, edge}, {inner, y + h, edge}}
}

// pawnProfile has a foot of one smooth sweep: in crystal each edge of a moulding would be a ring of broken refractions.
func pawnProfile() []knot {
	return slices.Concat([]knot{
		{0, 0, edge}, {0.285, 0, edge}, {0.302, 0.018, soft}, {0.305, 0.045, soft}, {0.29, 0.075, soft}, {0.25, 0.108, soft},
		{0.205, 0.155, soft}, {0.165, 0.23, soft}, {0.13, 0.34, soft}, {0.11, 0.47, soft},
		{0.112, 0.555, edge}, {0.165, 0.563, soft}, {0.187, 0.577, soft}, {0.195, 0.598, soft}, {0.187, 0.618, soft},
		{0.165, 0.631, soft}, {0.112, 0.638, edge},
	}, ballKnots(0.765, 0.155, 0.75))
}

func rookProfile() []knot {
	return slices.Concat(foot(0.35),
		[]knot{{0.215, 0.34, soft}, {0.187, 0.48, soft}, {0.178, 0.60, soft}}, collar(0.19, 0.262, 0.69, 0.07),
		[]knot{{0.20, 0.785, soft}, {0.225, 0.83, soft}, {0.272, 0.86, edge}, {0.272, 0.945, edge}, {0.19, 0.945, edge},
			{0.19, 0.89, edge}, {0, 0.89, edge}})
}

func knightProfile() []knot {
	return slices.Concat(foot(0.34), collar(0.235, 0.27, 0.255, 0.07), []knot{{0.2, 0.345, edge}, {0, 0.36, edge}})
}

func bishopProfile() []knot {
	return slices.Concat(foot(0.335),
		[]knot{{0.185, 0.34, soft}, {0.138, 0.48, soft}, {0.118, 0.66, soft}}, collar(0.122, 0.215, 0.755, 0.07),
		collar(0.125, 0.165, 0.84, 0.045), []knot{{mitreFoot, mitreBottom, edge}})
}

func queenProfile() []knot {
	return slices.Concat(foot(0.375),
		[]knot{{0.215, 0.38, soft}, {0.16, 0.56, soft}, {0.132, 0.88, soft}}, collar(0.136, 0.245, 0.965, 0.075),
		collar(0.14, 0.19, 1.055, 0.05), []knot{{0.125, 1.12, edge}, {0.135, 1.2, soft}, {0.165, 1.3, soft}, {crownFoot, crownBottom, edge}})
}

func kingProfile() []knot {
	return slices.Concat(foot(0.39),
		[]knot{{0.225, 0.40, soft}, {0.17, 0.6, soft}, {0.142, 0.98, soft}}, collar(0.146, 0.262, 1.075, 0.08),
		collar(0.15, 0.2, 1.175, 0.055), []knot{
			{0.135, 1.245, edge}, {0.148, 1.32, soft}, {0.19, 1.44, soft}, {0.232, 1.515, edge}, {0.24, 1.53, edge}, {0.235, 1.555, edge},
			{0.19, 1.585, soft}, {0.1, 1.615, soft}, {0.055, 1.63, edge}, {0.045, 1.645, edge}, {0.05, 1.67, soft}, {0.03, 1.69, edge}, {0, 1.69, edge},
		})
}

// Where the carved heads join the turned stems, in squares.
const (
	mitreFoot, mitreBottom, mitreTop = 0.115, 0.9, 1.32
	crownFoot, crownBottom           = 0.215, 1.39
)

// polar is the point at radius r, height y and angle a counter-clockwise from +x seen from above.
func polar(r, y, a float64) vec3 {
	sin, cos := math.Sincos(a)
	return vec3{float32(r * cos), float32(y), float32(-r * sin)}
}

// mitre is the bishop's head: rings that tilt towards the cut, and between two of them the cut itself, deep in front and
// running out at the sides.
func (d carver) mitre() mesh {
	outline := []knot{{mitreFoot, mitreBottom, edge}, {0.162, 0.965, soft}, {0.178, 1.04, soft}, {0.16, 1.14, soft},
		{0.105, 1.25, soft}, {0.035, mitreTop, soft}, {0, mitreTop + 0.006, edge}}
	const cut, halfWidth, depth, tilt = 1.135, 0.016, 0.1, 0.55
	run := sample(outline, d.steps*2)[0]
	tilted := func(y, sink float64) []vec3 {
		// tilt fades towards both ends, so that they stay level
		lean := tilt * smoothstep(mitreBottom, cut-0.02, y) * (1 - smoothstep(cut+0.02, mitreTop, y))
		return ring(d.segments, func(a float64) vec3 {
			h := y + lean*radiusAt(run, y)*math.Cos(a)
			into := sink * smoothstep(0.1, 0.75, math.Cos(a))
			return polar(max(radiusAt(run, h)-into, 0), h, a)
		})
	}
	var below, above [][]vec3
	for _, q := range run {
		switch {
		case q.y < cut-halfWidth-0.004:
			below = append(below, tilted(q.y, 0))
		case q.y > cut+halfWidth+0.004:
			above = append(above, tilted(q.y, 0))
		}
	}
	return loft(slices.Concat(below, [][]vec3{
		tilted(cut-halfWidth-0.003, 0), tilted(cut-halfWidth, 0), tilted(cut-halfWidth*0.9, depth),
		tilted(cut+halfWidth*0.9, depth), tilted(cut+halfWidth, 0), tilted(cut+halfWidth+0.003, 0),
	}, above))
}

// radiusAt is the radius of a rising outline at height y, 0 above its end.
func radiusAt(run []profilePoint, y float64) float64 {
	for i := range len(run) - 1 {
		if y <= run[i+1].y {
			t := (y - run[i].y) / (run[i+1].y - run[i].y)
			return mix(run[i].r, run[i+1].r, max(t, 0))
		}
	}
	return 0
}

// crown is the queen's coronet: a flaring wall whose rim waves, and the bowl and dome inside it.
func (d carver) crown() mesh {
	const points, height = 9, 0.045
	n := (max(d.segments, 36) + points - 1) / points * points
	wall := []struct{ r, y, wave float64 }{
		{crownFoot, crownBottom, 0}, {0.222, 1.402, 0}, {0.226, 1.41, 0}, {0.235, 1.43, 0.1}, {0.258, 1.475, 0.8}, {0.262, 1.482, 1}, {0.258, 1.486, 1},
		{0.238, 1.478, 1}, {0.232, 1.47, 0.9}, {0.205, 1.435, 0.1}, {0.2, 1.43, 0}, {0.16, 1.437, 0}, {0.11, 1.455, 0}, {0.05, 1.47, 0}, {0, 1.474, 0},
	}
	var rings [][]vec3
	for _, w := range wall {
		rings = append(rings, ring(n, func(a float64) vec3 {
			scallop := 2*math.Abs(math.Sin(points*a/2)) - 1
			return polar(w.r+0.008*w.wave*scallop, w.y+height*w.wave*scallop, a)
		}))
	}
	return loft(rings)
}

// arcBlock is a piece of a round wall between two radii and heights, opening by angle radians, centred on +x.
func arcBlock(inner, outer, y0, y1, angle float64, segments int) mesh {
	strip := func(a, b func(t float64) vec3) mesh {
		var m mesh
		for i := range segments {
			t, u := (float64(i)/float64(segments)-0.5)*angle, (float64(i+1)/float64(segments)-0.5)*angle
			m.append(quad([4]vec3{a(t), b(t), b(u), a(u)}, vec2{0.1, 0.1}), mgl32.Ident4())
		}
		return m
	}
	corner := func(r, y float64) func(float64) vec3 {
		return func(t float64) vec3 { return polar(r, y, t) }
	}
	a, b, c, d := corner(inner, y0), corner(outer, y0), corner(outer, y1), corner(inner, y1)
	lo, hi := -angle/2, angle/2
	return mesh{}.with(strip(b, a)).with(strip(c, b)).with(strip(d, c)).with(strip(a, d)).
		with(quad([4]vec3{a(lo), b(lo), c(lo), d(lo)}, vec2{0.1, 0.1})).
		with(quad([4]vec3{b(hi), a(hi), d(hi), c(hi)}, vec2{0.1, 0.1}))
}

// knightSection is a cut through the horse: x and y on the mane or nose line, x and y on the chest or jaw line, half of its width, and a
// power: 2 is an ellipse, more is squarer.
type knightSection [6]float64

// horse runs from the neck's foot over the poll to the muzzle.
var horse = []knightSection{
	{-0.205, 0.335, 0.205, 0.335, 0.200, 2.0},
	{-0.225, 0.420, 0.228, 0.400, 0.180, 2.0},
	{-0.262, 0.540, 0.220, 0.480, 0.155, 2.1},
	{-0.285, 0.680, 0.165, 0.575, 0.135, 2.2},
	{-0.275, 0.830, 0.090, 0.665, 0.118, 2.3},
	{-0.225, 0.970, 0.032, 0.735, 0.108, 2.4},
	{-0.140, 1.075, 0.040, 0.745, 0.114, 2.5},
	{-0.045, 1.125, 0.100, 0.705, 0.124, 2.5},
	{0.045, 1.105, 0.160, 0.678, 0.122, 2.5},
	{0.118, 1.045, 0.214, 0.664, 0.108, 2.5},
	{0.185, 0.968, 0.260, 0.650, 0.094, 2.4},
	{0.250, 0.890, 0.300, 0.632, 0.084, 2.4},
	{0.312, 0.822, 0.332, 0.608, 0.080, 2.5},
	{0.368, 0.768, 0.358, 0.588, 0.080, 2.6},
	{0.410, 0.712, 0.386, 0.588, 0.068, 2.5},
	{0.420, 0.665, 0.408, 0.610, 0.034, 2.2},
}

func (d carver) knight() mesh {
	m := d.turn(knightProfile()).with(d.horse()).with(d.mane())
	ear, eye, nostril := d.ear(), sphere(0.022, max(12, d.segments/3)), sphere(0.017, max(12, d.segments/3))
	for _, side := range []float32{-1, 1} {
		m.append(ear, at(-0.07, 1.07, 0.058*side).Mul4(mgl32.HomogRotate3DX(0.22*side)).Mul4(mgl32.HomogRotate3DZ(0.18)))
		m.append(eye, at(0.085, 0.985, 0.108*side))
		m.append(nostril, at(0.378, 0.71, 0.066*side))
	}
	return m
}

// horse lofts the sections, closed at both ends, with the cheek, the mouth and the brow carved in.
func (d carver) horse() mesh {
	rows := (len(horse) - 1) * d.steps
	var rings [][]vec3
	for i := range rows + 1 {
		s := sectionAt(horse, float64(i)/float64(d.steps))
		rings = append(rings, ring(d.segments, s.point))
	}
	return closedLoft(rings)
}

// point is the point of the section at angle a: 0 is the back line, a half turn the front line.
func (s knightSection) point(a float64) vec3 {
	sin, cos := math.Sincos(a)
	e := 2 / s[5]
	along, across := -power(cos, e), power(sin, e)
	x := mix(s[0], s[2], 0.5+0.5*along)
	y := mix(s[1], s[3], 0.5+0.5*along)
	z := s[4] * across * carve(x, y)
	return vec3{float32(x), float32(y), float32(z)}
}

// carve scales the horse's width: a round cheek, a groove behind it, a hollow over the muzzle and the mouth's line.
func carve(x, y float64) float64 {
	bump := func(cx, cy, radius float64) float64 {
		return math.Exp(-((x-cx)*(x-cx) + (y-cy)*(y-cy)) / (radius * radius))
	}
	mouth := math.Abs((x-0.37)*0.5+(y-0.645)*0.87) / 0.011 // distance from the line of the lips
	inMouth := smoothstep(0.27, 0.33, x)
	return 1 + 0.16*bump(0.12, 0.81, 0.085) - 0.2*bump(-0.02, 0.82, 0.06) - 0.10*bump(0.23, 0.8, 0.06) +
		0.10*bump(0.055, 1.03, 0.045) - 0.22*inMouth*math.Exp(-mouth*mouth)
}

// mane is a scalloped crest along the back of the neck up to the forehead.
func (d carver) mane() mesh {
	const first, last, locks = 1.6, 7.4, 7
	rows := locks * 2 * d.steps
	var rings [][]vec3
	for i := range rows + 1 {
		t := float64(i) / float64(rows)
		s := sectionAt(horse, mix(first, last, t))
		swell := 0.35 + 0.65*math.Abs(math.Sin(math.Pi*locks*t))
		swell *= smoothstep(0, 0.06, t) * (1 - smoothstep(0.93, 1, t))
		x, y := s[0]-s[2], s[1]-s[3]
		length := math.Hypot(x, y)
		rings = append(rings, ring(max(8, d.segments/2), func(a float64) vec3 {
			sin, cos := math.Sincos(a)
			out := 0.012 + (0.006+0.03*swell)*cos
			return vec3{float32(s[0] + x/length*out), float32(s[1] + y/length*out), float32(0.05 * (0.35 + 0.65*swell) * sin)}
		}))
	}
	return closedLoft(rings)
}

// ear is a pointed leaf that opens forward, standing on the origin.
func (d carver) ear() mesh {
	var rings [][]vec3
	for _, s := range [][2]float64{{0, 0.036}, {0.02, 0.044}, {0.045, 0.046}, {0.075, 0.038}, {0.105, 0.022}, {0.125, 0.008}, {0.13, 0}} {
		rings = append(rings, ring(max(10, d.segments/2), func(a float64) vec3 {
			hollow := 0.5 - 0.9*math.Pow(max(math.Cos(a), 0), 3)*smoothstep(0.01, 0.04, s[0])
			return vec3{float32(s[1] * math.Cos(a) * hollow), float32(s[0]), float32(-0.75 * s[1] * math.Sin(a))}
		}))
	}
	return loft(append([][]vec3{pole(rings[0])}, rings...))
}

// pole is the ring shrunk to its centre: it closes a loft.
func pole(r []vec3) []vec3 {
	c := ringCenter(r)
	return ring(len(r), func(float64) vec3 { return c })
}

func closedLoft(rings [][]vec3) mesh {
	return loft(slices.Concat([][]vec3{pole(rings[0])}, rings, [][]vec3{pole(rings[len(rings)-1])}))
}

// sectionAt interpolates the sections by Catmull-Rom splines.
func sectionAt(sections []knightSection, t float64) (s knightSection) {
	i := min(int(t), len(sections)-2)
	p := [4]knightSection{sections[max(i-1, 0)], sections[i], sections[i+1], sections[min(i+2, len(sections)-1)]}
	for k := range s {
		a, b, c, d := p[0][k], p[1][k], p[2][k], p[3][k]
		s[k], _ = hermite(b, c, (c-a)/2, (d-b)/2, t-float64(i))
	}
	return s
}

// cross is the king's cross pattée, in squares, standing at height y in the plane x = 0: it faces the players.
func cross(y float32) mesh {
	const narrow, wide, reach = 0.018, 0.042, 0.085
	var outline []vec2
	for i := range 4 { // an arm is four corners; the arms differ by quarter turns
		turn := mgl32.Rotate2D(mgl32.DegToRad(float32(90 * i)))
		for _, p := range []vec2{{narrow, -narrow}, {reach, -wide}, {reach, wide}} {
			outline = append(outline, turn.Mul2x1(p))
		}
	}
	return extrude(outline, vec2{}, 0.05, 0.008).moved(at(0, y+reach, 0).Mul4(turned(90)))
}
