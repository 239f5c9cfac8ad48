// Package bvh builds the binary SAH tree that both ray kernels walk.
package bvh

import "github.com/go-gl/mathgl/mgl32"

// Tree is a binary tree in the layout of cuda/params.h: 64-byte nodes that hold the boxes of both children.
// Child references with LeafBit set name a run of triangles: bits 0…26 the first, bits 27…30 the count less one.
// Order lists faces in leaf order: leaf triangle i is face Order[i]. Node 0 is the root.
type Tree struct {
	Nodes []Node
	Order []uint32
	Stats Stats
}

// LeafBit marks a child reference that names triangles.
const LeafBit = 1 << 31

// EmptyChild is the reference of a missing child; its box is inverted so that no ray enters it.
const EmptyChild = 0xffffffff

// Node mirrors struct BvhNode: per axis the lower bounds of child 0 and 1, then the upper bounds.
type Node struct {
	X, Y, Z [4]float32 // lo0, lo1, hi0, hi1 (m)
	Child   [2]uint32
	Pad     [2]uint32
}

// Stats describe a built tree.
type Stats struct {
	Triangles, Nodes, Leaves, MaxDepth int
	SAH                                float64 // expected cost of a random ray, in triangle tests
	Seconds                            float64
}

// Build makes the tree over triangles given as three world-space corners each.
func Build(corners func(face int) [3]mgl32.Vec3, faces int) *Tree { return &Tree{} }
