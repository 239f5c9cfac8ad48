package builtin

import "github.com/go-gl/mathgl/mgl32"

// buildCornellGlossy has lobes narrow enough to matter and wide enough for light sampling: where the sampling modes must agree.
func buildCornellGlossy(b *builder, _ Options) {
	r := cornellRoom()
	r.walls[floor] = plastic("floor", mgl32.Vec3{0.4, 0.4, 0.4}, 0.3)
	r.addTo(b)
	b.cornellLamp()
	b.add(box(mgl32.Vec3{0.6, 1.2, 0.6}), at(-0.33, 0, -0.3).Mul4(turned(18)),
		b.material(metal("metal", mgl32.Vec3{0.9, 0.7, 0.45}, 0.3)))
	b.add(box(mgl32.Vec3{0.6, 0.6, 0.6}), at(0.35, 0, 0.32).Mul4(turned(-17)),
		b.material(plastic("plastic", mgl32.Vec3{0.1, 0.25, 0.55}, 0.25)))
	b.cornellCamera()
}
