package bvh_test

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"sort"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/bvh"
)

func TestBuild(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	unit := [3]mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}
	for name, m := range map[string]mesh{
		"none":       {},
		"one":        soup(1),
		"two":        soup(2),
		"nine":       soup(9),
		"soup":       soup(5000),
		"sphere":     sphere(30, 0.1),
		"cube":       cube(),
		"identical":  repeated(1000, unit),
		"points":     repeated(100, [3]mgl32.Vec3{}),
		"coincident": repeated(200_000, unit),
		"huge":       soup(500).scaled(1e37),
		"small":      soup(500).scaled(1e-36),
		"denormal":   soup(500).scaled(1e-42),
		"geometric":  geometric(5000),
		"non-finite": append(soup(100), [3]mgl32.Vec3{{nan, 0, 0}, {1, inf, 0}}, [3]mgl32.Vec3{{0, 0, -inf}}),
	} {
		t.Run(name, func(t *testing.T) {
			for how, method := range methods() {
				tree, err := m.build(method)
				if err != nil {
					t.Fatal(err)
				}
				t.Log(how)
				checkTree(t, m, tree)
				checkWide(t, m, tree)
			}
		})
	}
}

// leaves counts in how many leaves each face is.
type leaves []int

func newLeaves(t *testing.T, m mesh, tree *bvh.Tree) leaves {
	t.Helper()
	if n := len(tree.Order); n != len(m) {
		t.Fatalf("%d faces make %d triangles", len(m), n)
	}
	return make(leaves, len(m))
}

// add counts a face, which must lie inside of its leaf's boxes.
func (l leaves) add(t *testing.T, m mesh, face uint32, lo, hi mgl32.Vec3) {
	t.Helper()
	l[face]++
	if !inside(m[face], lo, hi) {
		t.Fatalf("face %d %v is not in the box %v %v", face, m[face], lo, hi)
	}
}

// check fails unless every face is in one leaf.
func (l leaves) check(t *testing.T) {
	t.Helper()
	for face, n := range l {
		if n != 1 {
			t.Fatalf("face %d is in %d leaves", face, n)
		}
	}
}

// checkTree fails unless every face is in a leaf, inside of all the boxes above it, and the tree is shallow enough.
func checkTree(t *testing.T, m mesh, tree *bvh.Tree) {
	t.Helper()
	if (len(tree.Nodes) == 0) != (len(m) == 0) {
		t.Fatalf("%d faces give %d nodes", len(m), len(tree.Nodes))
	}
	seen := newLeaves(t, m, tree)
	inf := float32(math.Inf(1))
	var visit func(reference uint32, lo, hi mgl32.Vec3, depth int)
	visit = func(reference uint32, lo, hi mgl32.Vec3, depth int) {
		if reference == bvh.EmptyChild {
			return
		}
		if reference&bvh.LeafBit != 0 {
			first, count := bvh.LeafRange(reference)
			for _, face := range tree.Order[first : first+count] {
				seen.add(t, m, face, lo, hi)
			}
			return
		}
		if depth >= bvh.MaxDepth || depth >= tree.Stats.MaxDepth {
			t.Fatalf("a node at depth %d, statistics say at most %d", depth, tree.Stats.MaxDepth)
		}
		n := tree.Nodes[reference]
		for c := range 2 {
			childLo := mgl32.Vec3{max(lo[0], n.X[c]), max(lo[1], n.Y[c]), max(lo[2], n.Z[c])}
			childHi := mgl32.Vec3{min(hi[0], n.X[c+2]), min(hi[1], n.Y[c+2]), min(hi[2], n.Z[c+2])}
			visit(n.Child[c], childLo, childHi, depth+1)
		}
	}
	if len(m) > 0 {
		visit(0, mgl32.Vec3{-inf, -inf, -inf}, mgl32.Vec3{inf, inf, inf}, 0)
	}
	seen.check(t)
}

// inside is true as well for triangles with a coordinate that is not finite, or so large that a box around it has no room
// for padding: nothing can hold them.
func inside(triangle [3]mgl32.Vec3, lo, hi mgl32.Vec3) bool {
	for _, p := range triangle {
		for a := range 3 {
			if !(p[a] > -1e38 && p[a] < 1e38) {
				return true
			}
		}
	}
	for _, p := range triangle {
		for a := range 3 {
			if p[a] < lo[a] || p[a] > hi[a] {
				return false
			}
		}
	}
	return true
}

func TestBuildTooManyFaces(t *testing.T) {
	if tree, err := bvh.Build(context.Background(), bvh.Binned, nil, bvh.MaxFaces+1); err == nil {
		t.Fatalf("no error, a tree of %d nodes", len(tree.Nodes))
	}
}

func TestBuildIsDeterministic(t *testing.T) {
	m := sphere(130, 0.1) // large enough for bins filled in pieces
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for how, method := range methods() {
		var want *bvh.Tree
		for _, threads := range []int{1, 3} {
			runtime.GOMAXPROCS(threads)
			got, err := m.build(method)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got.Nodes, want.Nodes) || !reflect.DeepEqual(got.Wide, want.Wide) || !reflect.DeepEqual(got.Order, want.Order) {
				t.Fatalf("%s: another tree with %d threads", how, threads)
			}
		}
	}
}

// The tree must be clearly better than one that halves along the widest axis.
func TestBuildBeatsMedianSplits(t *testing.T) {
	for name, m := range map[string]mesh{"sphere": sphere(60, 0.1), "in a room": append(sphere(60, 0.1), cube().scaled(20)...)} {
		tree, err := m.build(bvh.Binned)
		if err != nil {
			t.Fatal(err)
		}
		median := medianCost(m, boundsOf(m).area())
		if tree.Stats.SAH > 0.9*median {
			t.Errorf("%s: SAH cost %.1f, of median splits %.1f", name, tree.Stats.SAH, median)
		}
	}
}

type bounds struct{ lo, hi mgl32.Vec3 }

func boundsOf(m mesh) bounds {
	b := bounds{m[0][0], m[0][0]}
	for _, t := range m {
		for _, p := range t {
			for a := range 3 {
				b.lo[a], b.hi[a] = min(b.lo[a], p[a]), max(b.hi[a], p[a])
			}
		}
	}
	return b
}

func (b bounds) area() float64 {
	e := b.hi.Sub(b.lo)
	return float64(e[0]*e[1] + e[1]*e[2] + e[2]*e[0])
}

// medianCost is the SAH cost of halving along the widest axis down to at most 2 triangles, by the weights of package bvh.
func medianCost(m mesh, rootArea float64) float64 {
	b := boundsOf(m)
	if len(m) <= 2 {
		return b.area() / rootArea * float64(len(m))
	}
	extent, axis := b.hi.Sub(b.lo), 0
	for a := 1; a < 3; a++ {
		if extent[a] > extent[axis] {
			axis = a
		}
	}
	center := func(i int) float32 { return m[i][0][axis] + m[i][1][axis] + m[i][2][axis] }
	sort.Slice(m, func(i, j int) bool { return center(i) < center(j) })
	half := len(m) / 2
	return 1.2*b.area()/rootArea + medianCost(m[:half], rootArea) + medianCost(m[half:], rootArea)
}
