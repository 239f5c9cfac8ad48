package gpuscene

import (
	"errors"

	"glint/cuda"
	"glint/tracer/device"
)

// rayTrees are what hardware traces rays through. They are built when it first does, over the triangles in the leaf order of a BVH: that
// is how both name what is hit.
type rayTrees struct {
	of     *deviceBVH     // whose leaf order baked has
	baked  device.RayTree // 0: nothing is
	meshes []device.RayTree
	top    device.RayTree // over instances; 0: there are none
	moves  int            // of the instances when top was built
	failed error          // why software traces this scene
}

// ensure builds what is missing, or of another BVH or another place. Vertices are those of all triangles.
func (t *rayTrees) ensure(d device.Device, h *device.Hardware, in *instances, of *deviceBVH, vertices uint64) error {
	if t.of == of && t.moves == in.moves {
		return nil
	}
	b := rayTreeBuilder{d, h, in.of, of, vertices}
	if t.of != of {
		d.Free(t.baked.Memory)
		t.baked = device.RayTree{}
		if of.triangles > 0 {
			var err error
			if t.baked, err = b.triangles(of.frame.Scene.Triangles, of.triangles); err != nil {
				return err
			}
		}
	}
	if t.meshes == nil {
		for i := range in.meshes {
			tree, err := b.triangles(in.meshes[i].Triangles, len(in.of.meshes[i].triangles))
			if err != nil {
				return err
			}
			t.meshes = append(t.meshes, tree)
		}
	}
	if err := t.place(d, h, in); err != nil {
		return err
	}
	t.of, t.moves = of, in.moves
	return nil
}

// place builds the tree over instances where they stand.
func (t *rayTrees) place(d device.Device, h *device.Hardware, in *instances) (err error) {
	d.Free(t.top.Memory)
	t.top = device.RayTree{}
	if len(in.stand) == 0 {
		return nil
	}
	var stand []device.RayInstance
	for i := range in.stand {
		if in.hidden == nil || !in.hidden[i] {
			stand = append(stand, t.meshes[in.of.scene.Instances[i].Mesh].Placed(in.stand[i].ToWorld, i))
		}
	}
	if t.baked.Handle != 0 {
		identity := [3][4]float32{{0: 1}, {1: 1}, {2: 1}}
		stand = append(stand, t.baked.Placed(identity, len(in.stand))) // no instance has that id
	}
	if len(stand) == 0 {
		return errors.New("nothing is drawn")
	}
	t.top, err = h.BuildInstances(stand)
	return err
}

// rayTreeBuilder builds trees over triangles that a device holds.
type rayTreeBuilder struct {
	device   device.Device
	hardware *device.Hardware
	geometry *geometry
	of       *deviceBVH
	vertices uint64
}

// triangles builds a tree over triangles in leaf order.
func (b rayTreeBuilder) triangles(address uint64, count int) (tree device.RayTree, err error) {
	indices, err := b.device.Alloc(count * 3 * 4)
	if err != nil {
		return tree, err
	}
	defer b.device.Free(indices)
	build := []cuda.TreeBuild{{Faces: uint32(count), Source: address, Values: indices.Address}}
	table, err := b.device.Alloc(len(device.BytesOf(build)))
	if err != nil {
		return tree, err
	}
	defer b.device.Free(table)
	f := b.of.frame
	f.Scene.Hardware, f.Build.Tree = 0, table.Address
	err = errors.Join(b.device.Upload(table, device.BytesOf(build)), b.device.SetFrame(&f))
	if err == nil {
		err = device.Run(b.device, device.Launch{Kernel: cuda.TreeIndices, Indices: count})
	}
	if err == nil {
		err = b.device.Sync()
	}
	if err != nil {
		return tree, err
	}
	return b.hardware.BuildTriangles(device.TriangleMesh{
		Vertices: b.vertices, VertexCount: len(b.geometry.vertices), VertexSize: device.SizeOf[cuda.Vertex](),
		Indices: indices, Triangles: count, Opaque: !b.geometry.tested(),
	})
}

func (t *rayTrees) bytes() (bytes int) {
	for _, tree := range append([]device.RayTree{t.baked, t.top}, t.meshes...) {
		bytes += tree.Memory.Size
	}
	return bytes
}

// free gives the memory back.
func (t *rayTrees) free(d device.Device) {
	for _, tree := range append([]device.RayTree{t.baked, t.top}, t.meshes...) {
		d.Free(tree.Memory)
	}
	*t = rayTrees{}
}
