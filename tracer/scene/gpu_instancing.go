package scene

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

const gpuInstancing = "EXT_mesh_gpu_instancing"

// copyRow is an attribute of EXT_mesh_gpu_instancing: its components, and how a copy's node takes them.
type copyRow struct {
	name       string
	components int
	set        func(n *gltf.Node, v []float32)
}

func copyTable() []copyRow {
	return []copyRow{
		{"TRANSLATION", 3, func(n *gltf.Node, v []float32) { widen(n.Translation[:], v) }},
		{"ROTATION", 4, func(n *gltf.Node, v []float32) { widen(n.Rotation[:], v) }},
		{"SCALE", 3, func(n *gltf.Node, v []float32) { widen(n.Scale[:], v) }},
	}
}

// readCopies are the matrices by which a node draws its mesh in its own space: the identity, or one for each copy of
// EXT_mesh_gpu_instancing.
func readCopies(doc *document, n *gltf.Node) ([]mgl64.Mat4, error) {
	ext := struct{ Attributes map[string]int }{}
	if err := decodeExtension(n.Extensions, gpuInstancing, &ext); err != nil {
		return nil, err
	}
	var nodes []gltf.Node
	for _, row := range copyTable() {
		index, ok := ext.Attributes[row.name]
		if !ok {
			continue
		}
		v, err := readCopyAttribute(doc, row, index)
		if err == nil && nodes != nil && len(v) != row.components*len(nodes) {
			err = fmt.Errorf("has %d elements, another attribute %d", len(v)/row.components, len(nodes))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", gpuInstancing, row.name, err)
		}
		if nodes == nil {
			nodes = identities(len(v) / row.components)
		}
		for i := range nodes {
			row.set(&nodes[i], v[i*row.components:])
		}
	}
	if nodes == nil {
		return []mgl64.Mat4{mgl64.Ident4()}, nil
	}
	out := make([]mgl64.Mat4, len(nodes))
	for i := range nodes {
		out[i] = localMatrix(&nodes[i])
	}
	return out, nil
}

// copyBytes is what a copy takes while it is read.
const copyBytes = 1024

func readCopyAttribute(doc *document, row copyRow, index int) ([]float32, error) {
	if index < 0 || index >= len(doc.Accessors) {
		return nil, fmt.Errorf("accessor %d does not exist: the file has %d", index, len(doc.Accessors))
	}
	a, err := doc.accessor(index)
	if err != nil {
		return nil, err
	}
	if a.components != row.components || doc.isMatrix(index) {
		return nil, fmt.Errorf("accessor %d has %d components, not %d", index, a.components, row.components)
	}
	if err := orElse(doc.reserve(a), doc.scratch.Take("copies", int64(a.count)*copyBytes)); err != nil {
		return nil, fmt.Errorf("accessor %d: %w", index, err)
	}
	a.normalized = true // fractions, where they are integers
	return a.floats(), nil
}

// identities are nodes that change nothing.
func identities(n int) []gltf.Node {
	out := make([]gltf.Node, n)
	for i := range out {
		out[i] = gltf.Node{Matrix: gltf.DefaultMatrix, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
	}
	return out
}
