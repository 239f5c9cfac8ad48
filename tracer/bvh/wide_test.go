package bvh_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
)

// wideDepth is the deepest wide tree that the ray kernels' stack can hold.
const wideDepth = 24

// checkWide fails unless the wide tree holds every triangle, inside of all the boxes above it, and is shallow enough.
func checkWide(t *testing.T, m mesh, tree *bvh.Tree) {
	t.Helper()
	if (len(tree.Wide) == 0) != (len(m) == 0) {
		t.Fatalf("%d faces give %d wide nodes", len(m), len(tree.Wide))
	}
	seen, visited := newLeaves(t, m, tree), 0
	inf := float32(math.Inf(1))
	var visit func(node uint32, lo, hi mgl32.Vec3, depth int)
	visit = func(node uint32, lo, hi mgl32.Vec3, depth int) {
		visited++
		if depth > wideDepth {
			t.Fatalf("a wide node at depth %d", depth)
		}
		n := &tree.Wide[node]
		for slot := range 8 {
			childLo, childHi := slotBox(n, slot)
			for a := range 3 {
				childLo[a], childHi[a] = max(childLo[a], lo[a]), min(childHi[a], hi[a])
			}
			first, count := n.Leaf(slot)
			if n.Inner>>slot&1 != 0 {
				if count > 0 {
					t.Fatalf("slot %d holds a node and %d triangles", slot, count)
				}
				visit(n.ChildBase+uint32(bits.OnesCount8(n.Inner&(1<<slot-1))), childLo, childHi, depth+1)
			}
			for i := range count {
				seen.add(t, m, tree.Order[first+i], childLo, childHi)
			}
		}
	}
	if len(m) > 0 {
		visit(0, mgl32.Vec3{-inf, -inf, -inf}, mgl32.Vec3{inf, inf, inf}, 1)
	}
	seen.check(t)
	if visited != len(tree.Wide) {
		t.Fatalf("%d of %d wide nodes can be reached", visited, len(tree.Wide))
	}
}

// slotBox is the box of a slot as the kernels decode it, less the padding that their rounding may use up.
func slotBox(n *bvh.WideNode, slot int) (lo, hi mgl32.Vec3) {
	for a, rows := range [3][2]*[8]uint8{{&n.LoX, &n.HiX}, {&n.LoY, &n.HiY}, {&n.LoZ, &n.HiZ}} {
		step := math.Ldexp(1, int(n.Exponents[a])-127)
		lo[a] = float32(float64(n.Origin[a]) + step*(float64(rows[0][slot])+1./256))
		hi[a] = float32(float64(n.Origin[a]) + step*(float64(rows[1][slot])-1./256))
	}
	return lo, hi
}

// All trees of all methods give the same hit, bit for bit, but where a ray passes so close to an edge that its tolerance lets
// it hit a triangle outside of that triangle's box.
func TestTreesAgree(t *testing.T) {
	scenes := map[string]mesh{
		"sphere": sphere(80, 0.1), "soup": soup(3000), "cube": cube(), "slivers": slivers(2000), "doubled": append(sphere(30, 0), sphere(30, 0)...),
		"crossing": crossing(500), "flat": sheet(12), "large": sphere(40, 0.1).scaled(1e6), "small": sphere(40, 0.1).scaled(1e-6), "far away": sphere(40, 0.1).moved(mgl32.Vec3{1000, -300, 50}),
	}
	for name, m := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			batch := newRayBatch(t, 12000)
			aimAt(batch.Rays(), m)
			caster := newRayCaster(t, m)
			for _, anyHit := range []bool{false, true} {
				want := caster.faces(kernels(cuda.Baseline, cuda.TraceRaysClosest, cuda.TraceRaysAny), batch, anyHit)
				if missed := count(want, func(h cuda.Hit) bool { return h.Triangle == cuda.NoHit }); missed > len(want)*9/10 {
					t.Fatalf("%d of %d rays hit nothing: the test shows little", missed, len(want))
				}
				for _, how := range []string{"GPU's queue", "queue", "binary"} {
					differ := 0
					for i, got := range caster.faces(tracers()[how], batch, anyHit) {
						if got != want[i] {
							differ++
						}
					}
					if differ > len(want)/2000 {
						t.Errorf("%s, any hit %v: %d of %d rays differ", how, anyHit, differ, len(want))
					}
				}
			}
		})
	}
}

func count[T any](items []T, is func(T) bool) (n int) {
	for _, item := range items {
		if is(item) {
			n++
		}
	}
	return n
}

// aimAt fills rays from around the mesh to points of it, from near and far.
func aimAt(rays []cuda.Ray, m mesh) {
	random := rand.New(rand.NewPCG(11, 12))
	b := boundsOf(m)
	middle, size := b.lo.Add(b.hi).Mul(0.5), b.hi.Sub(b.lo).Len()
	for i := range rays {
		origin := middle.Add(randomDirection(random).Mul(size * []float32{0.2, 1, 30}[i%3]))
		triangle := m[random.IntN(len(m))]
		u, v := random.Float32(), random.Float32()
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		target := triangle[0].Mul(1 - u - v).Add(triangle[1].Mul(u)).Add(triangle[2].Mul(v))
		rays[i] = cuda.Ray{Origin: origin, Direction: target.Sub(origin).Normalize(), TMax: far}
	}
}

// sheet is n × n squares across the z axis: boxes without depth.
func sheet(n int) mesh {
	var m mesh
	at := func(x, y int) mgl32.Vec3 { return mgl32.Vec3{float32(x) / float32(n), float32(y) / float32(n), 0.3} }
	for x := range n {
		for y := range n {
			m = append(m, [3]mgl32.Vec3{at(x, y), at(x+1, y), at(x+1, y+1)}, [3]mgl32.Vec3{at(x, y), at(x+1, y+1), at(x, y+1)})
		}
	}
	return m
}

// slivers is long thin triangles, a tenth of them without area.
func slivers(n int) mesh {
	random := rand.New(rand.NewPCG(13, 14))
	m := make(mesh, n)
	for i := range m {
		a, b := randomDirection(random), randomDirection(random)
		m[i] = [3]mgl32.Vec3{a, b, a.Add(randomDirection(random).Mul(1e-3 * float32(i%10)))}
	}
	return m
}
