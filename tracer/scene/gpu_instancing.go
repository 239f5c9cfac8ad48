package scene

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

const gpuInstancing = "EXT_mesh_gpu_instancing"

// copyTable are the attributes of EXT_mesh_gpu_instancing: their components, and how a copy's node takes them.
var copyTable = []struct {
	name       string
	components int
	set        func(n *gltf.Node, v []float32)
}{
	{"TRANSLATION", 3, func(n *gltf.Node, v []float32) { widen(n.Translation[:], v) }},
	{"ROTATION", 4, func(n *gltf.Node, v []float32) { widen(n.Rotation[:], v) }},
	{"SCALE", 3, func(n *gltf.Node, v []float32) { widen(n.Scale[:], v) }},
}

// readCopies are the matrices by which a node draws its mesh in its own space: the identity, or one for each copy of
// EXT_mesh_gpu_instancing.
func readCopies(doc *document, n *gltf.Node) ([]mgl64.Mat4, error) {
	once := []mgl64.Mat4{mgl64.Ident4()} // also where copies cannot be read
	ext := struct{ Attributes map[string]int }{}
	if err := decodeExtension(n.Extensions, gpuInstancing, &ext); err != nil {
		return once, err
	}
	var nodes []gltf.Node
	for _, row := range copyTable {
		index, ok := ext.Attributes[row.name]
		if !ok {
			continue
		}
		v, err := readCopyAttribute(doc, row.components, index)
		if err == nil && nodes != nil && len(v) != row.components*len(nodes) {
			err = fmt.Errorf("has %d elements, another attribute %d", len(v)/row.components, len(nodes))
		}
		if err != nil {
			return once, fmt.Errorf("%s: %s: %w", gpuInstancing, row.name, err)
		}
		if nodes == nil { // they change nothing yet
			nodes = slices.Repeat([]gltf.Node{{Matrix: gltf.DefaultMatrix, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}}, len(v)/row.components)
		}
		for i := range nodes {
			row.set(&nodes[i], v[i*row.components:])
		}
	}
	if nodes == nil {
		return once, nil
	}
	out := make([]mgl64.Mat4, len(nodes))
	for i := range nodes {
		out[i] = localMatrix(&nodes[i])
	}
	return out, nil
}

// copyBytes is what a copy takes while it is read.
const copyBytes = 1024

func readCopyAttribute(doc *document, components, index int) ([]float32, error) {
	if index < 0 || index >= len(doc.Accessors) {
		return nil, fmt.Errorf("accessor %d does not exist: the file has %d", index, len(doc.Accessors))
	}
	a, err := doc.accessor(index)
	if err != nil {
		return nil, err
	}
	if a.components != components || doc.isMatrix(index) {
		return nil, fmt.Errorf("accessor %d has %d components, not %d", index, a.components, components)
	}
	if err := cmp.Or(doc.reserve(a), doc.scratch.Take("copies", int64(a.count)*copyBytes)); err != nil {
		return nil, fmt.Errorf("accessor %d: %w", index, err)
	}
	a.normalized = true // fractions, where they are integers
	return a.floats(), nil
}
