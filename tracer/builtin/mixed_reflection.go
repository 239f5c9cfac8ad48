package builtin

import "github.com/go-gl/mathgl/mgl32"

// buildMixedReflection has every kind of reflection side by side between diffuse walls: a framed mirror, a block of rough metal, a
// coated ball and one of glass.
func buildMixedReflection(b *builder, opts Options) {
	cornellRoom().closed(4).addTo(b)
	b.ceilingLamp(mgl32.Vec3{0, 2, 0.3}, 0.35, 0.35, warm.Mul(14))
	b.wallMirror()
	segments := sphereSegments(opts.Triangles, 5)
	b.add(box(mgl32.Vec3{0.5, 0.85, 0.5}), at(-0.5, 0, -0.45).Mul4(turned(22)), b.material(metal("rough copper", mgl32.Vec3{0.93, 0.6, 0.48}, 0.35)))
	b.add(sphere(0.27, segments), at(-0.5, 1.1201, -0.45), b.material(matte("chalk", mgl32.Vec3{0.75, 0.72, 0.68})))
	b.add(sphere(0.32, segments), ball(0.5, -0.3, 0.32), b.material(plastic("lacquer", mgl32.Vec3{0.55, 0.05, 0.04}, 0.05)))
	b.add(sphere(0.24, segments), ball(0.1, 0.45, 0.24), b.material(glass("glass", 0, mgl32.Vec3{0.8, 0.95, 0.9}, 0.3)))
	b.add(vase(0.6, segments), at(-0.45, 0, 0.4), b.material(plastic("glazed vase", mgl32.Vec3{0.06, 0.14, 0.4}, 0.15)))
	b.camera(mgl32.Vec3{0, 1, 3.9}, mgl32.Vec3{0, 0.97, 0}, 38)
}

// wallMirror hangs on the back wall, in a frame.
func (b *builder) wallMirror() {
	const halfX, halfY, border, depth = 0.42, 0.42, 0.05, 0.05 // m
	lo, hi := mgl32.Vec3{-halfX, -halfY, -0.01}, mgl32.Vec3{halfX, halfY, 0.01}
	place := at(0.38, 1.25, -0.97)
	b.add(boxSide(lo, hi, front, false), place, b.material(metal("mirror", mgl32.Vec3{0.95, 0.95, 0.95}, 0)))
	b.add(frameAround(halfX, halfY, border, depth), place, b.material(plastic("frame", mgl32.Vec3{0.32, 0.18, 0.09}, 0.4)))
}
