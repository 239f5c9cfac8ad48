package optix

import (
	"unsafe"
)

// Input is what a tree is built over.
type Input struct {
	triangles *triangleInput
	instances *instanceInput
}

// Triangles are so many triples of indices into vertices, all at addresses of the device. A vertex begins with its position. Opaque are
// those for which no any hit program is called.
func Triangles(vertices uint64, count, stride int, indices uint64, triangles int, opaque bool) Input {
	flags := new(uint32)
	if opaque {
		*flags = noAnyHit
	}
	return Input{triangles: &triangleInput{kind: trianglesInput, vertices: &vertices, count: uint32(count), format: float3Format,
		stride: uint32(stride), indices: indices, triplets: uint32(triangles), indexFormat: uint3Format, indexStride: 12, flags: flags, records: 1}}
}

// Instances are so many of type Instance, at an address of the device.
func Instances(at uint64, count int) Input {
	return Input{instances: &instanceInput{kind: instancesInput, at: at, count: uint32(count)}}
}

func (i Input) pointer() unsafe.Pointer {
	if i.triangles != nil {
		return unsafe.Pointer(i.triangles)
	}
	return unsafe.Pointer(i.instances)
}

// Quality is what a tree is built for.
type Quality int

// The qualities.
const (
	Lasting Quality = iota // it may be compacted, and is traced through for long
	Passing                // it is built again for the next frame
)

func (q Quality) options() *buildOptions {
	flags := uint32(fastTrace | mayCompact)
	if q == Passing {
		flags = fastBuild
	}
	return &buildOptions{flags: flags, operation: operationBuild}
}

// TreeSizes tells what a tree will take.
func (c *Context) TreeSizes(in Input, q Quality) (s Sizes, err error) {
	sizes := &Sizes{}
	err = c.lib.call(treeMemory, c.handle, uintptr(unsafe.Pointer(q.options())), uintptr(in.pointer()), 1, uintptr(unsafe.Pointer(sizes)))
	return *sizes, err
}

// TreeMemory is memory of the device for a tree, at multiples of 128 bytes.
type TreeMemory struct{ Address, Size uint64 }

// Build queues the building of a tree. What a lasting one takes when compacted will lie at an address of the device, 8 bytes.
func (c *Context) Build(stream uintptr, in Input, q Quality, temporary, output TreeMemory, compacted uint64) (tree uint64, err error) {
	handle := new(uint64)
	var answer *emitted // where none is wanted, OptiX refuses an address
	var answers uintptr
	if q == Lasting {
		answer, answers = &emitted{result: compacted, kind: compactedSize}, 1
	}
	err = c.lib.call(treeBuild, c.handle, stream, uintptr(unsafe.Pointer(q.options())), uintptr(in.pointer()), 1,
		uintptr(temporary.Address), uintptr(temporary.Size), uintptr(output.Address), uintptr(output.Size), uintptr(unsafe.Pointer(handle)),
		uintptr(unsafe.Pointer(answer)), answers)
	return *handle, answered(err, treeBuild, handle)
}

// Compact queues the copy of a tree into less memory.
func (c *Context) Compact(stream uintptr, tree uint64, output TreeMemory) (compacted uint64, err error) {
	handle := new(uint64)
	err = c.lib.call(treeCompact, c.handle, stream, uintptr(tree), uintptr(output.Address), uintptr(output.Size), uintptr(unsafe.Pointer(handle)))
	return *handle, answered(err, treeCompact, handle)
}
