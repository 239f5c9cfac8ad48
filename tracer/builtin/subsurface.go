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

// buildMedia shows three volumes that scatter: a block of wax, a ball of milk and a vase of jade, none thinner than some mean
// free paths.
func buildMedia(b *builder, opts Options) {
	cornellRoom().addTo(b)
	b.ceilingLamp(mgl32.Vec3{0, 2, 0}, 0.7, 0.7, warm.Mul(4)) // large: paths out of a volume find it by chance
	const gap = 1e-3                                          // keeps the volumes' surfaces clear of the floor, m
	segments := sphereSegments(opts.Triangles, 4)
	wax := b.material(translucent("wax", mgl32.Vec3{0.85, 0.5, 0.2}, 25, 0.5, 0.6))
	milk := b.material(translucent("milk", mgl32.Vec3{0.9, 0.87, 0.8}, 40, 0.7, 0.5))
	jade := b.material(translucent("jade", mgl32.Vec3{0.25, 0.6, 0.3}, 30, 0.6, 0.4))
	b.add(box(mgl32.Vec3{0.45, 0.9, 0.45}), at(-0.5, gap, -0.35).Mul4(turned(24)), wax)
	b.add(sphere(0.32, segments), at(0.1, 0.32+gap, 0.35), milk)
	b.add(vase(1.1, segments), at(0.52, gap, -0.3), jade)
	b.cornellCamera()
}
