package builtin

import (
	"math"
	"runtime"
	"sync"
)

// skin is the surface of a field as plain triangles.
type skin struct {
	points []vec3
	faces  [][3]uint32
}

// coarsestSkin is about how many triangles a skin has at least before it is divided.
const coarsestSkin = 8000

// newSkin covers the surface inside the box from lo to hi with about so many triangles: a coarse net over a grid of cubes
// (Gibson 1998, "Constrained elastic surface nets"), divided again and again, every new point moved onto the surface.
func newSkin(f field, lo, hi vec3, triangles int) skin {
	coarse, levels := triangles, 0
	for coarse >= 4*coarsestSkin {
		coarse /= 4
		levels++
	}
	const trial = 0.02 // m
	rough := net(f, lo, hi, trial)
	cell := trial * float32(math.Sqrt(float64(len(rough.faces))/float64(max(coarse, 1))))
	s := net(f, lo, hi, cell)
	s.settle(f, 0, cell/8)
	for range levels {
		cell /= 2
		s = s.divided()
		s.settle(f, len(s.points)-s.edges(), cell/8)
	}
	return s
}

// edges is how many points the last division has added: one for each of the edges of a quarter of the faces.
func (s skin) edges() int { return len(s.faces) / 4 * 3 / 2 }

// settle moves points from the first on to the surface.
func (s skin) settle(f field, first int, e float32) {
	parts := runtime.GOMAXPROCS(0)
	var workers sync.WaitGroup
	n := len(s.points) - first
	for k := range parts {
		workers.Go(func() {
			for i := first + n*k/parts; i < first+n*(k+1)/parts; i++ {
				s.points[i] = f.onto(s.points[i], e)
			}
		})
	}
	workers.Wait()
}

// divided cuts every triangle in four, at the middles of its edges.
func (s skin) divided() skin {
	out := skin{points: s.points, faces: make([][3]uint32, 0, 4*len(s.faces))}
	middles := make(map[[2]uint32]uint32, 3*len(s.faces)/2)
	middle := func(a, b uint32) uint32 {
		key := [2]uint32{min(a, b), max(a, b)}
		m, ok := middles[key]
		if !ok {
			m = uint32(len(out.points))
			middles[key] = m
			out.points = append(out.points, s.points[a].Add(s.points[b]).Mul(0.5))
		}
		return m
	}
	for _, f := range s.faces {
		ab, bc, ca := middle(f[0], f[1]), middle(f[1], f[2]), middle(f[2], f[0])
		out.faces = append(out.faces, [3]uint32{f[0], ab, ca}, [3]uint32{f[1], bc, ab}, [3]uint32{f[2], ca, bc}, [3]uint32{ab, bc, ca})
	}
	return out
}

// lattice is a grid of samples of a field.
type lattice struct {
	size   [3]int
	lo     vec3
	cell   float32
	values []float32
}

func (l *lattice) at(p [3]int) float32 { return l.values[(p[2]*l.size[1]+p[1])*l.size[0]+p[0]] }

// edge has the values at the ends of the edge that leaves grid point p along axis, and tells whether the surface crosses it.
func (l *lattice) edge(p [3]int, axis int) (a, b float32, crossed bool) {
	a = l.at(p)
	p[axis]++
	b = l.at(p)
	return a, b, (a < 0) != (b < 0)
}

func sampleField(f field, lo, hi vec3, cell float32) *lattice {
	l := &lattice{lo: lo, cell: cell}
	for a := range 3 {
		l.size[a] = int((hi[a]-lo[a])/cell) + 2
	}
	for z := range l.size[2] {
		for y := range l.size[1] {
			for x := range l.size[0] {
				l.values = append(l.values, f(lo.Add(vec3{float32(x), float32(y), float32(z)}.Mul(cell))))
			}
		}
	}
	return l
}

// net has a point in every cube of the grid that the surface crosses, and two triangles across every edge that it crosses.
func net(f field, lo, hi vec3, cell float32) skin {
	l := sampleField(f, lo, hi, cell)
	var s skin
	points := map[[3]int]uint32{}
	for z := range l.size[2] - 1 {
		for y := range l.size[1] - 1 {
			for x := range l.size[0] - 1 {
				if p, crossed := l.middle(x, y, z); crossed {
					points[[3]int{x, y, z}] = uint32(len(s.points))
					s.points = append(s.points, p)
				}
			}
		}
	}
	for z := 1; z < l.size[2]-1; z++ {
		for y := 1; y < l.size[1]-1; y++ {
			for x := 1; x < l.size[0]-1; x++ {
				for axis := range 3 {
					s.across(l, points, [3]int{x, y, z}, axis)
				}
			}
		}
	}
	return s
}

// middle is the mean of the places where the surface crosses the edges of a cube.
func (l *lattice) middle(x, y, z int) (vec3, bool) {
	var sum vec3
	crossings := 0
	for corner := range 8 {
		for axis := range 3 {
			if corner>>axis&1 == 1 {
				continue
			}
			p := [3]int{x + corner&1, y + corner>>1&1, z + corner>>2}
			a, b, crossed := l.edge(p, axis)
			if !crossed {
				continue
			}
			where := vec3{float32(p[0]), float32(p[1]), float32(p[2])}
			where[axis] += a / (a - b)
			sum = sum.Add(where)
			crossings++
		}
	}
	if crossings == 0 {
		return sum, false
	}
	return l.lo.Add(sum.Mul(l.cell / float32(crossings))), true
}

// across adds the two triangles around the edge that leaves grid point p along axis, if the surface crosses it.
func (s *skin) across(l *lattice, points map[[3]int]uint32, p [3]int, axis int) {
	_, b, crossed := l.edge(p, axis)
	if !crossed {
		return
	}
	u, v := (axis+1)%3, (axis+2)%3
	var corner [4]uint32
	for i, step := range [4][2]int{{-1, -1}, {0, -1}, {0, 0}, {-1, 0}} {
		c := p
		c[u] += step[0]
		c[v] += step[1]
		corner[i] = points[c]
	}
	if b < 0 {
		corner[1], corner[3] = corner[3], corner[1]
	}
	s.faces = append(s.faces, [3]uint32{corner[0], corner[1], corner[2]}, [3]uint32{corner[0], corner[2], corner[3]})
}

// mesh gives the skin normals, smooth and weighted by area, and keeps the faces that are chosen by their middles.
func (s skin) mesh(chosen func(middle vec3) bool) mesh {
	normals := make([]vec3, len(s.points))
	for _, f := range s.faces {
		a, b, c := s.points[f[0]], s.points[f[1]], s.points[f[2]]
		area := b.Sub(a).Cross(c.Sub(a))
		for _, v := range f {
			normals[v] = normals[v].Add(area)
		}
	}
	var m mesh
	index := make([]uint32, len(s.points)) // one more than that in m, 0 where there is none yet
	for _, f := range s.faces {
		if !chosen(s.points[f[0]].Add(s.points[f[1]]).Add(s.points[f[2]]).Mul(1. / 3)) {
			continue
		}
		var face [3]uint32
		for k, v := range f {
			if index[v] == 0 {
				p, n := s.points[v], normals[v].Normalize()
				m.vertex(p, n, tangentAlong(n, vec3{-n[2], 0, n[0]}).Vec4(1), vec2{p[0], -p[1]})
				index[v] = uint32(len(m.vertices))
			}
			face[k] = index[v] - 1
		}
		m.triangle(face[0], face[1], face[2])
	}
	return m
}
