package bvh

import (
	"context"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

// Costs of the surface area heuristic, in triangle tests.
const (
	traversalCost = 1.2 // one node: both child boxes
	triangleCost  = 1.0
)

const (
	// spawnSize is the span from which the two halves are built by two goroutines.
	spawnSize = 1 << 13
	// sahDepth is the depth from which spans are halved: log2(MaxFaces) more levels then reach single faces.
	sahDepth = MaxDepth - firstBits - 1
)

// span is a run of primitives that becomes one subtree.
type span struct {
	begin, end int
	box        box // of the primitives
	centroids  box // of their centroids; only spans above sweepSize have it
}

func (s *span) size() int { return s.end - s.begin }

// builder holds the flat arrays that the whole recursion shares; goroutines work on disjoint runs of them.
type builder struct {
	ctx        context.Context // of the one build; when it ends, so does the recursion, with a tree that is of no use
	corners    func(face int) [3]mgl32.Vec3
	faces      int
	primitives []primitive
	nodes      []Node // a subtree owns one less than it has primitives, of which it may leave some unused
}

func newBuilder(ctx context.Context, corners func(face int) [3]mgl32.Vec3, faces int) *builder {
	b := &builder{ctx: ctx, corners: corners, faces: faces, primitives: guard.MakeLarge[primitive](faces),
		nodes: guard.MakeLarge[Node](max(1, faces-1))}
	guard.All(faces, func(f int) {
		b.primitives[f] = newPrimitive(f, corners(f))
	})
	return b
}

func (b *builder) rootSpan() span {
	partial := guard.OfChunks(b.faces, b.measure)
	root := partial[0]
	for i := range partial[1:] {
		root.box.grow(&partial[i+1].box)
		root.centroids.grow(&partial[i+1].centroids)
	}
	root.end = b.faces
	return root
}

// measure bounds the primitives of a run.
func (b *builder) measure(begin, end int) span {
	s := span{begin: begin, end: end, box: emptyBox, centroids: emptyBox}
	for i := begin; i < end; i++ {
		p := &b.primitives[i]
		s.box.grow(&p.box)
		s.centroids.growPoint(p.centroids())
	}
	return s
}
