package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// violet is the colour of the subsurface spheres.
var violet = mgl32.Vec3{0.5, 0.3, 0.75}

// subsurface is a sphere of 10 cm before the only lamp of a small box: what the camera sees of it has come through. Half of
// the light that meets it would take 10, 20 and 30 mean free paths straight across at 100, 200 and 300 events a metre.
func subsurface(coefficient float64) func(*builder, Options) {
	return func(b *builder, opts Options) {
		b.beforeLamp(opts, translucent("subject", violet, coefficient, 0.8, 0.4))
	}
}

// buildSubsurfaceLambert is what the others are compared with.
func buildSubsurfaceLambert(b *builder, opts Options) { b.beforeLamp(opts, matte("subject", violet)) }

func (b *builder) beforeLamp(opts Options, subject scene.Material) {
	r := cornellRoom()
	r.lo, r.hi = mgl32.Vec3{-0.15, 0, -0.15}, mgl32.Vec3{0.15, 0.3, 0.15}
	r.addTo(b)
	const half, y, z = 0.07, 0.15, -0.149
	b.add(quad([4]mgl32.Vec3{{-half, y - half, z}, {half, y - half, z}, {half, y + half, z}, {-half, y + half, z}}, mgl32.Vec2{1, 1}),
		mgl32.Ident4(), b.material(emitter("lamp", warm.Mul(10))))
	b.add(sphere(0.05, sphereSegments(opts.Triangles, 1)), at(0, y, 0), b.material(subject))
	b.camera(mgl32.Vec3{0, y, 0.55}, mgl32.Vec3{0, y, 0}, 38)
}
