package gpuscene

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/guard"
)

// BVH is one way to find what rays hit in a prepared scene. Every BVH gives the same images.
type BVH struct {
	Method string // choice of setting bvh
	Stats  bvh.Stats

	deferred  bool // to be built by the device that takes it; then the rest is empty
	nodes     []bvh.Node
	wideNodes []bvh.WideNode
	triangles []cuda.Triangle // in leaf order
	faces     []cuda.Face
	memory    *guard.Memory // a lease for these
}

// bvhMethods are the ways to build a BVH, by the choices of setting bvh; for fast where the device's builder will not do.
var bvhMethods = map[string]bvh.Method{"auto": bvh.Binned, "off": bvh.Every, "fast": bvh.Curve}

const (
	manyFaces  = 100_000 // from here on a ray that tests every triangle takes about a millisecond
	quickFaces = 50_000  // from here on one would wait for a BVH, so that a quick one is shown first
	hugeFaces  = 1 << 22 // from here on the host takes seconds for a BVH by which frames are a twentieth faster (docs/measurements.md)
)

// onDevice tells whether a GPU builds the first BVH itself, in milliseconds: fast, and auto where one would wait seconds for the host's.
func onDevice(method string, faces int) bool {
	return method == "fast" || method == "auto" && faces >= hugeFaces
}

// buildBVH builds a BVH over what is baked; on any goroutine. It ends early when ctx does.
func buildBVH(ctx context.Context, g *geometry, method string, memory *guard.Memory) (*BVH, error) {
	how, known := bvhMethods[method]
	if !known {
		return nil, fmt.Errorf("no BVH is built by method %q", method)
	}
	building := memory.Lease()
	defer building.Release()
	s := g.scene
	what := fmt.Sprintf("a tree over %d triangles", len(s.Faces))
	if err := building.Take(what, bvh.BuildBytes(len(s.Faces))); err != nil {
		return nil, err
	}
	built, err := bvh.Build(ctx, how, func(face int) [3]mgl32.Vec3 { return corners(s.Vertices, s.Faces[face]) }, len(s.Faces))
	if err != nil {
		return nil, err
	}
	t := &BVH{Method: method, Stats: built.Stats, nodes: built.Nodes, wideNodes: built.Wide, memory: memory.Lease()}
	building.Release() // for what stays
	if err := t.memory.Take(what, t.bytes(len(built.Order), len(g.faces))); err != nil {
		return nil, err
	}
	t.arrange(g, built.Order)
	return t, nil
}

// deferredBVH is the BVH of a method, to be built by the device that takes it.
func deferredBVH(method string, faces int) *BVH {
	return &BVH{Method: method, Stats: bvh.Stats{Faces: faces}, deferred: true}
}

// bytes is what a BVH of so many triangles in leaf order takes, with a list of all faces.
func (t *BVH) bytes(triangles, faces int) int64 {
	return int64(len(t.nodes))*int64(unsafe.Sizeof(bvh.Node{})) + int64(len(t.wideNodes))*int64(unsafe.Sizeof(bvh.WideNode{})) +
		int64(triangles)*int64(unsafe.Sizeof(cuda.Triangle{})) + int64(faces)*int64(unsafe.Sizeof(cuda.Face{}))
}

// arrange puts triangles in leaf order, and names them by it where others refer to them.
func (t *BVH) arrange(g *geometry, order []uint32) {
	t.triangles = guard.MakeLarge[cuda.Triangle](len(order))
	guard.All(len(order), func(i int) { t.triangles[i] = g.triangles[order[i]] })
	t.faces = guard.MakeLarge[cuda.Face](len(g.faces))
	copy(t.faces, g.faces)
	guard.All(len(order), func(i int) { t.faces[order[i]].Triangle = uint32(i) })
}
