//go:build cgo && amd64

package draco

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"syscall"

	"github.com/qmuntal/draco-go/draco"
)

// Available tells whether this build can decode.
const Available = true

// ownProgram is this program, also when its file was replaced meanwhile.
func ownProgram() (string, error) { return "/proc/self/exe", nil }

// ownGroup keeps Ctrl+C of a terminal from children: their parent ends them.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// decode decodes a mesh here, in C++.
func decode(r Request) (out Mesh, err error) {
	decoder, mesh := draco.NewDecoder(), draco.NewMesh()
	defer runtime.GC() // which frees what they have in C++
	defer runtime.KeepAlive(decoder)
	defer runtime.KeepAlive(mesh)
	if kind := draco.GetEncodedGeometryType(r.Data); kind != draco.EGT_TRIANGULAR_MESH {
		return out, fmt.Errorf("it holds no triangles (%d)", kind)
	}
	if err := decoder.DecodeMesh(mesh, r.Data); err != nil {
		return out, fmt.Errorf("it cannot be decoded: %w", err)
	}
	if v, t := mesh.NumPoints(), mesh.NumFaces(); int64(v) != int64(r.Vertices) || int64(t) != int64(r.Triangles) {
		return out, fmt.Errorf("it has %d vertices in %d triangles, and its accessors say %d in %d", v, t, r.Vertices, r.Triangles)
	}
	indices := make([]uint32, 3*r.Triangles)
	mesh.Faces(indices)
	if out.Indices, err = binary.Append(nil, binary.LittleEndian, indices); err != nil {
		return out, err
	}
	for _, a := range r.Attributes {
		values, err := attribute(mesh, r.Vertices, a)
		if err != nil {
			return out, err
		}
		out.Attributes = append(out.Attributes, values)
	}
	return out, nil
}

// attribute is the values of one attribute, as the type that is wanted.
func attribute(mesh *draco.Mesh, vertices int, a Attribute) ([]byte, error) {
	found := mesh.AttrByUniqueID(a.ID)
	if found == nil {
		return nil, fmt.Errorf("it has no attribute %d", a.ID)
	}
	if n := int(found.NumComponents()); n != a.Components {
		return nil, fmt.Errorf("its attribute %d has %d components, and the accessor says %d", a.ID, n, a.Components)
	}
	n := vertices * a.Components
	var room any
	switch a.Component {
	case Int8:
		room = make([]int8, n)
	case Uint8:
		room = make([]uint8, n)
	case Int16:
		room = make([]int16, n)
	case Uint16:
		room = make([]uint16, n)
	case Uint32:
		room = make([]uint32, n)
	case Float32:
		room = make([]float32, n)
	}
	values, ok := mesh.AttrData(found, room)
	if !ok {
		return nil, fmt.Errorf("its attribute %d cannot be read as numbers of type %d", a.ID, a.Component)
	}
	return binary.Append(nil, binary.LittleEndian, values)
}
