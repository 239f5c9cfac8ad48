package bvh_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
)

// movedMeshes are pairs: a mesh, and where its triangles have gone.
func movedMeshes() map[string][2]mesh {
	twist := func(m mesh) mesh {
		out := make(mesh, len(m))
		for i, t := range m {
			for k, p := range t {
				out[i][k] = mgl32.Rotate3DY(2 * p[1]).Mul3x1(p).Add(mgl32.Vec3{0, 0.3 * p[0] * p[0], 0})
			}
		}
		return out
	}
	shuffled := soup(700)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	ball := sphere(16, 0.1)
	return map[string][2]mesh{
		"twisted":    {ball, twist(ball)},
		"elsewhere":  {cube(), cube().moved(mgl32.Vec3{50, -3, 7})},
		"shuffled":   {soup(700), shuffled},
		"collapsed":  {soup(500), repeated(500, [3]mgl32.Vec3{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}})},
		"unfolded":   {repeated(500, [3]mgl32.Vec3{}), soup(500)},
		"one, grown": {soup(1), soup(1).scaled(1e6)},
	}
}

// A tree whose triangles have moved holds every one of them after it was refitted, and rays find what they find in a search
// through all.
func TestRefit(t *testing.T) {
	batch := newRayBatch(t, 500)
	scatter(batch.Rays())
	for name, m := range movedMeshes() {
		for how, method := range methods() {
			t.Run(fmt.Sprintf("%s, %s", name, how), func(t *testing.T) {
				before, after := m[0], m[1]
				tree, err := before.build(method)
				if err != nil {
					t.Fatal(err)
				}
				caster := newCasterFrom(t, after, tree)
				caster.refit(t)
				checkTree(t, after, tree)
				checkWide(t, after, tree)
				if name == "shuffled" || name == "twisted" {
					castByAll(t, how, after, caster, batch)
				}
			})
		}
	}
}

// refit runs the kernels that have the caster's tree follow its triangles.
func (c *rayCaster) refit(t *testing.T) {
	t.Helper()
	nodes, levels := byDepth(bvh.Depths(c.tree.Nodes))
	wide, wideLevels := byDepth(bvh.WideDepths(c.tree.Wide))
	boxes := alloc(t, len(wide)*int(unsafe.Sizeof(cuda.RefitBox{})))
	whole := alloc(t, int(unsafe.Sizeof(cuda.RefitBox{})))
	m := cuda.DeformedMesh{Nodes: c.nodes.Address(), WideNodes: c.wide.Address(), SpreadNodes: c.spread.Address(), Triangles: c.triangles.Address()}
	posing := cuda.Posing{MeshCount: 1, Meshes: copied(t, []cuda.DeformedMesh{m}), Nodes: copied(t, nodes), Levels: copied(t, levels),
		WideNodes: copied(t, wide), WideLevels: copied(t, wideLevels), WideBoxes: boxes.Address(), Boxes: whole.Address()}
	f := c.frame
	f.Build.Posed = copied(t, []cuda.Posing{posing})
	for i, l := range levels {
		cuda.Run(cuda.BestVariant(), cuda.RefitNodes, &f, 0, int(l.Count), uint32(i))
	}
	for i, l := range wideLevels {
		cuda.Run(cuda.BestVariant(), cuda.RefitWide, &f, 0, int(l.Count), uint32(i))
	}
	copy(c.tree.Nodes, view[bvh.Node](c.nodes))
	copy(c.tree.Wide, view[bvh.WideNode](c.wide))
}

// byDepth lists nodes level by level, the deepest first.
func byDepth(depths []uint32) (nodes []cuda.RefitNode, levels []cuda.RefitLevel) {
	for depth := int(slices.Max(depths)); depth >= 0; depth-- {
		first := len(nodes)
		for i, at := range depths {
			if int(at) == depth {
				nodes = append(nodes, cuda.RefitNode{Node: uint32(i)})
			}
		}
		levels = append(levels, cuda.RefitLevel{First: uint32(first), Count: uint32(len(nodes) - first)})
	}
	return nodes, levels
}

// copied is the address of a copy that kernels may read.
func copied[T any](t *testing.T, items []T) uint64 {
	t.Helper()
	memory := alloc(t, len(items)*int(unsafe.Sizeof(items[0])))
	copy(view[T](memory), items)
	return memory.Address()
}
