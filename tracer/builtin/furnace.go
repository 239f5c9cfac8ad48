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

// buildWhiteFurnace is one sphere that absorbs nothing and no light: in a constant environment of radiance 1 a material that
// conserves energy renders as 1 (Heitz 2014, §5). opts.Material chooses what the sphere is made of.
func buildWhiteFurnace(b *builder, opts Options) {
	m := plastic("subject", mgl32.Vec3{1, 1, 1}, 1)
	if opts.Material != nil {
		opts.Material(&m)
	}
	b.add(sphere(0.5, sphereSegments(opts.Triangles, 1)), mgl32.Ident4(), b.material(m))
	b.camera(mgl32.Vec3{0, 0, 2}, mgl32.Vec3{}, 40)
}

// buildEmissiveSphere is the furnace for paths of a limited length: inside a sphere that emits 1 nit and reflects half, light
// that was scattered k times has radiance 0.5^k in every direction.
func buildEmissiveSphere(b *builder, opts Options) {
	wall := matte("wall", mgl32.Vec3{0.5, 0.5, 0.5})
	wall.Emission = mgl32.Vec3{1, 1, 1}
	b.add(insideOut(sphere(1, sphereSegments(opts.Triangles, 1))), mgl32.Ident4(), b.material(wall))
	b.camera(mgl32.Vec3{0.2, 0.1, 0.5}, mgl32.Vec3{-0.1, -0.1, -0.8}, 60)
}

// insideOut turns the front of every face to the other side; its texture stays where it is.
func insideOut(m mesh) mesh {
	var out mesh
	for _, v := range m.vertices {
		v.Normal = v.Normal.Mul(-1)
		v.Tangent[3] = -v.Tangent[3]
		out.vertices = append(out.vertices, v)
	}
	for _, f := range m.faces {
		out.faces = append(out.faces, [3]uint32{f[0], f[2], f[1]})
	}
	return out
}
