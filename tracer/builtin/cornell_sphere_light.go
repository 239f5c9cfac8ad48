package builtin

import "github.com/go-gl/mathgl/mgl32"

// buildCornellSphereLight hangs a glowing sphere over the two blocks.
func buildCornellSphereLight(b *builder, opts Options) {
	cornellRoom().addTo(b)
	w := b.material(matte("blocks", white))
	b.add(box(mgl32.Vec3{0.5, 0.9, 0.5}), at(-0.42, 0, -0.35).Mul4(turned(18)), w)
	b.add(box(mgl32.Vec3{0.5, 0.5, 0.5}), at(0.42, 0, 0.3).Mul4(turned(-17)), w)
	lamp := sphere(0.2, sphereSegments(opts.Triangles, 1))
	b.add(lamp, at(0, 1.45, 0), b.material(emitter("lamp", warm.Mul(8))))
	b.cornellCamera()
}
