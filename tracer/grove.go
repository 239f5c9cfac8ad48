package tracer

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/settings"
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
	s, own := &f.Scene, &t.frame.Scene
	s.Nodes, s.NodeCount, s.WideNodes, s.SpreadNodes = own.Nodes, own.NodeCount, own.WideNodes, own.SpreadNodes
	s.Triangles, s.Faces = own.Triangles, own.Faces
}

// plant brings a tree to the device, all or nothing, in the place of one by the same method.
func (s *deviceScene) plant(d device, t *Tree) error {
	bring := s.copyTree
	if t.promised {
		bring = s.growTree
	}
	planted, err := bring(d, t)
	if err != nil {
		return err
	}
	s.uproot(d, t.Method)
	s.trees = append(s.trees, planted)
	return nil
}

// copyTree uploads a tree.
func (s *deviceScene) copyTree(d device, t *Tree) (*plantedTree, error) {
	planted := &plantedTree{method: t.Method, triangles: len(t.triangles)}
	f := &planted.frame
	f.Scene.NodeCount = uint32(len(t.nodes))
	var err error
	if planted.buffers, err = putAll(d, []put{
		{address: &f.Scene.Triangles, data: bytesOf(t.triangles)},
		{address: &f.Scene.Nodes, data: bytesOf(t.nodes)},
		{address: &f.Scene.WideNodes, data: bytesOf(t.wideNodes)},
		{address: &f.Scene.SpreadNodes, data: bytesOf(spreadFor(d, t.wideNodes))},
		{address: &f.Scene.Faces, data: bytesOf(t.faces)},
	}); err != nil {
		return nil, err
	}
	planted.leaves = planted.buffers[0]
	return planted, nil
}

// growTree builds a promised tree where it is to be, or on the host where that will not do.
func (s *deviceScene) growTree(d device, t *Tree) (*plantedTree, error) {
	start := time.Now()
	defer func() { t.Stats.Seconds = time.Since(start).Seconds() }()
	g, err := grow(d, s.prepared)
	if errors.Is(err, errNoQuickTree) {
		built, err := s.prepared.Grow(t.Method)
		if err != nil {
			return nil, err
		}
		return s.copyTree(d, built)
	}
	if err != nil {
		return nil, err
	}
	planted := &plantedTree{method: t.Method, triangles: g.faces, leaves: g.made[madeTriangles], buffers: g.made, frame: g.frame}
	planted.frame.Scene.NodeCount = uint32(g.faces - 1)
	if d.backend().Kind != "cpu" {
		return planted, nil
	}
	wide := make([]bvh.WideNode, g.nodes)
	err = d.download(g.made[madeWide], bytesOf(wide))
	if err == nil {
		var spread []buffer
		spread, err = putAll(d, []put{{address: &planted.frame.Scene.SpreadNodes, data: bytesOf(spreadFor(d, wide))}})
		planted.buffers = append(planted.buffers, spread...)
	}
	if err != nil {
		freeAll(d, planted.buffers)
		return nil, err
	}
	return planted, nil
}

// spreadFor unpacks wide nodes for a processor; a GPU reads them as they are.
func spreadFor(d device, wide []bvh.WideNode) []bvh.SpreadNode {
	if d.backend().Kind != "cpu" {
		return nil
	}
	return bvh.Spread(wide)
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

// Ready builds what settings ask for beforehand, so that it does not count as time of their first sample.
func (r *Renderer) Ready(s settings.Settings) error {
	if r.Planted(s.BVH) {
		return nil
	}
	t := r.scene.prepared.Promise()
	if s.BVH != t.Method {
		var err error
		if t, err = r.scene.prepared.Grow(s.BVH); err != nil {
			return err
		}
	}
	return r.Plant(t)
}

// chooseTree takes the tree that settings ask for, and builds it when it is not there. Between passes of a sample the tree
// stays: hits name its triangles.
func (r *Renderer) chooseTree(s settings.Settings) error {
	if r.progress.pass > 0 && r.Planted(r.tree) {
		return nil
	}
	if err := r.Ready(s); err != nil {
		return err
	}
	r.tree = s.BVH
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
