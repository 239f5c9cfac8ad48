package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// hierarchy is nodes as far as they place things.
type hierarchy struct {
	nodes   []gltf.Node // transforms and weights alone
	order   []int       // parents before their children
	parents []int       // -1: none
}

// worlds are the world matrices of all nodes.
func (h *hierarchy) worlds() []mgl64.Mat4 {
	world := make([]mgl64.Mat4, len(h.nodes))
	for _, i := range h.order {
		world[i] = localMatrix(&h.nodes[i])
		if h.parents[i] >= 0 {
			world[i] = world[h.parents[i]].Mul4(world[i])
		}
	}
	return world
}

// spread marks all that is below what is marked.
func (h *hierarchy) spread(marks []bool) []bool {
	out := slices.Clone(marks)
	for _, i := range h.order {
		if parent := h.parents[i]; parent >= 0 && out[parent] {
			out[i] = true
		}
	}
	return out
}

// localMatrix is the node's transform: its matrix, or translation × rotation × scale.
func localMatrix(n *gltf.Node) mgl64.Mat4 {
	if n.Matrix != gltf.DefaultMatrix {
		return mgl64.Mat4(n.Matrix)
	}
	q := mgl64.Quat{W: n.Rotation[3], V: mgl64.Vec3{n.Rotation[0], n.Rotation[1], n.Rotation[2]}}
	if length := q.Len(); length > 0 && !math.IsInf(length, 0) {
		q = q.Scale(1 / length)
	} else {
		q = mgl64.QuatIdent()
	}
	m := q.Mat4()
	for axis, by := range n.Scale {
		m.SetCol(axis, m.Col(axis).Mul(by))
	}
	m.SetCol(3, mgl64.Vec3(n.Translation).Vec4(1))
	return m
}

// instance is one mesh placed in the world.
type instance struct {
	node  int
	mesh  int
	skin  int // -1 for none
	key   meshKey
	local mgl64.Mat4 // in the node's space
	world mgl64.Mat4
}

// meshKey names the shapes of a mesh: nodes share them unless they bring morph weights of their own.
type meshKey struct {
	mesh int
	node int // -1 when the mesh's weights apply
}
