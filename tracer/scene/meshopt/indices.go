package meshopt

import (
	"context"
	"encoding/binary"
	"errors"
)

const (
	trianglesHeader = 0xe1
	indicesHeader   = 0xd1
	codeTable       = 16      // bytes at the end of a stream of triangles
	indicesTail     = 4       // bytes at the end of a stream of indices
	betweenLooks    = 1 << 16 // elements between two looks at whether anybody still wants them
)

// varint reads a number of up to 32 bits, seven a byte (LEB128).
func varint(data []byte, at int) (v uint32, next int, err error) {
	for shift := 0; shift < 35; shift += 7 {
		if at >= len(data) {
			return 0, at, errShort
		}
		b := data[at]
		at++
		v |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return v, at, nil
		}
	}
	return 0, at, errors.New("a number has more than five bytes")
}

// unzigzag undoes the folding of signed numbers into unsigned ones.
func unzigzag(v uint32) uint32 { return v>>1 ^ -(v & 1) }

func putIndex(out []byte, stride int, v uint32) {
	if stride == 2 {
		binary.LittleEndian.PutUint16(out, uint16(v))
	} else {
		binary.LittleEndian.PutUint32(out, v)
	}
}

// decodeIndices decodes mode 2.
func decodeIndices(ctx context.Context, out, data []byte, stride int) error {
	if len(data) < 1+indicesTail {
		return errShort
	}
	if data[0] != indicesHeader {
		return errHeader
	}
	data = data[:len(data)-indicesTail]
	var last [2]uint32
	at := 1
	for n := 0; len(out) > 0; n++ {
		if n%betweenLooks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, next, err := varint(data, at)
		if err != nil {
			return err
		}
		at = next
		which := v & 1
		last[which] += unzigzag(v >> 1)
		putIndex(out, stride, last[which])
		out = out[stride:]
	}
	if at != len(data) {
		return errRest
	}
	return nil
}

// triangleReader is what a stream of triangles (mode 1) refers back to.
type triangleReader struct {
	data     []byte // that codes ask for
	at       int
	next     uint32 // vertex that no triangle has had
	last     uint32 // vertex that was stored
	edges    [16][2]uint32
	vertices [16]uint32
	pushed   struct{ edges, vertices uint }
	err      error // the first
}

var errFuture = errors.New("a triangle refers to what has not been decoded")

func decodeTriangles(ctx context.Context, out, data []byte, stride int) error {
	count := len(out) / stride / 3
	if len(data) < 1+count+codeTable {
		return errShort
	}
	if data[0] != trianglesHeader {
		return errHeader
	}
	table := (*[codeTable]byte)(data[len(data)-codeTable:])
	if table[14] != 0 || table[15] != 0 {
		return errors.New("the table of codes does not end in zeros")
	}
	for _, v := range table {
		if v&15 == 15 || v>>4 == 15 {
			return errors.New("the table of codes has a code that must not be there")
		}
	}
	codes := data[1 : 1+count]
	r := triangleReader{data: data[1+count : len(data)-codeTable]}
	for n, code := range codes {
		if n%betweenLooks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var a, b, c uint32
		if code < 0xf0 {
			a, b, c = r.beside(code)
		} else {
			a, b, c = r.fresh(code, table)
		}
		if r.err != nil {
			return r.err
		}
		putIndex(out, stride, a)
		putIndex(out[stride:], stride, b)
		putIndex(out[2*stride:], stride, c)
		out = out[3*stride:]
	}
	if r.at != len(r.data) {
		return errRest
	}
	return nil
}

// beside reads a triangle that shares an edge with a recent one.
func (r *triangleReader) beside(code byte) (a, b, c uint32) {
	edge := uint(code >> 4)
	if edge >= r.pushed.edges {
		r.err = errFuture
	}
	e := r.edges[(r.pushed.edges-1-edge)&15]
	a, b = e[0], e[1]
	switch third := code & 15; third {
	case 0:
		c = r.fromNext()
		r.pushVertex(c)
	case 13:
		r.last--
		c = r.last
		r.pushVertex(c)
	case 14:
		r.last++
		c = r.last
		r.pushVertex(c)
	case 15:
		c = r.stored()
		r.pushVertex(c)
	default:
		c = r.recent(third)
	}
	r.pushEdge(c, b)
	r.pushEdge(a, c)
	return a, b, c
}

// fresh reads a triangle that shares no recent edge.
func (r *triangleReader) fresh(code byte, table *[codeTable]byte) (a, b, c uint32) {
	how := table[code&15]
	if code >= 0xfe {
		if r.at >= len(r.data) {
			r.err = errShort
			return 0, 0, 0
		}
		how = r.data[r.at]
		r.at++
		if how == 0 {
			r.next = 0
		}
	}
	if code == 0xff {
		a = r.stored()
	} else {
		a = r.fromNext()
	}
	second, third := how>>4, how&15
	b = r.corner(second)
	c = r.corner(third)
	r.pushEdge(b, a)
	r.pushEdge(c, b)
	r.pushEdge(a, c)
	r.pushVertex(a)
	if second == 0 || second == 15 {
		r.pushVertex(b)
	}
	if third == 0 || third == 15 {
		r.pushVertex(c)
	}
	return a, b, c
}

// corner is a vertex of a triangle: a new one, a recent one or one that is stored.
func (r *triangleReader) corner(how byte) uint32 {
	switch how {
	case 0:
		return r.fromNext()
	case 15:
		return r.stored()
	}
	return r.recent(how - 1)
}

func (r *triangleReader) fromNext() uint32 {
	r.next++
	return r.next - 1
}

func (r *triangleReader) stored() uint32 {
	v, next, err := varint(r.data, r.at)
	if err != nil {
		r.err = err
	}
	r.at = next
	r.last += unzigzag(v)
	return r.last
}

// recent is a vertex counted back from the last that was pushed, which is 0.
func (r *triangleReader) recent(back byte) uint32 {
	if uint(back) >= r.pushed.vertices {
		r.err = errFuture
	}
	return r.vertices[(r.pushed.vertices-1-uint(back))&15]
}

func (r *triangleReader) pushVertex(v uint32) {
	r.vertices[r.pushed.vertices&15] = v
	r.pushed.vertices++
}

func (r *triangleReader) pushEdge(a, b uint32) {
	r.edges[r.pushed.edges&15] = [2]uint32{a, b}
	r.pushed.edges++
}
