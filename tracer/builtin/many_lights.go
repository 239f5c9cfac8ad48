package builtin

import (
	"fmt"

	"glint/tracer/scene"
)

// Measures of thousand-lamps, m.
const (
	lampHallX, lampHallZ = 4, 5 // half of the hall's width and depth
	lampHallY            = 3.4
	lampsAcross          = 10 // lamps hang in a lattice of so many to the cube
	lampRadius           = 0.018
	lampColors           = 12
	lampPillar           = 0.16 // half of a pillar's width
)

// buildThousandLamps is a dark hall in which 1,000 beads of 12 colours glow behind and among pillars: each lights little more than its
// surroundings, and of most of them a place sees few.
func buildThousandLamps(b *builder, opts Options) {
	r := walled(vec3{-lampHallX, 0, -lampHallZ}, vec3{lampHallX, lampHallY, lampHallZ}, matte("plaster", vec3{0.6, 0.58, 0.55}))
	r.walls[floor] = plastic("slate", vec3{0.12, 0.13, 0.15}, 0.3)
	r.addTo(b)
	stone := b.material(matte("sandstone", vec3{0.66, 0.58, 0.46}))
	for row := range 5 {
		for column := range 4 {
			x, z := (float32(column)-1.5)*2, (float32(row)-2.2)*1.8
			b.add(box(vec3{2 * lampPillar, lampHallY - 0.31, 2 * lampPillar}), at(x, 0.15, z), stone)
			b.add(box(vec3{0.5, 0.15, 0.5}), at(x, 0.0001, z), stone)
			b.add(box(vec3{0.5, 0.15, 0.5}), at(x, lampHallY-0.1501, z), stone)
		}
	}
	segments := sphereSegments(max(opts.Triangles-lampTriangles, 0), 7)
	b.put(vase(1.5, segments), at(0.05, 0.0001, -0.9), plastic("white vase", vec3{0.75, 0.73, 0.7}, 0.2))
	b.put(sphere(0.45, segments), ball(-0.5, 1.9, 0.4501), metal("silver", vec3{0.9, 0.9, 0.88}, 0.2))
	b.put(sphere(0.35, segments), ball(0.45, 0.8, 0.3501), matte("chalk", vec3{0.78, 0.76, 0.73}))
	b.put(bowl(0.3, segments), at(0.4, 0.0001, 2.7), metal("copper", vec3{0.93, 0.6, 0.48}, 0.3))
	lampBeads(b)
	b.camera(vec3{0.12, 1.6, 4.8}, vec3{-0.05, 1.05, -0.9}, 55)
}

// lampTriangles is how many triangles the lamps and pillars have.
const lampTriangles = lampsAcross*lampsAcross*lampsAcross*24 + 3*20*12

// lampBeads hang one to a cell of the hall, anywhere in it except in a pillar.
func lampBeads(b *builder) {
	var glow [lampColors]uint32
	for i := range glow {
		color := rainbow(float64(i) / lampColors)
		glow[i] = b.material(emitter(fmt.Sprintf("lamp %d", i), color.Mul(18+14*float32(i%3))))
	}
	bead := sphere(lampRadius, 6)
	size := vec3{2 * lampHallX, lampHallY, 2 * lampHallZ}.Mul(1. / lampsAcross)
	for i := range uint32(lampsAcross * lampsAcross * lampsAcross) {
		cell := [3]uint32{i % lampsAcross, i / lampsAcross % lampsAcross, i / lampsAcross / lampsAcross}
		var p vec3
		for try := uint32(0); try == 0 || inLampPillar(p); try++ {
			for axis := range p {
				inside := 0.1 + 0.8*float32(hash(i, uint32(axis), 900+try)>>8)/(1<<24)
				p[axis] = (float32(cell[axis]) + inside) * size[axis]
			}
			p = p.Sub(vec3{lampHallX, 0, lampHallZ})
		}
		b.add(bead, at(p[0], p[1], p[2]), glow[hash(i, 3, 901)>>8%lampColors])
	}
}

// inLampPillar tells whether a bead at p would touch a pillar or its foot.
func inLampPillar(p vec3) bool {
	const reach = 0.25 + 2*lampRadius
	for row := range 5 {
		for column := range 4 {
			x, z := p[0]-(float32(column)-1.5)*2, p[2]-(float32(row)-2.2)*1.8
			if max(x, -x) < reach && max(z, -z) < reach {
				return true
			}
		}
	}
	return false
}

// Measures of many-spots, m: spots hang from a rig in rows below the ceiling.
const (
	spotRows   = 10 // and as many in a row
	spotHallX  = 5  // half of the hall's width and depth
	spotHallY  = 4.5
	spotHeight = 4
)

// buildManySpots is a gallery under a rig of 100 coloured spots, each with a narrow cone on its own piece of floor, plinth or wall.
// A light box on the back wall is all that paths can find by chance.
func buildManySpots(b *builder, opts Options) {
	r := walled(vec3{-spotHallX, 0, -spotHallX}, vec3{spotHallX, spotHallY, spotHallX}, matte("gallery wall", vec3{0.62, 0.61, 0.6}))
	r.walls[ceiling] = matte("black ceiling", vec3{0.04, 0.04, 0.045})
	r.walls[floor] = plastic("concrete", vec3{0.36, 0.35, 0.33}, 0.35)
	r.addTo(b)
	segments := sphereSegments(max(opts.Triangles-12*spotRows*spotRows, 0), 14)
	spotPieces(b, segments)
	spotRig(b)
	box := vec3{1.3, 0.75, 0.01}
	b.put(boxSide(box.Mul(-1), box, front, false), at(-0.9, 2.3, -spotHallX+0.03), emitter("light box", vec3{1.1, 1.5, 1.9}))
	b.put(frameAround(1.3, 0.75, 0.05, 0.05), at(-0.9, 2.3, -spotHallX+0.03), metal("frame", vec3{0.2, 0.2, 0.21}, 0.4))
	b.camera(vec3{1.4, 1.75, 4.8}, vec3{-0.15, 1.25, 0}, 58)
}

// spotPieces are what the gallery shows.
func spotPieces(b *builder, segments int) {
	plinth := b.material(matte("plinth", vec3{0.7, 0.69, 0.67}))
	for i, p := range []struct {
		x, z, height float32
		piece        mesh
		lift         float32
		material     scene.Material
	}{
		{-2.4, 0.3, 0.8, vase(1, segments), 0, plastic("glazed vase", vec3{0.08, 0.2, 0.42}, 0.2)},
		{-0.2, -0.6, 0.6, sphere(0.5, segments), 0.5, metal("gold", vec3{0.95, 0.7, 0.32}, 0.25)},
		{2, 0.2, 0.9, bowl(0.4, segments), 0, plastic("white bowl", vec3{0.78, 0.77, 0.74}, 0.3)},
		{-1.2, -3, 1, sphere(0.45, segments), 0.45, matte("plaster ball", vec3{0.76, 0.74, 0.7})},
		{1.3, -2.8, 0.7, vase(1.2, segments), 0, metal("brass", brassColor, 0.35)},
		{0.5, 1.9, 0.45, sphere(0.3, segments), 0.3, plastic("red ball", vec3{0.6, 0.05, 0.04}, 0.15)},
		{-3.8, -2.4, 0.5, vase(1.5, segments), 0, matte("terracotta", vec3{0.6, 0.27, 0.15})},
	} {
		b.add(box(vec3{0.8, p.height, 0.8}), at(p.x, 0.0001, p.z).Mul4(turned(float32(17*i))), plinth)
		b.put(p.piece, at(p.x, p.height+p.lift+0.0005, p.z), p.material)
	}
}

// spotRig hangs the spots, each below a housing, tilted by up to half a right angle to where its hash says.
func spotRig(b *builder) {
	housing := b.material(metal("housing", vec3{0.12, 0.12, 0.13}, 0.4))
	can := box(vec3{0.12, 0.2, 0.12})
	for i := range uint32(spotRows * spotRows) {
		random := func(axis uint32) float32 { return float32(hash(i, axis, 950)>>8) / (1 << 24) }
		x := (float32(i%spotRows) - (spotRows-1)/2.) * 0.95
		z := (float32(i/spotRows) - (spotRows-1)/2.) * 0.95
		outer := 0.1 + 0.14*float64(random(2))
		tint := rainbow(float64(random(3))).Mul(0.7).Add(vec3{0.35, 0.33, 0.3})
		b.s.Lights = append(b.s.Lights, scene.Light{
			Name: fmt.Sprintf("spot %d", i), Kind: scene.LightSpot, Position: vec3{x, spotHeight, z},
			Direction: vec3{1.6 * (random(0) - 0.5), -1, 1.6 * (random(1) - 0.5)}.Normalize(),
			Intensity: tint.Mul(75 * (0.4 + random(4))), InnerCone: float32(0.6 * outer), OuterCone: float32(outer),
		})
		b.add(can, at(x, spotHeight+0.02, z), housing)
	}
}
