package builtin

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

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
	r := room{lo: mgl32.Vec3{-lampHallX, 0, -lampHallZ}, hi: mgl32.Vec3{lampHallX, lampHallY, lampHallZ}, walls: map[side]scene.Material{}}
	for s := range sideCount {
		r.walls[s] = matte("plaster", mgl32.Vec3{0.6, 0.58, 0.55})
	}
	r.walls[floor] = plastic("slate", mgl32.Vec3{0.12, 0.13, 0.15}, 0.3)
	r.addTo(b)
	stone := b.material(matte("sandstone", mgl32.Vec3{0.66, 0.58, 0.46}))
	for row := range 5 {
		for column := range 4 {
			x, z := (float32(column)-1.5)*2, (float32(row)-2.2)*1.8
			b.add(box(mgl32.Vec3{2 * lampPillar, lampHallY - 0.31, 2 * lampPillar}), at(x, 0.15, z), stone)
			b.add(box(mgl32.Vec3{0.5, 0.15, 0.5}), at(x, 0.0001, z), stone)
			b.add(box(mgl32.Vec3{0.5, 0.15, 0.5}), at(x, lampHallY-0.1501, z), stone)
		}
	}
	segments := sphereSegments(max(opts.Triangles-lampTriangles, 0), 7)
	b.add(vase(1.5, segments), at(0.05, 0.0001, -0.9), b.material(plastic("white vase", mgl32.Vec3{0.75, 0.73, 0.7}, 0.2)))
	b.add(sphere(0.45, segments), ball(-0.5, 1.9, 0.4501), b.material(metal("silver", mgl32.Vec3{0.9, 0.9, 0.88}, 0.2)))
	b.add(sphere(0.35, segments), ball(0.45, 0.8, 0.3501), b.material(matte("chalk", mgl32.Vec3{0.78, 0.76, 0.73})))
	b.add(bowl(0.3, segments), at(0.4, 0.0001, 2.7), b.material(metal("copper", mgl32.Vec3{0.93, 0.6, 0.48}, 0.3)))
	b.lampBeads()
	b.camera(mgl32.Vec3{0.12, 1.6, 4.8}, mgl32.Vec3{-0.05, 1.05, -0.9}, 55)
}

// lampTriangles is how many triangles the lamps and pillars have.
const lampTriangles = lampsAcross*lampsAcross*lampsAcross*24 + 3*20*12

// lampBeads hang one to a cell of the hall, anywhere in it except in a pillar.
func (b *builder) lampBeads() {
	var glow [lampColors]uint32
	for i := range glow {
		color := rainbow(float64(i) / lampColors)
		glow[i] = b.material(emitter(fmt.Sprintf("lamp %d", i), color.Mul(18+14*float32(i%3))))
	}
	bead := sphere(lampRadius, 6)
	size := mgl32.Vec3{2 * lampHallX, lampHallY, 2 * lampHallZ}.Mul(1. / lampsAcross)
	for i := range uint32(lampsAcross * lampsAcross * lampsAcross) {
		cell := [3]uint32{i % lampsAcross, i / lampsAcross % lampsAcross, i / lampsAcross / lampsAcross}
		var p mgl32.Vec3
		for try := uint32(0); try == 0 || inLampPillar(p); try++ {
			for axis := range p {
				inside := 0.1 + 0.8*float32(hash(i, uint32(axis), 900+try)>>8)/(1<<24)
				p[axis] = (float32(cell[axis]) + inside) * size[axis]
			}
			p = p.Sub(mgl32.Vec3{lampHallX, 0, lampHallZ})
		}
		b.add(bead, at(p[0], p[1], p[2]), glow[hash(i, 3, 901)>>8%lampColors])
	}
}

// inLampPillar tells whether a bead at p would touch a pillar or its foot.
func inLampPillar(p mgl32.Vec3) bool {
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
