package scene

import (
	"errors"
	"fmt"
	"slices"

	"github.com/qmuntal/gltf"

	"glint/tracer/scene/meshopt"
)

// meshoptNames are the names of one extension: by the second, the newer one, it has more filters and a second version of a codec.
var meshoptNames = []string{"EXT_meshopt_compression", "KHR_meshopt_compression"}

// compressedView is what the extension says of a buffer view: where its elements are, and how they are stored.
type compressedView struct {
	Buffer                 *int
	ByteOffset, ByteLength int
	ByteStride, Count      int
	Mode, Filter           string
}

// isCompressed tells whether a buffer view or a buffer has the extension.
func isCompressed(ext gltf.Extensions) bool {
	return slices.ContainsFunc(meshoptNames, func(name string) bool { return ext[name] != nil })
}

// decodeMeshopt reads the extension, by whatever name, into v.
func decodeMeshopt(ext gltf.Extensions, v any) error {
	for _, name := range meshoptNames {
		if err := decodeExtension(ext, name, v); err != nil {
			return err
		}
	}
	return nil
}

// findStandIns tells of each buffer whether it is there for loaders without the extension: nothing that is read is in it.
func findStandIns(doc *gltf.Document) []bool {
	const used, standsIn = 1, 2
	of := make([]int, len(doc.Buffers))
	for i, b := range doc.Buffers {
		var marked struct{ Fallback bool }
		if decodeMeshopt(b.Extensions, &marked) == nil && marked.Fallback {
			of[i] |= standsIn
		}
	}
	for _, v := range doc.BufferViews {
		if v.Buffer < 0 {
			continue
		}
		if !isCompressed(v.Extensions) {
			of[v.Buffer] |= used
			continue
		}
		of[v.Buffer] |= standsIn
		var c compressedView
		if decodeMeshopt(v.Extensions, &c) == nil && c.Buffer != nil && *c.Buffer >= 0 && *c.Buffer < len(of) {
			of[*c.Buffer] |= used
		}
	}
	out := make([]bool, len(of))
	for i := range of {
		out[i] = of[i] == standsIn
	}
	return out
}

// layout checks what the file says of the compressed elements.
func (c compressedView) layout() (meshopt.Layout, error) {
	modes := []string{meshopt.Attributes: "ATTRIBUTES", meshopt.Triangles: "TRIANGLES", meshopt.Indices: "INDICES"}
	filters := []string{
		meshopt.None: "NONE", meshopt.Octahedral: "OCTAHEDRAL", meshopt.Quaternion: "QUATERNION",
		meshopt.Exponential: "EXPONENTIAL", meshopt.Color: "COLOR",
	}
	mode, filter := slices.Index(modes, c.Mode), slices.Index(filters, c.Filter)
	if c.Filter == "" {
		filter = int(meshopt.None)
	}
	layout := meshopt.Layout{Mode: meshopt.Mode(mode), Filter: meshopt.Filter(filter), Count: c.Count, Stride: c.ByteStride}
	switch {
	case mode < 0:
		return layout, fmt.Errorf("compression mode %s is unknown", describe(c.Mode))
	case filter < 0:
		return layout, fmt.Errorf("compression filter %s is unknown", describe(c.Filter))
	}
	return layout, layout.Check()
}

var errStandIn = errors.New("holds what compressed buffer views stand for, and nothing else")
