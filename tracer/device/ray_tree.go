package device

import "glint/cuda/optix"

// RayTree is what hardware finds hits by. The zero value is none.
type RayTree struct {
	Handle uint64

	memory Buffer
	room   Buffer // to build it in, where that is done again and again
	table  Buffer // of the instances that it is over
}

// Bytes is what it takes of the device's memory.
func (t *RayTree) Bytes() int { return t.memory.Size + t.room.Size + t.table.Size }

// Free gives its memory back.
func (t *RayTree) Free(m Memory) {
	for _, b := range []Buffer{t.memory, t.room, t.table} {
		m.Free(b)
	}
	*t = RayTree{}
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

func (m *TriangleMesh) input() optix.Input {
	return optix.Triangles(m.Vertices, m.VertexCount, m.VertexSize, m.Indices.Address, m.Triangles, m.Opaque)
}

// BuildTriangles builds the tree of a mesh that keeps its shape, and waits for it.
func (h *Hardware) BuildTriangles(of TriangleMesh) (tree RayTree, err error) {
	m, in := h.memory, of.input()
	sizes, err := h.context.TreeSizes(in, optix.Lasting)
	if err != nil {
		return tree, err
	}
	var temporary, answer Buffer
	if err := Allocate(m, []Allocation{{&temporary, int(sizes.Temporary)}, {&tree.memory, int(sizes.Output)}, {&answer, 8}}); err != nil {
		return tree, err
	}
	compacted := make([]uint64, 1)
	tree.Handle, err = h.context.Build(h.stream.Handle(), in, optix.Lasting, treeMemory(temporary), treeMemory(tree.memory), answer.Address)
	if err == nil {
		err = m.Download(answer, BytesOf(compacted))
	}
	m.Free(temporary)
	m.Free(answer)
	if err != nil {
		tree.Free(m)
		return tree, err
	}
	return h.compact(tree, int(compacted[0]))
}

// compact moves a tree into as much memory as it needs, where that is worth it and there is room for both.
func (h *Hardware) compact(tree RayTree, bytes int) (RayTree, error) {
	m := h.memory
	if bytes <= 0 || bytes > tree.memory.Size*9/10 {
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
	tree.Free(m)
	if err != nil {
		m.Free(small)
		return RayTree{}, err
	}
	return RayTree{Handle: handle, memory: small}, nil
}

// RebuildTriangles queues the building of the tree of a mesh that deforms, in place of its last one. That takes about as long as to move
// the boxes of the last one, and rays do not get slower from pose to pose.
func (h *Hardware) RebuildTriangles(t *RayTree, of TriangleMesh) error {
	return h.rebuild(t, of.input())
}

// RebuildInstances queues the building of the tree over trees that stand somewhere, in place of the last one. There is at least one.
func (h *Hardware) RebuildInstances(t *RayTree, stand []RayInstance) error {
	rows := BytesOf(stand)
	if err := h.grow(&t.table, len(rows)); err != nil {
		return err
	}
	if err := h.memory.Upload(t.table, rows); err != nil {
		return err
	}
	return h.rebuild(t, optix.Instances(t.table.Address, len(stand)))
}

func (h *Hardware) rebuild(t *RayTree, in optix.Input) error {
	sizes, err := h.context.TreeSizes(in, optix.Passing)
	if err != nil {
		return err
	}
	if err := h.grow(&t.memory, int(sizes.Output)); err != nil {
		return err
	}
	if err := h.grow(&t.room, int(sizes.Temporary)); err != nil {
		return err
	}
	t.Handle, err = h.context.Build(h.stream.Handle(), in, optix.Passing, treeMemory(t.room), treeMemory(t.memory), 0)
	return err
}

// grow makes a buffer at least so large. What it held is gone then.
func (h *Hardware) grow(b *Buffer, bytes int) (err error) {
	if b.Size >= bytes {
		return nil
	}
	h.memory.Free(*b) // which waits for what reads it
	*b = Buffer{}
	*b, err = h.memory.Alloc(bytes)
	return err
}

func treeMemory(b Buffer) optix.TreeMemory {
	return optix.TreeMemory{Address: b.Address, Size: uint64(b.Size)}
}

// RayInstance is a tree that stands somewhere.
type RayInstance = optix.Instance

// Placed is a tree that stands somewhere: what hits say of it is its id.
func (t *RayTree) Placed(toWorld [3][4]float32, id int) RayInstance {
	return RayInstance{Tree: t.Handle, ToWorld: toWorld, ID: uint32(id), Mask: 0xff}
}
