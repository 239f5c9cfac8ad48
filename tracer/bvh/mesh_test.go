package bvh_test

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/bvh"
)

// mesh is a list of triangles by their corners.
type mesh [][3]mgl32.Vec3

func (m mesh) corners(face int) [3]mgl32.Vec3 { return m[face] }

func (m mesh) build(method bvh.Method) (*bvh.Tree, error) {
	return bvh.Build(context.Background(), method, m.corners, len(m))
}

// methods are all ways to build a tree.
func methods() map[string]bvh.Method {
	return map[string]bvh.Method{"every": bvh.Every, "curve": bvh.Curve, "binned": bvh.Binned}
}

func (m mesh) scaled(s float32) mesh {
	out := make(mesh, len(m))
	for i, t := range m {
		out[i] = [3]mgl32.Vec3{t[0].Mul(s), t[1].Mul(s), t[2].Mul(s)}
	}
	return out
}

func (m mesh) moved(by mgl32.Vec3) mesh {
	out := make(mesh, len(m))
	for i, t := range m {
		out[i] = [3]mgl32.Vec3{t[0].Add(by), t[1].Add(by), t[2].Add(by)}
	}
	return out
}

// sphere is a closed ball of radius about 1, wavy by displacement (0 is smooth), of 4·n·(n−1) triangles.
func sphere(n int, displacement float64) mesh {
	at := func(i, j int) mgl32.Vec3 {
		theta, phi := math.Pi*float64(i)/float64(n), math.Pi*float64(j%(2*n))/float64(n)
		r := 1 + displacement*math.Sin(9*theta)*math.Sin(8*phi)
		if i == 0 || i == n {
			return mgl32.Vec3{0, float32(math.Cos(theta)), 0}
		}
		return mgl32.Vec3{
			float32(r * math.Sin(theta) * math.Cos(phi)), float32(r * math.Cos(theta)), float32(r * math.Sin(theta) * math.Sin(phi)),
		}
	}
	var m mesh
	for i := range n {
		for j := range 2 * n {
			if i > 0 {
				m = append(m, [3]mgl32.Vec3{at(i, j), at(i+1, j), at(i, j+1)})
			}
			if i < n-1 {
				m = append(m, [3]mgl32.Vec3{at(i, j+1), at(i+1, j), at(i+1, j+1)})
			}
		}
	}
	return m
}

// cube is the closed box −1…1 of 12 triangles.
func cube() mesh {
	var m mesh
	for axis := range 3 {
		for _, side := range []float32{-1, 1} {
			corner := func(u, v float32) (p mgl32.Vec3) {
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = side, u, v
				return p
			}
			m = append(m, [3]mgl32.Vec3{corner(-1, -1), corner(1, -1), corner(1, 1)},
				[3]mgl32.Vec3{corner(-1, -1), corner(1, 1), corner(-1, 1)})
		}
	}
	return m
}

// soup is n small random triangles in the unit cube.
func soup(n int) mesh {
	random := rand.New(rand.NewPCG(1, 2))
	point := func(size float32) mgl32.Vec3 {
		return mgl32.Vec3{random.Float32(), random.Float32(), random.Float32()}.Mul(size)
	}
	m := make(mesh, n)
	for i := range m {
		p := point(1)
		m[i] = [3]mgl32.Vec3{p, p.Add(point(0.05)), p.Add(point(0.05))}
	}
	return m
}

// crossing is n long thin triangles that lie in all directions.
func crossing(n int) mesh {
	random := rand.New(rand.NewPCG(15, 16))
	m := make(mesh, n)
	for i := range m {
		along, aside := randomDirection(random), randomDirection(random).Mul(0.01)
		at := mgl32.Vec3{random.Float32(), random.Float32(), random.Float32()}
		m[i] = [3]mgl32.Vec3{at.Sub(along), at.Add(along), at.Add(aside)}
	}
	return m
}

// repeated is n times one triangle.
func repeated(n int, t [3]mgl32.Vec3) mesh {
	m := make(mesh, n)
	for i := range m {
		m[i] = t
	}
	return m
}

// geometric is triangles whose distance doubles: SAH splits off one at a time.
func geometric(n int) mesh {
	m := make(mesh, n)
	for i := range m {
		x := float32(math.Exp2(float64(i%120) - 100))
		m[i] = [3]mgl32.Vec3{{x, 0, 0}, {x, x, 0}, {x, 0, x}}
	}
	return m
}
