package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// Short names, since scenes are full of them.
type (
	vec2 = mgl32.Vec2
	vec3 = mgl32.Vec3
)

// mesh is one part in its own space. Faces are counter-clockwise seen from outside. v of the texture coordinates runs down,
// as glTF has it, so the bitangent of the normal map (up in the image) is −∂P/∂v.
type mesh struct {
	vertices []scene.Vertex
	faces    [][3]uint32
}

// vertex appends a white corner.
func (m *mesh) vertex(p, n vec3, t mgl32.Vec4, uv vec2) {
	m.vertices = append(m.vertices, scene.Vertex{Position: p, Normal: n, Tangent: t, UV: [2]vec2{uv, uv}, Color: mgl32.Vec4{1, 1, 1, 1}})
}

// triangle appends a face unless two of its corners share a place, as they do at a pole.
func (m *mesh) triangle(a, b, c uint32) {
	p, q, r := m.vertices[a].Position, m.vertices[b].Position, m.vertices[c].Position
	if p == q || q == r || r == p {
		return
	}
	m.faces = append(m.faces, [3]uint32{a, b, c})
}

// lattice appends the faces between rows of cols vertices each that start at index first; rows go up where columns go right.
func (m *mesh) lattice(first, rows, cols int) {
	for i := range rows - 1 {
		for j := range cols - 1 {
			a := uint32(first + i*cols + j)
			b, c, d := a+1, a+uint32(cols)+1, a+uint32(cols)
			m.triangle(a, b, c)
			m.triangle(a, c, d)
		}
	}
}

// append joins o to m, moved by the transform, which may rotate, move and scale evenly.
func (m *mesh) append(o mesh, at mgl32.Mat4) {
	base := uint32(len(m.vertices))
	for _, v := range o.vertices {
		v.Position = at.Mul4x1(v.Position.Vec4(1)).Vec3()
		v.Normal = at.Mul4x1(v.Normal.Vec4(0)).Vec3().Normalize()
		v.Tangent = at.Mul4x1(v.Tangent.Vec3().Vec4(0)).Vec3().Normalize().Vec4(v.Tangent[3])
		m.vertices = append(m.vertices, v)
	}
	for _, f := range o.faces {
		m.faces = append(m.faces, [3]uint32{f[0] + base, f[1] + base, f[2] + base})
	}
}

// with is a mesh that has another as well.
func (m mesh) with(o mesh) mesh {
	m.append(o, mgl32.Ident4())
	return m
}

// moved is the mesh under a transform.
func (m mesh) moved(at mgl32.Mat4) (out mesh) {
	out.append(m, at)
	return out
}

// at is the transform that moves by (x, y, z) metres.
func at(x, y, z float32) mgl32.Mat4 { return mgl32.Translate3D(x, y, z) }

// turned is a rotation about +Y, in degrees, counter-clockwise seen from above.
func turned(degrees float32) mgl32.Mat4 { return mgl32.HomogRotate3DY(mgl32.DegToRad(degrees)) }

// ball is where a sphere of radius r stands when it rests on the floor at (x, z).
func ball(x, z, r float32) mgl32.Mat4 { return at(x, r, z) }

// quad is the flat four-cornered face p0 p1 p2 p3, counter-clockwise seen from its front. Its texture coordinates count
// tiles: the image repeats tiles[0] times from p0 to p1 and tiles[1] times from p0 up to p3.
func quad(p [4]vec3, tiles vec2) mesh {
	u := p[1].Sub(p[0])
	n := u.Cross(p[3].Sub(p[0])).Normalize()
	t := u.Normalize().Vec4(1)
	var m mesh
	for i, uv := range [4]vec2{{0, tiles[1]}, tiles, {tiles[0], 0}, {0, 0}} {
		m.vertex(p[i], n, t, uv)
	}
	m.triangle(0, 1, 2)
	m.triangle(0, 2, 3)
	return m
}

// panel is an upright face at z that looks along +z.
func panel(x0, y0, x1, y1, z float32) mesh {
	return quad([4]vec3{{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}}, vec2{1, 1})
}

// rectangle is the face around a middle with these half sides: its front is where u × v points.
func rectangle(middle, u, v vec3) mesh {
	return quad([4]vec3{middle.Sub(u).Sub(v), middle.Add(u).Sub(v), middle.Add(u).Add(v), middle.Sub(u).Add(v)}, vec2{1, 1})
}

// side names one face of a box.
type side int

const (
	left side = iota
	right
	floor
	ceiling
	back
	front
	sideCount
)

// boxSides gives each face's corners, counter-clockwise seen from outside with +Y up; bit 0, 1, 2 chooses the far x, y, z.
var boxSides = [sideCount][4]int{
	left: {0, 4, 6, 2}, right: {5, 1, 3, 7}, floor: {0, 1, 5, 4}, ceiling: {6, 7, 3, 2}, back: {1, 0, 2, 3}, front: {4, 5, 7, 6},
}

// boxSide is one face of the box between two corners, looking outwards, or inwards as the wall of a room. Faces of one box
// share their corners bit for bit. One texture tile is one metre.
func boxSide(lo, hi vec3, s side, inwards bool) mesh {
	var p [4]vec3
	for i, corner := range boxSides[s] {
		for axis := range 3 {
			p[i][axis] = lo[axis]
			if corner>>axis&1 == 1 {
				p[i][axis] = hi[axis]
			}
		}
	}
	if inwards {
		p = [4]vec3{p[1], p[0], p[3], p[2]}
	}
	return quad(p, vec2{p[1].Sub(p[0]).Len(), p[3].Sub(p[0]).Len()})
}

// box is a closed box of the given size that stands on the origin, m.
func box(size vec3) mesh {
	lo, hi := vec3{-size[0] / 2, 0, -size[2] / 2}, vec3{size[0] / 2, size[1], size[2] / 2}
	var m mesh
	for s := range sideCount {
		m.append(boxSide(lo, hi, s, false), mgl32.Ident4())
	}
	return m
}

// extrude is a plate of the given thickness around z = 0 whose outline, counter-clockwise seen from +z, is star-shaped about
// its middle; its edges are chamfered by bevel. All faces are flat.
func extrude(outline []vec2, middle vec2, thickness, bevel float32) mesh {
	n := len(outline)
	inner := make([]vec2, n)
	for i, p := range outline {
		inner[i] = inset(outline[(i+n-1)%n], p, outline[(i+1)%n], bevel)
	}
	z := thickness / 2
	var m mesh
	face := func(p ...vec3) {
		normal := p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Normalize()
		first := uint32(len(m.vertices))
		for _, q := range p {
			m.vertex(q, normal, p[1].Sub(p[0]).Normalize().Vec4(1), q.Vec2())
		}
		for k := uint32(2); k < uint32(len(p)); k++ {
			m.triangle(first, first+k-1, first+k)
		}
	}
	for i := range n {
		j := (i + 1) % n
		face(middle.Vec3(z), inner[i].Vec3(z), inner[j].Vec3(z))
		face(middle.Vec3(-z), inner[j].Vec3(-z), inner[i].Vec3(-z))
		face(outline[i].Vec3(z-bevel), outline[j].Vec3(z-bevel), inner[j].Vec3(z), inner[i].Vec3(z))
		face(outline[i].Vec3(bevel-z), outline[j].Vec3(bevel-z), outline[j].Vec3(z-bevel), outline[i].Vec3(z-bevel))
		face(inner[i].Vec3(-z), inner[j].Vec3(-z), outline[j].Vec3(bevel-z), outline[i].Vec3(bevel-z))
	}
	return m
}

// inset moves the corner b of a b c inwards so that both edges move by distance.
func inset(a, b, c vec2, distance float32) vec2 {
	normal := func(p, q vec2) vec2 {
		e := q.Sub(p).Normalize()
		return vec2{-e[1], e[0]}
	}
	n, k := normal(a, b), normal(b, c)
	return b.Add(n.Add(k).Mul(distance / (1 + n.Dot(k))))
}

// table is a board on four legs, standing on the origin: its size with the height of its top, m.
func table(size vec3) mesh {
	const leg, board = 0.06, 0.045 // thickness, m
	var m mesh
	m.append(box(vec3{size[0], board, size[2]}), at(0, size[1]-board, 0))
	for corner := range 4 {
		x := (size[0]/2 - 1.5*leg) * float32(2*(corner%2)-1)
		z := (size[2]/2 - 1.5*leg) * float32(corner/2*2-1)
		m.append(box(vec3{leg, size[1] - board, leg}), at(x, 0, z))
	}
	return m
}

// frameAround is a flat frame in the plane z = 0 around an opening of the given half size: border wide and depth thick, m.
func frameAround(halfX, halfY, border, depth float32) mesh {
	var m mesh
	for _, s := range []float32{-1, 1} {
		m.append(box(vec3{border, 2 * (halfY + border), depth}), at(s*(halfX+border/2), -halfY-border, 0))
		m.append(box(vec3{2 * halfX, border, depth}), at(0, s*(halfY+border/2)-border/2, 0))
	}
	return m
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
