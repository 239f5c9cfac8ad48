package builtin

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

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
	r := room{lo: mgl32.Vec3{-spotHallX, 0, -spotHallX}, hi: mgl32.Vec3{spotHallX, spotHallY, spotHallX}, walls: map[side]scene.Material{}}
	for s := range sideCount {
		r.walls[s] = matte("gallery wall", mgl32.Vec3{0.62, 0.61, 0.6})
	}
	r.walls[ceiling] = matte("black ceiling", mgl32.Vec3{0.04, 0.04, 0.045})
	r.walls[floor] = plastic("concrete", mgl32.Vec3{0.36, 0.35, 0.33}, 0.35)
	r.addTo(b)
	segments := sphereSegments(max(opts.Triangles-12*spotRows*spotRows, 0), 14)
	b.spotPieces(segments)
	b.spotRig()
	box := mgl32.Vec3{1.3, 0.75, 0.01}
	b.add(boxSide(box.Mul(-1), box, front, false), at(-0.9, 2.3, -spotHallX+0.03), b.material(emitter("light box", mgl32.Vec3{1.1, 1.5, 1.9})))
	b.add(frameAround(1.3, 0.75, 0.05, 0.05), at(-0.9, 2.3, -spotHallX+0.03), b.material(metal("frame", mgl32.Vec3{0.2, 0.2, 0.21}, 0.4)))
	b.camera(mgl32.Vec3{1.4, 1.75, 4.8}, mgl32.Vec3{-0.15, 1.25, 0}, 58)
}

// spotPieces are what the gallery shows.
func (b *builder) spotPieces(segments int) {
	plinth := b.material(matte("plinth", mgl32.Vec3{0.7, 0.69, 0.67}))
	for i, p := range []struct {
		x, z, height float32
		piece        mesh
		lift         float32
		material     scene.Material
	}{
		{-2.4, 0.3, 0.8, vase(1, segments), 0, plastic("glazed vase", mgl32.Vec3{0.08, 0.2, 0.42}, 0.2)},
		{-0.2, -0.6, 0.6, sphere(0.5, segments), 0.5, metal("gold", mgl32.Vec3{0.95, 0.7, 0.32}, 0.25)},
		{2, 0.2, 0.9, bowl(0.4, segments), 0, plastic("white bowl", mgl32.Vec3{0.78, 0.77, 0.74}, 0.3)},
		{-1.2, -3, 1, sphere(0.45, segments), 0.45, matte("plaster ball", mgl32.Vec3{0.76, 0.74, 0.7})},
		{1.3, -2.8, 0.7, vase(1.2, segments), 0, metal("brass", brassColor, 0.35)},
		{0.5, 1.9, 0.45, sphere(0.3, segments), 0.3, plastic("red ball", mgl32.Vec3{0.6, 0.05, 0.04}, 0.15)},
		{-3.8, -2.4, 0.5, vase(1.5, segments), 0, matte("terracotta", mgl32.Vec3{0.6, 0.27, 0.15})},
	} {
		b.add(box(mgl32.Vec3{0.8, p.height, 0.8}), at(p.x, 0.0001, p.z).Mul4(turned(float32(17*i))), plinth)
		b.add(p.piece, at(p.x, p.height+p.lift+0.0005, p.z), b.material(p.material))
	}
}

// spotRig hangs the spots, each below a housing, tilted by up to half a right angle to where its hash says.
func (b *builder) spotRig() {
	housing := b.material(metal("housing", mgl32.Vec3{0.12, 0.12, 0.13}, 0.4))
	can := box(mgl32.Vec3{0.12, 0.2, 0.12})
	for i := range uint32(spotRows * spotRows) {
		random := func(axis uint32) float32 { return float32(hash(i, axis, 950)>>8) / (1 << 24) }
		x := (float32(i%spotRows) - (spotRows-1)/2.) * 0.95
		z := (float32(i/spotRows) - (spotRows-1)/2.) * 0.95
		outer := 0.1 + 0.14*float64(random(2))
		tint := rainbow(float64(random(3))).Mul(0.7).Add(mgl32.Vec3{0.35, 0.33, 0.3})
		b.s.Lights = append(b.s.Lights, scene.Light{
			Name: fmt.Sprintf("spot %d", i), Kind: scene.LightSpot, Position: mgl32.Vec3{x, spotHeight, z},
			Direction: mgl32.Vec3{1.6 * (random(0) - 0.5), -1, 1.6 * (random(1) - 0.5)}.Normalize(),
			Intensity: tint.Mul(75 * (0.4 + random(4))), InnerCone: float32(0.6 * outer), OuterCone: float32(outer),
		})
		b.add(can, at(x, spotHeight+0.02, z), housing)
	}
}
