package builtin

import "github.com/go-gl/mathgl/mgl32"

// quad is the flat four-cornered face p0 p1 p2 p3, counter-clockwise seen from its front. Its texture coordinates count
// tiles: the image repeats tiles[0] times from p0 to p1 and tiles[1] times from p0 up to p3.
func quad(p [4]mgl32.Vec3, tiles mgl32.Vec2) mesh {
	u := p[1].Sub(p[0])
	n := u.Cross(p[3].Sub(p[0])).Normalize()
	t := u.Normalize().Vec4(1)
	var m mesh
	for i, uv := range [4]mgl32.Vec2{{0, tiles[1]}, tiles, {tiles[0], 0}, {0, 0}} {
		m.vertex(p[i], n, t, uv)
	}
	m.triangle(0, 1, 2)
	m.triangle(0, 2, 3)
	return m
}
