// Package meshopt decodes the compressed buffer views of the glTF extensions EXT_meshopt_compression and
// KHR_meshopt_compression, as the appendices of these specify them.
package meshopt

import (
	"context"
	"fmt"
)

// Decode decodes data into out, of layout.Bytes() bytes, for a layout without fault. It ends early when ctx does.
func Decode(ctx context.Context, out, data []byte, layout Layout) error {
	if err := layout.Check(); err != nil {
		return err
	}
	if len(out) != layout.Bytes() {
		return fmt.Errorf("room for %d bytes, not for %d", len(out), layout.Bytes())
	}
	switch layout.Mode {
	case Attributes:
		return decodeAttributes(ctx, out, data, layout)
	case Triangles:
		return decodeTriangles(ctx, out, data, layout.Stride)
	case Indices:
		return decodeIndices(ctx, out, data, layout.Stride)
	}
	return fmt.Errorf("mode %d is unknown", layout.Mode)
}
