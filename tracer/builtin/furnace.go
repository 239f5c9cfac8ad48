package builtin

import "github.com/go-gl/mathgl/mgl32"

// buildFurnace is a closed room whose walls all reflect half and emit 1 nit: L = 1 + L/2, so the radiance is 2 everywhere.
func buildFurnace(b *builder, _ Options) {
	wall := matte("wall", mgl32.Vec3{0.5, 0.5, 0.5})
	wall.Emission = mgl32.Vec3{1, 1, 1}
	r := cornellRoom()
	for s := range sideCount {
		r.walls[s] = wall
	}
	r.addTo(b)
	b.camera(mgl32.Vec3{0.3, 1.1, 0.8}, mgl32.Vec3{-0.2, 0.8, -1}, 60)
}
