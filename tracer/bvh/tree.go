package bvh

import "unsafe"

// Tree is one tree in the two layouts of cuda/kernels/params/bvh.h: 64-byte binary nodes that hold the boxes of both children, and
// 80-byte wide nodes of up to eight children. In binary nodes, child references with LeafBit set name a run of triangles: bits 0…26 the first, bits 27…30 the count less one.
// Order lists faces in leaf order: leaf triangle i is face Order[i]. Node 0 is the root, and a node comes before its
// descendants; a tree without triangles has no nodes.
type Tree struct {
	Nodes []Node
	Wide  []WideNode
	Order []uint32
	Stats Stats
}

// LeafBit marks a child reference that names triangles.
const LeafBit = 1 << 31

// EmptyChild is the reference of a missing child; its box is inverted so that no ray enters it.
const EmptyChild = 0xffffffff

// MaxDepth bounds the inner nodes on the way from the root to a leaf, and with them the stack of the ray kernels.
const MaxDepth = 64

// MaxFaces is the most triangles that a leaf reference can address.
const MaxFaces = 1 << firstBits

const (
	firstBits   = 27 // of a leaf reference
	maxLeafSize = 3  // triangles, what a slot of a wide node can name
)

// Node mirrors struct BvhNode: per axis the lower bounds of child 0 and 1, then the upper bounds.
type Node struct {
	X, Y, Z [4]float32 // lo0, lo1, hi0, hi1 (m)
	Child   [2]uint32
	Pad     [2]uint32
}

// WideNode mirrors struct WideNode, which tells what each field means.
type WideNode struct {
	Origin                       [3]float32 // m
	Exponents                    [3]uint8   // of the grid's steps
	Inner                        uint8      // which slots hold nodes
	ChildBase, TriangleBase      uint32
	Leaves, Pad                  uint32
	LoX, HiX, LoY, HiY, LoZ, HiZ [8]uint8 // grid steps
}

// LeafRange decodes a reference that has LeafBit set and is not EmptyChild: triangles first … first+count−1.
func LeafRange(reference uint32) (first, count int) {
	return int(reference & (MaxFaces - 1)), int(reference>>firstBits&15) + 1
}

func leafReference(first, count int) uint32 {
	return LeafBit | uint32(count-1)<<firstBits | uint32(first)
}

// setBoxes writes the boxes of both children.
func (n *Node) setBoxes(a, b box) {
	for axis, row := range [3]*[4]float32{&n.X, &n.Y, &n.Z} {
		*row = [4]float32{a.lo[axis], b.lo[axis], a.hi[axis], b.hi[axis]}
	}
}

// box is the box of one child.
func (n *Node) box(child int) box {
	return box{
		lo: [3]float32{n.X[child], n.Y[child], n.Z[child]},
		hi: [3]float32{n.X[child+2], n.Y[child+2], n.Z[child+2]},
	}
}

// Stats describe a built tree.
type Stats struct {
	Faces     int     // of the scene
	Triangles int     // in the leaves
	Nodes     int     // of the binary tree
	WideNodes int     // of the 8-wide tree
	Leaves    int     // of the binary tree
	MaxDepth  int     // inner nodes on the longest path, at most MaxDepth
	SAH       float64 // expected cost of a random ray that meets the root, in triangle tests
	Seconds   float64 // spent by building
}

// triangleBytes is the size of a triangle in leaf order (struct Triangle).
const triangleBytes = 48

// BytesPerFace is the memory that the triangles and both trees take for each face of the scene, as a GPU has them, bytes.
func (s Stats) BytesPerFace() float64 {
	bytes := s.Triangles*triangleBytes + s.Nodes*int(unsafe.Sizeof(Node{})) + s.WideNodes*int(unsafe.Sizeof(WideNode{}))
	return float64(bytes) / float64(max(s.Faces, 1))
}
