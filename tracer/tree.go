package tracer

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
)

// Tree is one way to find what rays hit in a prepared scene. Every tree gives the same images. Made by Grow, taken by
// Renderer.Plant.
type Tree struct {
	Method string // choice of setting bvh
	Stats  bvh.Stats

	promised  bool // to be built by the device that takes it; then the rest is empty
	nodes     []bvh.Node
	wideNodes []bvh.WideNode
	triangles []cuda.Triangle // in leaf order
	faces     []cuda.Face
}

// bvhMethods are the ways to build a tree, by the choices of setting bvh; for fast where grow will not.
var bvhMethods = map[string]bvh.Method{"auto": bvh.Binned, "off": bvh.Every, "fast": bvh.Binned, "high": bvh.Spatial}

// manyFaces is from where a ray that tests every triangle takes about a millisecond.
const manyFaces = 100_000

// Grow builds a tree; on any goroutine.
func (p *Prepared) Grow(method string) (*Tree, error) {
	how, known := bvhMethods[method]
	if !known {
		return nil, fmt.Errorf("no tree is built by method %q", method)
	}
	if method == "fast" {
		if t, err := p.growQuickly(newCPUDevice("")); !errors.Is(err, errNoQuickTree) {
			return t, err
		}
	}
	s := p.Scene
	built, err := bvh.Build(how, func(face int) [3]mgl32.Vec3 { return corners(s, face) }, len(s.Faces))
	if err != nil {
		return nil, err
	}
	t := &Tree{Method: method, Stats: built.Stats, nodes: built.Nodes, wideNodes: built.Wide}
	t.arrange(p, built.Order)
	return t, nil
}

// Promise is tree fast, to be built by the device that takes it: by Plant, on the goroutine of the renderer.
func (p *Prepared) Promise() *Tree {
	return &Tree{Method: "fast", Stats: bvh.Stats{Faces: len(p.Scene.Faces)}, promised: true}
}

// growQuickly builds a tree by the kernels of a device, and reads it back.
func (p *Prepared) growQuickly(d device) (*Tree, error) {
	start := time.Now()
	g, err := grow(d, p)
	if err != nil {
		return nil, err
	}
	defer freeAll(d, g.made)
	t := &Tree{Method: "fast", nodes: make([]bvh.Node, g.faces-1), wideNodes: make([]bvh.WideNode, g.nodes),
		triangles: make([]cuda.Triangle, g.faces), faces: make([]cuda.Face, g.faces)}
	for i, data := range [][]byte{
		madeNodes: bytesOf(t.nodes), madeWide: bytesOf(t.wideNodes), madeTriangles: bytesOf(t.triangles), madeFaces: bytesOf(t.faces),
	} {
		if err := d.download(g.made[i], data); err != nil {
			return nil, err
		}
	}
	t.Stats = bvh.Measure(t.nodes, g.nodes, g.faces, g.faces)
	t.Stats.Seconds = time.Since(start).Seconds()
	return t, nil
}

// arrange puts triangles in leaf order, and names them by it where others refer to them.
func (t *Tree) arrange(p *Prepared, order []uint32) {
	t.triangles = make([]cuda.Triangle, len(order))
	parallel(len(order), func(i int) { t.triangles[i] = p.triangles[order[i]] })
	t.faces = append([]cuda.Face(nil), p.faces...)
	for i := len(order) - 1; i >= 0; i-- { // of several triangles of a face the first counts
		t.faces[order[i]].Triangle = uint32(i)
	}
}
