package builtin

import "github.com/go-gl/mathgl/mgl32"

// extrude is a plate of the given thickness around z = 0 whose outline, counter-clockwise seen from +z, is star-shaped about
// its middle; its edges are chamfered by bevel. All faces are flat.
func extrude(outline []mgl32.Vec2, middle mgl32.Vec2, thickness, bevel float32) mesh {
	n := len(outline)
	inner := make([]mgl32.Vec2, n)
	for i, p := range outline {
		inner[i] = inset(outline[(i+n-1)%n], p, outline[(i+1)%n], bevel)
	}
	z := thickness / 2
	var m mesh
	face := func(p ...mgl32.Vec3) {
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
func inset(a, b, c mgl32.Vec2, distance float32) mgl32.Vec2 {
	normal := func(p, q mgl32.Vec2) mgl32.Vec2 {
		e := q.Sub(p).Normalize()
		return mgl32.Vec2{-e[1], e[0]}
	}
	n, k := normal(a, b), normal(b, c)
	return b.Add(n.Add(k).Mul(distance / (1 + n.Dot(k))))
}

// cross is the king's cross pattée, in squares, standing at height y in the plane x = 0: it faces the players.
func cross(y float32) mesh {
	const narrow, wide, reach = 0.018, 0.042, 0.085
	var outline []mgl32.Vec2
	for i := range 4 { // an arm is four corners; the arms differ by quarter turns
		turn := mgl32.Rotate2D(mgl32.DegToRad(float32(90 * i)))
		for _, p := range []mgl32.Vec2{{narrow, -narrow}, {reach, -wide}, {reach, wide}} {
			outline = append(outline, turn.Mul2x1(p))
		}
	}
	var m mesh
	m.append(extrude(outline, mgl32.Vec2{}, 0.05, 0.008), at(0, y+reach, 0).Mul4(turned(90)))
	return m
}
