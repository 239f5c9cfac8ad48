package gpuscene

import (
	"errors"

	"glint/cuda"
	"glint/tracer/device"
)

// rayTrees are what hardware traces rays through. They are built when it first does, over the triangles in the leaf order of a BVH: that
// is how both name what is hit.
type rayTrees struct {
	of      *deviceBVH     // whose leaf order baked has
	baked   device.RayTree // of no handle: nothing is
	meshes  []device.RayTree
	corners map[int]device.Buffer // of meshes that deform: indices of vertices, in leaf order
	top     device.RayTree        // over instances; of no handle: there are none
	moves   int                   // of the instances when top was built
}

// ensure builds what is missing, or of another BVH, another place or another shape.
func (t *rayTrees) ensure(b rayTreeBuilder) error {
	if t.of == b.of && t.moves == b.instances.moves {
		return nil
	}
	if t.of != b.of {
		t.baked.Free(b.device)
		if b.of.triangles > 0 {
			var err error
			if t.baked, err = b.lasting(b.of.frame.Scene.Triangles, b.of.triangles); err != nil {
				return err
			}
		}
	}
	if t.meshes == nil {
		t.meshes, t.corners = make([]device.RayTree, len(b.instances.meshes)), map[int]device.Buffer{}
	}
	for i := range t.meshes {
		if err := t.mesh(b, i); err != nil {
			return err
		}
	}
	if err := t.place(b); err != nil {
		return err
	}
	t.of, t.moves = b.of, b.instances.moves
	return nil
}

// mesh builds the tree of a mesh: once, or of one that deforms with each pose.
func (t *rayTrees) mesh(b rayTreeBuilder, i int) (err error) {
	address, count := b.instances.meshes[i].Triangles, len(b.instances.of.meshes[i].triangles)
	if _, deforms := b.posing.of[i]; !deforms {
		if t.meshes[i].Handle == 0 {
			t.meshes[i], err = b.lasting(address, count)
		}
		return err
	}
	corners, known := t.corners[i]
	if !known {
		if corners, err = b.corners(address, count); err != nil {
			return err
		}
		t.corners[i] = corners
	}
	return b.hardware.RebuildTriangles(&t.meshes[i], b.mesh(corners, count))
}

// place builds the tree over instances where they stand.
func (t *rayTrees) place(b rayTreeBuilder) error {
	in := b.instances
	var stand []device.RayInstance
	for i := range in.stand {
		if in.hidden == nil || !in.hidden[i] {
			stand = append(stand, t.meshes[in.of.scene.Instances[i].Mesh].Placed(in.stand[i].ToWorld, i))
		}
	}
	if len(in.stand) > 0 && t.baked.Handle != 0 {
		identity := [3][4]float32{{0: 1}, {1: 1}, {2: 1}}
		stand = append(stand, t.baked.Placed(identity, len(in.stand))) // no instance has that id
	}
	if len(stand) == 0 {
		t.top.Free(b.device)
		return nil
	}
	return b.hardware.RebuildInstances(&t.top, stand)
}

// handle is what rays are traced through; 0 where there is nothing to hit.
func (t *rayTrees) handle() uint64 {
	if t.top.Handle != 0 {
		return t.top.Handle
	}
	return t.baked.Handle
}

func (t *rayTrees) bytes() (bytes int) {
	for _, tree := range append([]device.RayTree{t.baked, t.top}, t.meshes...) {
		bytes += tree.Bytes()
	}
	for _, corners := range t.corners {
		bytes += corners.Size
	}
	return bytes
}

// free gives the memory back.
func (t *rayTrees) free(d device.Device) {
	for _, tree := range append([]device.RayTree{t.baked, t.top}, t.meshes...) {
		tree.Free(d)
	}
	for _, corners := range t.corners {
		d.Free(corners)
	}
	*t = rayTrees{}
}

// rayTreeBuilder builds trees over triangles that a device holds.
type rayTreeBuilder struct {
	device    device.Device
	hardware  *device.Hardware
	instances *instances
	posing    *posing
	of        *deviceBVH
	vertices  uint64 // those of all triangles
	opaque    bool   // no triangle is tested for alpha
}

// lasting builds a tree over triangles in leaf order that keep their shape.
func (b rayTreeBuilder) lasting(address uint64, count int) (tree device.RayTree, err error) {
	corners, err := b.corners(address, count)
	if err != nil {
		return tree, err
	}
	defer b.device.Free(corners)
	return b.hardware.BuildTriangles(b.mesh(corners, count))
}

func (b rayTreeBuilder) mesh(corners device.Buffer, count int) device.TriangleMesh {
	g := b.instances.of
	return device.TriangleMesh{Vertices: b.vertices, VertexCount: len(g.vertices), VertexSize: device.SizeOf[cuda.Vertex](),
		Indices: corners, Triangles: count, Opaque: b.opaque}
}

// corners lists the vertices of triangles in leaf order.
func (b rayTreeBuilder) corners(address uint64, count int) (corners device.Buffer, err error) {
	if corners, err = b.device.Alloc(count * 3 * 4); err != nil {
		return corners, err
	}
	build := []cuda.TreeBuild{{Faces: uint32(count), Source: address, Values: corners.Address}}
	table, err := b.device.Alloc(len(device.BytesOf(build)))
	if err != nil {
		b.device.Free(corners)
		return corners, err
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
		b.device.Free(corners)
	}
	return corners, err
}
