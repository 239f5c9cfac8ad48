package bvh_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
)

const far = 1e30

func randomDirection(r *rand.Rand) mgl32.Vec3 {
	for {
		d := mgl32.Vec3{2*r.Float32() - 1, 2*r.Float32() - 1, 2*r.Float32() - 1}
		if l := d.Len(); l > 0.01 && l <= 1 {
			return d.Mul(1 / l)
		}
	}
}

// No ray leaves a closed mesh, at any scale: not through an edge or a corner either, at which half of the rays aim.
func TestClosedMeshesAreWatertight(t *testing.T) {
	rays := 60_000
	if testing.Short() {
		rays = 20_000
	}
	for name, m := range map[string]mesh{"cube": cube(), "sphere": sphere(71, 0), "wavy sphere": sphere(40, 0.1)} {
		for _, scale := range []float32{0.01, 1, 100} {
			t.Run(fmt.Sprintf("%s ×%g", name, scale), func(t *testing.T) {
				t.Parallel()
				m := m.scaled(scale)
				batch := newRayBatch(t, rays)
				aimInside(batch.Rays(), m, scale)
				for method, caster := range map[string]*rayCaster{"binned": newRayCaster(t, m), "curve": newCasterOf(t, m, bvh.Curve)} {
					for how, trace := range tracers() {
						for _, anyHit := range []bool{false, true} {
							leaks := count(caster.run(trace, batch, anyHit), func(h cuda.Hit) bool { return h.Triangle == cuda.NoHit })
							if leaks > 0 {
								t.Errorf("%s, %s, any hit %v: %d of %d rays escaped", method, how, anyHit, leaks, rays)
							}
						}
					}
				}
			})
		}
	}
}

func aimInside(rays []cuda.Ray, m mesh, scale float32) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range rays {
		origin := randomDirection(random).Mul(0.8 * scale * random.Float32())
		direction := randomDirection(random)
		if i%2 == 1 { // at a point of an edge; at its ends every fourth time
			triangle := m[random.IntN(len(m))]
			along := min(1, max(0, 2*random.Float32()-0.5))
			point := triangle[0].Mul(1 - along).Add(triangle[1].Mul(along))
			direction = point.Sub(origin).Normalize()
		}
		rays[i] = cuda.Ray{Origin: origin, Direction: direction, TMax: far}
	}
}

// The tree finds what a search through all triangles finds, and any-hit agrees with closest-hit.
func TestTreeAgreesWithBruteForce(t *testing.T) {
	m := append(soup(300), cube().scaled(0.5)...)
	batch := newRayBatch(t, 5000)
	scatter(batch.Rays())
	for method, kind := range methods() {
		castByAll(t, method, m, newCasterOf(t, m, kind), batch)
	}
}

// scatter begins rays in the unit box, in all directions.
func scatter(rays []cuda.Ray) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range rays {
		direction := randomDirection(random)
		if i%4 == 0 { // along an axis, with zeros of both signs
			direction = mgl32.Vec3{float32(math.Copysign(0, -1)), 0, 0}
			direction[i/4%3] = float32(i/12%2)*2 - 1
		}
		origin := mgl32.Vec3{random.Float32(), random.Float32(), random.Float32()}
		rays[i] = cuda.Ray{Origin: origin, Direction: direction, TMax: []float32{0.3, 3, far}[i%3]}
	}
}

// castByAll compares what each way to trace rays finds.
func castByAll(t *testing.T, method string, m mesh, caster *rayCaster, batch rayBatch) {
	t.Helper()
	for how, trace := range tracers() {
		closest := append([]cuda.Hit(nil), caster.run(trace, batch, false)...)
		compareWithBruteForce(t, method+", "+how, m, batch.Rays(), closest, caster.run(trace, batch, true))
	}
}

func compareWithBruteForce(t *testing.T, how string, m mesh, rays []cuda.Ray, closest, any []cuda.Hit) {
	t.Helper()
	for i, got := range closest {
		want, doubtful := bruteForce(m, rays[i])
		if doubtful {
			continue
		}
		if (any[i].Triangle == cuda.NoHit) != (got.Triangle == cuda.NoHit) {
			t.Fatalf("%s, ray %d: any-hit %v, closest %v", how, i, any[i], got)
		}
		if hit := got.Triangle != cuda.NoHit; hit != (want < math.Inf(1)) || hit && math.Abs(float64(got.T)-want) > 1e-4 {
			t.Fatalf("%s, ray %d %v: hit %v, by brute force at %g", how, i, rays[i], got, want)
		}
	}
}

// bruteForce is the distance to the closest triangle before tMax in double precision, infinite when there is none.
// doubtful marks rays that pass so close to an edge, to a grazed triangle or to tMax that single precision may differ.
func bruteForce(m mesh, ray cuda.Ray) (closest float64, doubtful bool) {
	wide := func(v [3]float32) [3]float64 { return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])} }
	sub := func(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
	dot := func(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	closest = math.Inf(1)
	o, d, tMax := wide(ray.Origin), wide(ray.Direction), float64(ray.TMax)
	for _, triangle := range m {
		v0 := wide(triangle[0])
		e1, e2 := sub(wide(triangle[1]), v0), sub(wide(triangle[2]), v0)
		p, s := cross(d, e2), sub(o, v0)
		determinant, q := dot(e1, p), cross(s, e1)
		u, v, t := dot(s, p)/determinant, dot(d, q)/determinant, dot(e2, q)/determinant
		edge := min(u, v, 1-u-v)
		if math.Abs(edge) < 1e-3 || math.IsNaN(edge) || edge > 0 && (math.Abs(t) < 1e-4 || math.Abs(t-tMax) < 1e-4) {
			doubtful = true
		}
		if edge >= 0 && t > 0 && t < tMax {
			closest = min(closest, t)
		}
	}
	return closest, doubtful
}

// A scene of one leaf has a child that is missing: no ray may enter it, whatever its direction.
func TestMissingChildIsNeverEntered(t *testing.T) {
	batch := newRayBatch(t, 1000)
	random := rand.New(rand.NewPCG(9, 10))
	for i := range batch.Rays() {
		batch.Rays()[i] = cuda.Ray{Origin: mgl32.Vec3{5, 5, 5}, Direction: randomDirection(random), TMax: math.MaxFloat32}
	}
	caster := newRayCaster(t, soup(1))
	for how, trace := range tracers() {
		for i, h := range caster.run(trace, batch, false) {
			if h.Triangle != cuda.NoHit && h.Triangle != 0 {
				t.Fatalf("%s, ray %d: %v", how, i, h)
			}
		}
	}
}

func TestEmptySceneIsMissed(t *testing.T) {
	batch := newRayBatch(t, 1)
	batch.Rays()[0] = cuda.Ray{Direction: mgl32.Vec3{0, 0, 1}, TMax: 7}
	for how, trace := range tracers() {
		if h := newRayCaster(t, nil).run(trace, batch, false)[0]; h.Triangle != cuda.NoHit || h.T != 7 {
			t.Errorf("%s: %v", how, h)
		}
	}
}
