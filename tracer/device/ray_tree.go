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
func (h *Hardware) BuildTriangles(of TriangleMesh) (RayTree, error) {
	return h.build(optix.Triangles(of.Vertices, of.VertexCount, of.VertexSize, of.Indices.Address, of.Triangles, of.Opaque))
}

// BuildInstances builds the tree over trees that stand somewhere.
func (h *Hardware) BuildInstances(stand []RayInstance) (RayTree, error) {
	table, err := h.memory.Alloc(len(BytesOf(stand)))
	if err != nil {
		return RayTree{}, err
	}
	defer h.memory.Free(table)
	if err := h.memory.Upload(table, BytesOf(stand)); err != nil {
		return RayTree{}, err
	}
	return h.build(optix.Instances(table.Address, len(stand)))
}

// build builds a tree and waits for it.
func (h *Hardware) build(in optix.Input) (tree RayTree, err error) {
	m := h.memory
	sizes, err := h.context.TreeSizes(in)
	if err != nil {
		return tree, err
	}
	var temporary, output, answer Buffer
	list := []Allocation{{&temporary, int(sizes.Temporary)}, {&output, int(sizes.Output)}, {&answer, 8}}
	if err := Allocate(m, list); err != nil {
		return tree, err
	}
	compacted := make([]uint64, 1)
	handle, err := h.context.Build(h.stream.Handle(), in, treeMemory(temporary), treeMemory(output), answer.Address)
	if err == nil {
		err = m.Download(answer, BytesOf(compacted))
	}
	m.Free(temporary)
	m.Free(answer)
	if err != nil {
		m.Free(output)
		return tree, err
	}
	return h.compact(RayTree{handle, output}, int(compacted[0]))
}

// compact moves a tree into as much memory as it needs, where that is worth it and there is room for both.
func (h *Hardware) compact(tree RayTree, bytes int) (RayTree, error) {
	m := h.memory
	if bytes <= 0 || bytes > tree.Memory.Size*9/10 {
		return tree, nil
	}
	small, err := m.Alloc(bytes)
	if err != nil {
		return tree, nil //nolint:nilerr // it stays as it is
	}
	handle, err := h.context.Compact(h.stream.Handle(), tree.Handle, treeMemory(small))
	if err == nil {
		err = h.stream.Synchronize()
	}
	m.Free(tree.Memory)
	if err != nil {
		m.Free(small)
		return RayTree{}, err
	}
	return RayTree{handle, small}, nil
}

func treeMemory(b Buffer) optix.TreeMemory {
	return optix.TreeMemory{Address: b.Address, Size: uint64(b.Size)}
}

// RayInstance is a tree that stands somewhere.
type RayInstance = optix.Instance

// Placed is a tree that stands somewhere: what hits say of it is its id.
func (t RayTree) Placed(toWorld [3][4]float32, id int) RayInstance {
	return RayInstance{Tree: t.Handle, ToWorld: toWorld, ID: uint32(id), Mask: 0xff}
}
