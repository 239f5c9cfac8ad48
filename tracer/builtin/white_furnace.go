package builtin

import "github.com/go-gl/mathgl/mgl32"

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
