package tracer

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
)

// Tree is one way to find what rays hit in a prepared scene. Every tree gives the same images. Made by Grow, taken by
// Renderer.Plant.
type Tree struct {
	Method string // choice of setting bvh
	Stats  bvh.Stats

	nodes     []bvh.Node
	wideNodes []bvh.WideNode
	triangles []cuda.Triangle // in leaf order
	faces     []cuda.Face
	lights    []cuda.Light
}

// bvhMethods are the ways to build a tree, by the choices of setting bvh.
var bvhMethods = map[string]bvh.Method{"auto": bvh.Binned, "off": bvh.Every, "high": bvh.Spatial}

// manyFaces is from where a ray that tests every triangle takes about a millisecond.
const manyFaces = 100_000

// Grow builds a tree; on any goroutine.
func (p *Prepared) Grow(method string) (*Tree, error) {
	how, known := bvhMethods[method]
	if !known {
		return nil, fmt.Errorf("no tree is built by method %q", method)
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

// arrange puts triangles in leaf order, and names them by it where others refer to them.
func (t *Tree) arrange(p *Prepared, order []uint32) {
	t.triangles = make([]cuda.Triangle, len(order))
	parallel(len(order), func(i int) { t.triangles[i] = p.triangles[order[i]] })
	t.faces = append([]cuda.Face(nil), p.faces...)
	for i := len(order) - 1; i >= 0; i-- { // of several triangles of a face the first counts
		t.faces[order[i]].Triangle = uint32(i)
	}
	t.lights = append([]cuda.Light(nil), p.lights...)
	for i := range t.lights {
		if t.lights[i].Kind == cuda.LightTriangle {
			t.lights[i].Triangle = t.faces[t.lights[i].Triangle].Triangle
		}
	}
}
