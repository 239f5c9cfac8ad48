package bvh_test

import (
	"testing"
	"unsafe"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/bvh"
)

// rayCaster runs the ray kernels of the CPU backend over one mesh.
type rayCaster struct {
	tree                           *bvh.Tree
	frame                          cuda.Frame
	nodes, wide, spread, triangles cuda.Memory
}

// tracers are the ways to trace rays that this processor can run: both trees, by each build, and the GPU's ray loop.
func tracers() map[string]tracer {
	all := map[string]tracer{
		"binary":      kernels(cuda.Baseline, cuda.TraceRaysClosest, cuda.TraceRaysAny),
		"queue":       kernels(cuda.Baseline, cuda.QueueRaysClosest, cuda.QueueRaysAny),
		"GPU's queue": probe.Walk,
	}
	if cuda.BestVariant() == cuda.V3 {
		all["binary, AVX2"] = kernels(cuda.V3, cuda.TraceRaysClosest, cuda.TraceRaysAny)
		all["queue, AVX2"] = kernels(cuda.V3, cuda.QueueRaysClosest, cuda.QueueRaysAny)
	}
	return all
}

// tracer traces the rays [begin, end) of a frame.
type tracer func(f *cuda.Frame, begin, end int, anyHit bool)

func kernels(v cuda.Variant, closest, any cuda.Kernel) tracer {
	return func(f *cuda.Frame, begin, end int, anyHit bool) {
		if anyHit {
			cuda.Run(v, any, f, begin, end, 0)
		} else {
			cuda.Run(v, closest, f, begin, end, 0)
		}
	}
}

func newRayCaster(t testing.TB, m mesh) *rayCaster {
	t.Helper()
	return newCasterOf(t, m, bvh.Binned)
}

func newCasterOf(t testing.TB, m mesh, method bvh.Method) *rayCaster {
	t.Helper()
	tree, err := m.build(method)
	if err != nil {
		t.Fatal(err)
	}
	return newCasterFrom(t, m, tree)
}

func newCasterFrom(t testing.TB, m mesh, tree *bvh.Tree) *rayCaster {
	t.Helper()
	c := &rayCaster{tree: tree}
	c.nodes = alloc(t, max(1, len(tree.Nodes))*int(unsafe.Sizeof(bvh.Node{})))
	copy(view[bvh.Node](c.nodes), tree.Nodes)
	c.wide = alloc(t, max(1, len(tree.Wide))*int(unsafe.Sizeof(bvh.WideNode{})))
	copy(view[bvh.WideNode](c.wide), tree.Wide)
	c.spread = alloc(t, max(1, len(tree.Wide))*int(unsafe.Sizeof(bvh.SpreadNode{})))
	copy(view[bvh.SpreadNode](c.spread), bvh.Spread(tree.Wide))
	c.triangles = alloc(t, max(1, len(tree.Order))*int(unsafe.Sizeof(cuda.Triangle{})))
	triangles := view[cuda.Triangle](c.triangles)
	for i, face := range tree.Order {
		v := m[face]
		triangles[i] = cuda.Triangle{V0: v[0], E1: v[1].Sub(v[0]), E2: v[2].Sub(v[0]), Face: face, Light: cuda.NoLight}
	}
	c.frame.Scene.Nodes, c.frame.Scene.NodeCount = c.nodes.Address(), uint32(len(tree.Nodes))
	c.frame.Scene.WideNodes = c.wide.Address()
	c.frame.Scene.SpreadNodes = c.spread.Address()
	c.frame.Scene.Triangles = c.triangles.Address()
	return c
}

// rayBatch is rays and room for their hits in memory that kernels may use.
type rayBatch struct{ rays, hits cuda.Memory }

func newRayBatch(t testing.TB, n int) rayBatch {
	return rayBatch{alloc(t, n*int(unsafe.Sizeof(cuda.Ray{}))), alloc(t, n*int(unsafe.Sizeof(cuda.Hit{})))}
}

func (b rayBatch) Rays() []cuda.Ray { return view[cuda.Ray](b.rays) }

// run traces the batch on this thread alone. The hits are overwritten by the next run.
func (c *rayCaster) run(trace tracer, b rayBatch, anyHit bool) []cuda.Hit {
	frame := c.frame
	frame.Rays.Rays, frame.Rays.Hits, frame.Rays.Count = b.rays.Address(), b.hits.Address(), uint32(len(b.Rays()))
	trace(&frame, 0, len(b.Rays()), anyHit)
	return view[cuda.Hit](b.hits)
}

// faces is run with hits that name faces instead of triangles, of which a face may have several. They stay as they are.
func (c *rayCaster) faces(trace tracer, b rayBatch, anyHit bool) []cuda.Hit {
	hits := append([]cuda.Hit(nil), c.run(trace, b, anyHit)...)
	for i := range hits {
		if hits[i].Triangle != cuda.NoHit && !anyHit {
			hits[i].Triangle = c.tree.Order[hits[i].Triangle]
		}
	}
	return hits
}

func alloc(t testing.TB, bytes int) cuda.Memory {
	t.Helper()
	m, err := cuda.Alloc(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	return m
}

func view[T any](m cuda.Memory) []T {
	b := m.Bytes()
	var item T
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(item)))
}
