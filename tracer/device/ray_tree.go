package device

import "glint/cuda/optix"

// RayTree is what hardware finds hits by.
type RayTree struct {
	Handle uint64
	Memory Buffer
}

// TriangleMesh is what a tree is built over, on the device: Triangles triples of indices into vertices. Opaque: rays pass none of them.
type TriangleMesh struct {
	Vertices    uint64
	VertexCount int
	Indices     Buffer
	Triangles   int
	VertexSize  int
	Opaque      bool
}

// BuildTriangles builds the tree of a mesh.
func (h *Hardware) BuildTriangles(m TriangleMesh) (RayTree, error) {
	return h.build(optix.Triangles(m.Vertices, m.VertexCount, m.VertexSize, m.Indices.Address, m.Triangles, m.Opaque))
}

// BuildInstances builds the tree over trees that stand somewhere.
func (h *Hardware) BuildInstances(stand []optix.Instance) (RayTree, error) {
	table, err := h.device.Alloc(len(BytesOf(stand)))
	if err != nil {
		return RayTree{}, err
	}
	defer h.device.Free(table)
	if err := h.device.Upload(table, BytesOf(stand)); err != nil {
		return RayTree{}, err
	}
	return h.build(optix.Instances(table.Address, len(stand)))
}

// build builds a tree and waits for it.
func (h *Hardware) build(in optix.Input) (tree RayTree, err error) {
	d := h.device
	sizes, err := h.context.TreeSizes(in)
	if err != nil {
		return tree, err
	}
	var temporary, output, answer Buffer
	list := []Allocation{{&temporary, int(sizes.Temporary)}, {&output, int(sizes.Output)}, {&answer, 8}}
	if err := Allocate(d, list); err != nil {
		return tree, err
	}
	compacted := make([]uint64, 1)
	handle, err := h.context.Build(d.stream.Handle(), in, treeMemory(temporary), treeMemory(output), answer.Address)
	if err == nil {
		err = d.Download(answer, BytesOf(compacted))
	}
	d.Free(temporary)
	d.Free(answer)
	if err != nil {
		d.Free(output)
		return tree, err
	}
	return h.compact(RayTree{handle, output}, int(compacted[0]))
}

// compact moves a tree into as much memory as it needs, where that is worth it and there is room for both.
func (h *Hardware) compact(tree RayTree, bytes int) (RayTree, error) {
	d := h.device
	if bytes <= 0 || bytes > tree.Memory.Size*9/10 {
		return tree, nil
	}
	small, err := d.Alloc(bytes)
	if err != nil {
		return tree, nil //nolint:nilerr // it stays as it is
	}
	handle, err := h.context.Compact(d.stream.Handle(), tree.Handle, treeMemory(small))
	if err == nil {
		err = d.Sync()
	}
	d.Free(tree.Memory)
	if err != nil {
		d.Free(small)
		return RayTree{}, err
	}
	return RayTree{handle, small}, nil
}

func treeMemory(b Buffer) optix.TreeMemory {
	return optix.TreeMemory{Address: b.Address, Size: uint64(b.Size)}
}

// Instance is a tree that stands somewhere: what hits say of it is its id.
func Instance(t RayTree, toWorld [3][4]float32, id int) optix.Instance {
	return optix.Instance{Tree: t.Handle, ToWorld: toWorld, ID: uint32(id), Mask: 0xff}
}
