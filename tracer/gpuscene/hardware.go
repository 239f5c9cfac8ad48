package gpuscene

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/cuda/optix"
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

// errDeforms is why software traces a scene.
var errDeforms = errors.New("rays are traced in software where meshes deform")

// FillHardware has hardware trace the rays of a frame that Fill has filled in, with the same BVH. After an error software does, and the
// error is given once.
func (s *Scene) FillHardware(d device.Device, f *cuda.Frame, bvh string) error {
	t := &s.hardware
	if t.failed != nil {
		return nil
	}
	h, err := d.Hardware(f.Scene.Missing)
	if err == nil {
		err = t.ensure(d, h, s, s.choose(bvh))
	}
	if err != nil {
		t.free(d)
		t.failed = fmt.Errorf("rays are traced in software: %w", err)
		return t.failed
	}
	if f.Scene.Hardware = t.baked.Handle; t.top.Handle != 0 {
		f.Scene.Hardware = t.top.Handle
	}
	return nil
}

// ensure builds what is missing, or of another BVH or another place.
func (t *rayTrees) ensure(d device.Device, h *device.Hardware, s *Scene, of *deviceBVH) error {
	if len(s.posing.meshes) > 0 {
		return errDeforms
	}
	if t.of == of && t.moves == s.instances.moves {
		return nil
	}
	b := rayTreeBuilder{d, h, s, of}
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
		for i := range s.instances.meshes {
			tree, err := b.triangles(s.instances.meshes[i].Triangles, len(s.prepared.geometry.meshes[i].triangles))
			if err != nil {
				return err
			}
			t.meshes = append(t.meshes, tree)
		}
	}
	if err := t.place(d, h, &s.instances); err != nil {
		return err
	}
	t.of, t.moves = of, s.instances.moves
	return nil
}

// place builds the tree over instances where they stand.
func (t *rayTrees) place(d device.Device, h *device.Hardware, in *instances) (err error) {
	d.Free(t.top.Memory)
	t.top = device.RayTree{}
	if len(in.stand) == 0 {
		return nil
	}
	var stand []optix.Instance
	for i := range in.stand {
		if in.hidden == nil || !in.hidden[i] {
			stand = append(stand, device.Instance(t.meshes[in.of.scene.Instances[i].Mesh], in.stand[i].ToWorld, i))
		}
	}
	if t.baked.Handle != 0 {
		identity := [3][4]float32{{0: 1}, {1: 1}, {2: 1}}
		stand = append(stand, device.Instance(t.baked, identity, len(in.stand))) // no instance has that id
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
	scene    *Scene
	of       *deviceBVH
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
	p := b.scene.prepared
	return b.hardware.BuildTriangles(device.TriangleMesh{
		Vertices: b.scene.tables.vertices.Address, VertexCount: len(p.geometry.vertices), VertexSize: device.SizeOf[cuda.Vertex](),
		Indices: indices, Triangles: count, Opaque: p.lacks()&cuda.FeatureAlpha != 0,
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
