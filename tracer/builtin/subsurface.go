package builtin

import "glint/tracer/scene"

// violet is the colour of the subsurface spheres.
var violet = vec3{0.5, 0.3, 0.75}

// violetWax scatters light so often, times a metre.
func violetWax(events float64) scene.Material {
	return translucent("subject", violet, events, 0.8, 0.4)
}

// subsurface is a sphere of 10 cm before the only lamp of a small box: what the camera sees of it has come through. Half of
// the light that meets it would take 10, 20 and 30 mean free paths straight across at 100, 200 and 300 events a metre.
func subsurface(subject scene.Material) func(*builder, Options) {
	r := cornellRoom()
	r.lo, r.hi = vec3{-0.15, 0, -0.15}, vec3{0.15, 0.3, 0.15}
	return inside(r, func(b *builder, opts Options) {
		const half, y = 0.07, 0.15
		b.fix(panel(-half, y-half, half, y+half, -0.149), emitter("lamp", warm.Mul(10)))
		b.put(sphere(0.05, sphereSegments(opts.Triangles, 1)), at(0, y, 0), subject)
		b.camera(vec3{0, y, 0.55}, vec3{0, y, 0}, 38)
	})
}

// media shows three volumes that scatter: a block of wax, a ball of milk and a vase of jade, none thinner than some mean
// free paths.
func media(b *builder, opts Options) {
	b.ceilingLamp(vec3{0, 2, 0}, 0.7, 0.7, warm.Mul(4)) // large: paths out of a volume find it by chance
	const gap = 1e-3                                    // keeps the volumes' surfaces clear of the floor, m
	segments := sphereSegments(opts.Triangles, 4)
	wax := b.material(translucent("wax", vec3{0.85, 0.5, 0.2}, 25, 0.5, 0.6))
	milk := b.material(translucent("milk", vec3{0.9, 0.87, 0.8}, 40, 0.7, 0.5))
	jade := b.material(translucent("jade", vec3{0.25, 0.6, 0.3}, 30, 0.6, 0.4))
	b.add(box(vec3{0.45, 0.9, 0.45}), at(-0.5, gap, -0.35).Mul4(turned(24)), wax)
	b.add(sphere(0.32, segments), at(0.1, 0.32+gap, 0.35), milk)
	b.add(vase(1.1, segments), at(0.52, gap, -0.3), jade)
	cornellCamera(b)
}
