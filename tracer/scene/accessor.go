package scene

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// accessor is a checked view of typed elements: every index below count stays inside data.
type accessor struct {
	data       []byte // from the first element on; nil when the elements start as zeros
	stride     int
	count      int
	components int
	kind       gltf.ComponentType
	normalized bool
	sparse     *sparse
}

// sparse replaces single elements (glTF 2.0 §3.6.2.3).
type sparse struct {
	indices []uint32
	values  accessor
}

// accessor checks accessor i against its buffers; nothing is read yet.
func (d *document) accessor(i int) (accessor, error) {
	src := d.Accessors[i]
	if err := d.broken("accessors[%d]", i); err != nil {
		return accessor{}, fmt.Errorf("%s: %w", label("accessor", i, src.Name), err)
	}
	if data, ok := d.dracoData[i]; ok {
		return accessor{
			data: data, stride: src.Type.Components() * src.ComponentType.ByteSize(), count: src.Count,
			components: src.Type.Components(), kind: src.ComponentType, normalized: src.Normalized,
		}, nil
	}
	a, err := d.view(src.BufferView, src.ByteOffset, src.Count, src.ComponentType, src.Type)
	if err == nil && src.Sparse != nil {
		a.sparse, err = d.sparse(src)
	}
	if err != nil {
		return a, fmt.Errorf("%s: %w", label("accessor", i, src.Name), err)
	}
	a.normalized = src.Normalized
	return a, nil
}

func (d *document) view(view *int, offset, count int, kind gltf.ComponentType, shape gltf.AccessorType) (accessor, error) {
	const most = math.MaxUint32 // vertices are addressed by 32 bits
	a := accessor{count: count, components: shape.Components(), kind: kind}
	size := elementSize(kind, shape)
	if count > most {
		return a, fmt.Errorf("count %d is more than %d", count, uint32(most))
	}
	if view == nil {
		a.stride = size
		return a, nil
	}
	data, err := d.bufferView(*view)
	if err != nil {
		return a, err
	}
	if a.stride = d.BufferViews[*view].ByteStride; a.stride == 0 {
		a.stride = size
	}
	if a.stride < size || a.stride > 1<<20 {
		return a, fmt.Errorf("byteStride %d of buffer view %d does not fit elements of %d bytes", a.stride, *view, size)
	}
	if offset > len(data) || (count-1)*a.stride+size > len(data)-offset {
		return a, fmt.Errorf("%d elements %d bytes apart from byte %d on do not fit buffer view %d of %d bytes",
			count, a.stride, offset, *view, len(data))
	}
	a.data = data[offset:]
	return a, nil
}

func (d *document) sparse(src *gltf.Accessor) (*sparse, error) {
	s := src.Sparse
	if s.Count > src.Count {
		return nil, fmt.Errorf("sparse count %d is more than count %d", s.Count, src.Count)
	}
	at, err := d.view(&s.Indices.BufferView, s.Indices.ByteOffset, s.Count, s.Indices.ComponentType, gltf.AccessorScalar)
	if err != nil {
		return nil, fmt.Errorf("sparse indices: %w", err)
	}
	values, err := d.view(&s.Values.BufferView, s.Values.ByteOffset, s.Count, src.ComponentType, src.Type)
	if err != nil {
		return nil, fmt.Errorf("sparse values: %w", err)
	}
	if err := d.scratch.Take("sparse indices", int64(s.Count)*4); err != nil {
		return nil, err
	}
	out := &sparse{indices: at.integers(), values: values}
	for _, i := range out.indices {
		if int(i) >= src.Count {
			return nil, fmt.Errorf("sparse index %d is out of range: count is %d", i, src.Count)
		}
	}
	return out, nil
}

// elementSize is in bytes; columns of matrices start at multiples of four (glTF 2.0 §3.6.2.4).
func elementSize(kind gltf.ComponentType, shape gltf.AccessorType) int {
	column := func(n int) int { return (n*kind.ByteSize() + 3) &^ 3 }
	switch shape {
	case gltf.AccessorMat2:
		return 2 * column(2)
	case gltf.AccessorMat3:
		return 3 * column(3)
	case gltf.AccessorMat4:
		return 4 * column(4)
	default:
		return shape.Components() * kind.ByteSize()
	}
}

// floats reads every element as a.components numbers, tightly packed; integers are scaled when normalized (§3.11).
func (a accessor) floats() []float32 {
	scale, lowest := float32(1), float32(math.Inf(-1))
	if a.normalized && a.kind.ByteSize() < 4 {
		most := map[gltf.ComponentType]float32{gltf.ComponentByte: math.MaxInt8, gltf.ComponentUbyte: math.MaxUint8,
			gltf.ComponentShort: math.MaxInt16, gltf.ComponentUshort: math.MaxUint16}
		scale, lowest = 1/most[a.kind], -1
	}
	return readElements(a, func(to []float32, src []byte) {
		switch a.kind {
		case gltf.ComponentFloat:
			for c := range to {
				to[c] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*c:]))
			}
		case gltf.ComponentByte:
			for c := range to {
				to[c] = max(float32(int8(src[c]))*scale, lowest)
			}
		case gltf.ComponentShort:
			for c := range to {
				to[c] = max(float32(int16(binary.LittleEndian.Uint16(src[2*c:])))*scale, lowest)
			}
		default:
			for c := range to {
				to[c] = float32(a.integer(src, c)) * scale
			}
		}
	})
}

// integers reads unsigned scalars or vectors: indices and joints.
func (a accessor) integers() []uint32 {
	return readElements(a, func(to []uint32, src []byte) {
		for c := range to {
			to[c] = a.integer(src, c)
		}
	})
}

// integer is an unsigned component of an element.
func (a *accessor) integer(src []byte, c int) uint32 {
	switch a.kind {
	case gltf.ComponentByte, gltf.ComponentUbyte:
		return uint32(src[c])
	case gltf.ComponentShort, gltf.ComponentUshort:
		return uint32(binary.LittleEndian.Uint16(src[2*c:]))
	}
	return binary.LittleEndian.Uint32(src[4*c:])
}

// readElements has one read each element, of its bytes, and puts those that are sparse in the places of others.
func readElements[T any](a accessor, one func(to []T, src []byte)) []T {
	n, size := a.components, a.components*a.kind.ByteSize()
	out := guard.MakeLarge[T](a.count * n)
	if a.data != nil {
		guard.All(a.count, func(i int) {
			one(out[i*n:][:n], a.data[i*a.stride:][:size])
		})
	}
	if s := a.sparse; s != nil {
		for i, at := range s.indices {
			one(out[int(at)*n:][:n], s.values.data[i*s.values.stride:][:size])
		}
	}
	return out
}

func (d *document) isMatrix(accessor int) bool {
	return d.Accessors[accessor].Type >= gltf.AccessorMat2
}

// reserve takes the memory of a read accessor from the budget. Elements that no buffer holds cost the file nothing, so
// they are bounded more tightly. It is given back only when the load is done, although it is not needed so long: that bounds
// the time as well, of a file that reads the same elements again and again.
func (d *document) reserve(a accessor) error {
	most := 1 << 20
	if a.sparse != nil {
		most = 1 << 24
	}
	if a.data == nil && a.count > most {
		return fmt.Errorf("%d elements without a buffer view: at most %d are taken", a.count, most)
	}
	const size = 4 // bytes: what is read becomes float32 or uint32
	return d.scratch.Take("its elements", int64(a.count)*int64(a.components)*size)
}

// audit reports broken objects that nothing drawn uses.
func (d *document) audit() {
	for i, b := range d.buffers {
		if b.err != nil && !b.standIn {
			d.warn.about(label("buffer", i, d.Buffers[i].Name), nil, "%v", b.err)
		}
	}
	for i := range d.BufferViews {
		if _, err := d.bufferView(i); err != nil && d.broken("bufferViews[%d]", i) == nil { // else it has been said
			d.warn.addError(err)
		}
	}
	for i := range d.Accessors {
		if _, err := d.accessor(i); err != nil && d.broken("accessors[%d]", i) == nil {
			d.warn.addError(err)
		}
	}
}
