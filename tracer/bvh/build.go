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
	guard.InChunks(faces, func(_, begin, end int) {
		for f := begin; f < end; f++ {
			b.primitives[f] = newPrimitive(f, corners(f))
		}
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

// subtree builds the tree of a span and returns the reference to it. Its nodes go into the slots from slot on.
func (b *builder) subtree(s span, slot, depth int) uint32 {
	if s.size() >= spawnSize && b.ctx.Err() != nil {
		return EmptyChild
	}
	left, right, ok := b.split(&s, depth)
	if !ok {
		return leafReference(s.begin, s.size())
	}
	node := &b.nodes[slot]
	node.setBoxes(left.box.padded(), right.box.padded())
	if s.size() < spawnSize {
		node.Child[0] = b.subtree(left, slot+1, depth+1)
		node.Child[1] = b.subtree(right, slot+left.size(), depth+1)
		return uint32(slot)
	}
	var wait guard.Group
	wait.Go(func() { node.Child[0] = b.subtree(left, slot+1, depth+1) })
	node.Child[1] = b.subtree(right, slot+left.size(), depth+1)
	wait.Wait()
	return uint32(slot)
}

// split parts a span in two, reordering its primitives; ok is false where a leaf is cheaper.
func (b *builder) split(s *span, depth int) (left, right span, ok bool) {
	if s.size() <= sweepSize {
		return b.sweep(s, depth)
	}
	if depth < sahDepth {
		if plane, found := b.bestPlane(s); found {
			left, right = b.partition(s, plane)
			return left, right, true
		}
	}
	left, right = b.halve(s)
	return left, right, true
}
