// Package bvh builds the trees that the ray kernels walk: a binary tree, and from it an 8-wide compressed one over the same
// triangles.
//
//	tree, err := bvh.Build(ctx, bvh.Binned, func(face int) [3]mgl32.Vec3 { return corners[face] }, len(corners))
//
// The tree depends on the triangles alone, never on the number or the timing of the goroutines that build it.
package bvh

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"
)

// Method is a way to build a tree.
type Method uint8

// The methods, by rising cost of building.
const (
	Every  Method = iota // no tree to speak of: a ray that meets the scene's box tests every triangle
	Curve                // spans of a curve through space (Lauterbach et al. 2009)
	Binned               // the surface area heuristic over bins (Wald 2007)
)

// Build makes the tree over faces triangles given as three world-space corners each (m). It calls corners from several
// goroutines at once, many times for a face. Faces with a non-finite corner keep their place in a leaf; no ray hits them.
// The only errors are more faces than a reference can address, and that of ctx, when it ends.
func Build(ctx context.Context, method Method, corners func(face int) [3]mgl32.Vec3, faces int) (*Tree, error) {
	if faces > MaxFaces {
		return nil, fmt.Errorf("the scene has %d triangles and the ray kernels address %d: simplify it", faces, MaxFaces)
	}
	start := time.Now()
	tree := &Tree{}
	if faces > 0 {
		b := newBuilder(ctx, corners, faces)
		root := b.build(method)
		if err := ctx.Err(); err != nil {
			return nil, err // the tree is not complete
		}
		var order []uint32
		tree.Nodes, order = b.compact(root)
		tree.Wide, tree.Order = widen(tree.Nodes, order)
	}
	tree.Stats = Measure(tree.Nodes, len(tree.Wide), len(tree.Order), faces)
	tree.Stats.Seconds = time.Since(start).Seconds()
	return tree, nil
}

// BuildBytes is the memory that Build takes at the most, with its result, bytes.
func BuildBytes(faces int) int64 {
	const order = 3 * 4 // as it is built, compacted and reordered
	const slot = int64(unsafe.Sizeof(primitive{})+unsafe.Sizeof(Node{})) + order
	// Afterwards for the nodes that are left, of which a leaf holds mostly two faces and more. The curve's two lists of places take less, and are
	// no longer needed then.
	const used = max(int64(unsafe.Sizeof(Node{})+unsafe.Sizeof(forest{})+unsafe.Sizeof(WideNode{}))/2, 2*int64(unsafe.Sizeof(place{})))
	return int64(faces) * (slot + used)
}

// build returns the reference to the root.
func (b *builder) build(method Method) uint32 {
	root := b.rootSpan()
	switch method {
	case Every:
		return b.chop(root.box.padded(), 0, (root.size()+maxLeafSize-1)/maxLeafSize, 0)
	case Curve:
		return b.alongCurve(b.sortAlongCurve(&root), 0, b.faces, 0, 0).reference
	}
	return b.subtree(root, 0, 0)
}
