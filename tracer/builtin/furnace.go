package builtin

import "glint/tracer/scene"

// furnaceWall reflects half and emits 1 nit.
func furnaceWall() scene.Material {
	m := matte("wall", vec3{0.5, 0.5, 0.5})
	m.Emission = vec3{1, 1, 1}
	return m
}

// buildFurnace is a closed room whose walls all reflect half and emit 1 nit: L = 1 + L/2, so the radiance is 2 everywhere.
func buildFurnace(b *builder, _ Options) {
	walled(vec3{-1, 0, -1}, vec3{1, 2, 1}, furnaceWall()).addTo(b)
	b.camera(vec3{0.3, 1.1, 0.8}, vec3{-0.2, 0.8, -1}, 60)
}

// buildWhiteFurnace is one sphere that absorbs nothing and no light: in a constant environment of radiance 1 a material that
// conserves energy renders as 1 (Heitz 2014, §5). opts.Material chooses what the sphere is made of.
func buildWhiteFurnace(b *builder, opts Options) {
	m := plastic("subject", vec3{1, 1, 1}, 1)
	if opts.Material != nil {
		opts.Material(&m)
	}
	b.fix(sphere(0.5, sphereSegments(opts.Triangles, 1)), m)
	b.camera(vec3{0, 0, 2}, vec3{}, 40)
}

// buildEmissiveSphere is the furnace for paths of a limited length: inside a sphere that emits 1 nit and reflects half, light
// that was scattered k times has radiance 0.5^k in every direction.
func buildEmissiveSphere(b *builder, opts Options) {
	b.fix(insideOut(sphere(1, sphereSegments(opts.Triangles, 1))), furnaceWall())
	b.camera(vec3{0.2, 0.1, 0.5}, vec3{-0.1, -0.1, -0.8}, 60)
}
