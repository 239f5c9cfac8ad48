// Package draco decodes meshes that Draco compressed. The decoder is a library in C++, which may have faults that files from
// strangers could use, so it runs in processes of its own: the program starts itself again (IsChild, Child), with little memory
// and time and nothing open but two pipes. Whatever happens there is an error here.
//
//	func main() {
//		if draco.IsChild() {
//			os.Exit(draco.Child())
//		}
//		…
//	}
//
//	decoder := draco.NewDecoder(1 << 30)
//	defer decoder.Close()
//	mesh, err := decoder.Decode(ctx, request)
package draco

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
)

// addressSpace is how many bytes a child may have mapped at most.
const addressSpace = 4 << 30

// Component is the type of a number, by its code in glTF.
type Component uint32

// The types of numbers.
const (
	Int8    Component = 5120
	Uint8   Component = 5121
	Int16   Component = 5122
	Uint16  Component = 5123
	Uint32  Component = 5125
	Float32 Component = 5126
)

// Size is in bytes, 0 for what is no type.
func (c Component) Size() int {
	switch c {
	case Int8, Uint8:
		return 1
	case Int16, Uint16:
		return 2
	case Uint32, Float32:
		return 4
	}
	return 0
}

// Attribute is an attribute of vertices that is wanted.
type Attribute struct {
	ID         uint32 // in the compressed mesh
	Component  Component
	Components int // of a vertex
}

// Request is a compressed mesh, and what is known about it.
type Request struct {
	Data       []byte
	Vertices   int
	Triangles  int
	Attributes []Attribute
}

// Mesh is what was asked for: three indices a triangle, and each attribute's values side by side in little-endian order.
type Mesh struct {
	Indices    []byte // of 32 bits
	Attributes [][]byte
}

const (
	mostElements   = 1 << 27 // vertices or triangles: what they take fits 32 bits in the library
	mostAttributes = 256
	mostText       = 300 // bytes of an answer's words
	magic          = 0x32435244
)

// Check says what is wrong with a request; Bytes does not overflow where nothing is.
func (r Request) Check() error {
	if len(r.Data) == 0 || len(r.Data) > math.MaxInt32 {
		return fmt.Errorf("%d bytes of data", len(r.Data))
	}
	if r.Vertices < 1 || r.Vertices > mostElements || r.Triangles < 1 || r.Triangles > mostElements {
		return fmt.Errorf("%d vertices in %d triangles cannot be", r.Vertices, r.Triangles)
	}
	if len(r.Attributes) > mostAttributes {
		return fmt.Errorf("%d attributes are more than %d", len(r.Attributes), mostAttributes)
	}
	for _, a := range r.Attributes {
		if a.Component.Size() == 0 || a.Components < 1 || a.Components > 4 {
			return fmt.Errorf("an attribute of %d numbers of type %d cannot be", a.Components, a.Component)
		}
	}
	return nil
}

// Bytes is the size of the answer.
func (r Request) Bytes() int64 {
	bytes := 12 * int64(r.Triangles)
	for _, a := range r.Attributes {
		bytes += int64(r.attributeBytes(a))
	}
	return bytes
}

func (r Request) attributeBytes(a Attribute) int {
	return r.Vertices * a.Components * a.Component.Size()
}

// write sends a request: a header of words, and the data.
func (r Request) write(to io.Writer) error {
	head := words(nil, magic, uint32(len(r.Data)), uint32(r.Vertices), uint32(r.Triangles), uint32(len(r.Attributes)))
	for _, a := range r.Attributes {
		head = words(head, a.ID, uint32(a.Component), uint32(a.Components))
	}
	if _, err := to.Write(head); err != nil {
		return err
	}
	_, err := to.Write(r.Data)
	return err
}

// readRequest receives a request, io.EOF when there is none any more.
func readRequest(from io.Reader) (r Request, err error) {
	var head [5]uint32
	if err := binary.Read(from, binary.LittleEndian, &head); err != nil {
		return r, err
	}
	if head[0] != magic || head[4] > mostAttributes {
		return r, errors.New("this is no request")
	}
	r = Request{Data: make([]byte, head[1]), Vertices: int(head[2]), Triangles: int(head[3])}
	for range head[4] {
		var a [3]uint32
		if err := binary.Read(from, binary.LittleEndian, &a); err != nil {
			return r, err
		}
		r.Attributes = append(r.Attributes, Attribute{a[0], Component(a[1]), int(a[2])})
	}
	if _, err := io.ReadFull(from, r.Data); err != nil {
		return r, err
	}
	return r, r.Check()
}

// writeAnswer sends a mesh, or the words of an error.
func writeAnswer(to io.Writer, mesh Mesh, problem error) error {
	if problem != nil {
		text := problem.Error()
		text = text[:min(len(text), mostText)]
		_, err := to.Write(append(words(nil, magic, uint32(len(text))), text...))
		return err
	}
	if _, err := to.Write(words(nil, magic, 0)); err != nil {
		return err
	}
	for _, part := range append([][]byte{mesh.Indices}, mesh.Attributes...) {
		if _, err := to.Write(part); err != nil {
			return err
		}
	}
	return nil
}

var errAnswer = errors.New("the decoder's answer makes no sense")

// refusal is what the decoder said of a mesh that it cannot decode; it can go on with others.
type refusal string

// Error is the decoder's words.
func (r refusal) Error() string { return string(r) }

// printable keeps what may have come from a file from a terminal.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// readAnswer receives the answer to a request. It takes no more memory than the request says.
func (r Request) readAnswer(from io.Reader) (mesh Mesh, err error) {
	var head [2]uint32
	if err := binary.Read(from, binary.LittleEndian, &head); err != nil {
		return mesh, err
	}
	if head[0] != magic || head[1] > mostText {
		return mesh, errAnswer
	}
	if head[1] > 0 {
		text := make([]byte, head[1])
		if _, err := io.ReadFull(from, text); err != nil {
			return mesh, err
		}
		return mesh, refusal(strings.Map(printable, string(text)))
	}
	mesh.Indices = make([]byte, 12*r.Triangles)
	if _, err := io.ReadFull(from, mesh.Indices); err != nil {
		return mesh, err
	}
	for _, a := range r.Attributes {
		values := make([]byte, r.attributeBytes(a))
		if _, err := io.ReadFull(from, values); err != nil {
			return mesh, err
		}
		mesh.Attributes = append(mesh.Attributes, values)
	}
	return mesh, nil
}

func words(to []byte, values ...uint32) []byte {
	for _, v := range values {
		to = binary.LittleEndian.AppendUint32(to, v)
	}
	return to
}
