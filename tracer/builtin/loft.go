package builtin

import "math"

// loft is the surface through rings of points, closed around: rings go up where points go counter-clockwise seen from above.
// Normals are smooth over the whole surface, weighted by area; u goes once around and v falls with the distance between rings.
func loft(rings [][]vec3) mesh {
	rows, n := len(rings), len(rings[0])
	normals := loftNormals(rings)
	var length, widest float32
	for _, ring := range rings {
		var around float32
		for j := range ring {
			around += ring[(j+1)%n].Sub(ring[j]).Len()
		}
		widest = max(widest, around)
	}
	var m mesh
	for i, ring := range rings {
		if i > 0 {
			length += ringCenter(ring).Sub(ringCenter(rings[i-1])).Len()
		}
		for j := range n + 1 {
			normal := normals[i][j%n]
			along := ring[(j+1)%n].Sub(ring[(j+n-1)%n])
			m.vertex(ring[j%n], normal, tangentAlong(normal, along).Vec4(1), vec2{float32(j) / float32(n), -length / widest})
		}
	}
	m.lattice(0, rows, n+1)
	return m
}

// ring is a closed ring of n points.
func ring(n int, point func(a float64) vec3) []vec3 {
	points := make([]vec3, n)
	for j := range points {
		points[j] = point(2 * math.Pi * float64(j) / float64(n))
	}
	return points
}

// loftNormals sums the area vectors of the faces around each point. Points of a ring that has shrunk to a pole share theirs.
func loftNormals(rings [][]vec3) [][]vec3 {
	n := len(rings[0])
	sums := make([][]vec3, len(rings))
	for i := range sums {
		sums[i] = make([]vec3, n)
	}
	for i := range len(rings) - 1 {
		for j := range n {
			k := (j + 1) % n
			area := rings[i+1][k].Sub(rings[i][j]).Cross(rings[i+1][j].Sub(rings[i][k]))
			for _, sum := range []*vec3{&sums[i][j], &sums[i][k], &sums[i+1][j], &sums[i+1][k]} {
				*sum = sum.Add(area)
			}
		}
	}
	for i, ring := range rings {
		if ring[0] == ring[n/2] {
			var pole vec3
			for _, v := range sums[i] {
				pole = pole.Add(v)
			}
			for j := range n {
				sums[i][j] = pole
			}
		}
		for j := range n {
			sums[i][j] = sums[i][j].Normalize()
		}
	}
	return sums
}

// tangentAlong is the unit vector across normal nearest to direction.
func tangentAlong(normal, direction vec3) vec3 {
	t := direction.Sub(normal.Mul(normal.Dot(direction)))
	if t.Len() < 1e-8 { // a pole: any direction across will do
		axis := vec3{1, 0, 0}
		if math.Abs(float64(normal[0])) > 0.9 {
			axis = vec3{0, 0, 1}
		}
		t = axis.Sub(normal.Mul(normal.Dot(axis)))
	}
	return t.Normalize()
}

func ringCenter(ring []vec3) vec3 {
	var sum vec3
	for _, p := range ring {
		sum = sum.Add(p)
	}
	return sum.Mul(1 / float32(len(ring)))
}
