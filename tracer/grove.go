package tracer

import (
	"fmt"
	"slices"

	"glint/cuda"
	"glint/tracer/bvh"
)

// plantedTree is a tree in a device's memory.
type plantedTree struct {
	method    string
	triangles int    // in leaf order
	leaves    buffer // where they are
	buffers   []buffer
	frame     cuda.Frame // the addresses; everything else is zero
}

// apply fills in what depends on the tree.
func (t *plantedTree) apply(f *cuda.Frame) {
	f.Nodes, f.NodeCount, f.WideNodes, f.SpreadNodes = t.frame.Nodes, t.frame.NodeCount, t.frame.WideNodes, t.frame.SpreadNodes
	f.Triangles, f.Faces, f.Lights = t.frame.Triangles, t.frame.Faces, t.frame.Lights
}

// plant copies a tree to the device, all or nothing, in the place of one by the same method.
func (s *deviceScene) plant(d device, t *Tree) error {
	var spread []bvh.SpreadNode
	if d.backend().Kind == "cpu" {
		spread = bvh.Spread(t.wideNodes)
	}
	planted := &plantedTree{method: t.Method, triangles: len(t.triangles)}
	f := &planted.frame
	f.NodeCount = uint32(len(t.nodes))
	var err error
	if planted.buffers, err = putAll(d, []put{
		{&f.Nodes, bytesOf(t.nodes)},
		{&f.WideNodes, bytesOf(t.wideNodes)},
		{&f.SpreadNodes, bytesOf(spread)},
		{&f.Triangles, bytesOf(t.triangles)},
		{&f.Faces, bytesOf(t.faces)},
		{&f.Lights, bytesOf(t.lights)},
	}); err != nil {
		return err
	}
	planted.leaves = planted.buffers[3]
	s.uproot(d, t.Method)
	s.trees = append(s.trees, planted)
	return nil
}

// tree is the planted one of that method, or nil.
func (s *deviceScene) tree(method string) *plantedTree {
	for _, t := range s.trees {
		if t.method == method {
			return t
		}
	}
	return nil
}

// uproot frees a tree, if it is there.
func (s *deviceScene) uproot(d device, method string) {
	s.trees = slices.DeleteFunc(s.trees, func(t *plantedTree) bool {
		if t.method == method {
			freeAll(d, t.buffers)
		}
		return t.method == method
	})
}

// Plant brings a tree of the scene in use to the device, beside those that are there: setting bvh then finds it.
func (r *Renderer) Plant(t *Tree) error {
	if err := r.scene.plant(r.device, t); err != nil {
		return fmt.Errorf("upload a tree (--bvh %s): %w", t.Method, err)
	}
	return nil
}

// Uproot gives the memory of a tree back. The last one stays.
func (r *Renderer) Uproot(method string) {
	if len(r.scene.trees) > 1 {
		r.scene.uproot(r.device, method)
	}
}

// Planted tells whether Render finds a tree by this method, or would build it first.
func (r *Renderer) Planted(method string) bool { return r.scene != nil && r.scene.tree(method) != nil }

// chooseTree takes the tree that a setting asks for, and builds it when it is not there. Between passes of a sample the tree
// stays: hits name its triangles.
func (r *Renderer) chooseTree(method string) error {
	if r.progress.pass > 0 && r.Planted(r.tree) {
		return nil
	}
	if !r.Planted(method) {
		t, err := r.scene.prepared.Grow(method)
		if err != nil {
			return err
		}
		if err := r.Plant(t); err != nil {
			return err
		}
	}
	r.tree = method
	return nil
}

// currentTree is the one of the last sample, or the first. There always is one.
func (r *Renderer) currentTree() *plantedTree {
	if t := r.scene.tree(r.tree); t != nil {
		return t
	}
	return r.scene.trees[0]
}

// leafTriangles reads back the triangles of the current tree.
func (r *Renderer) leafTriangles() ([]cuda.Triangle, error) {
	t := r.currentTree()
	triangles := make([]cuda.Triangle, t.triangles)
	if t.triangles == 0 {
		return nil, nil
	}
	return triangles, r.device.download(t.leaves, bytesOf(triangles))
}
