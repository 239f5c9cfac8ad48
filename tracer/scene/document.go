package scene

import (
	"errors"
	"fmt"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

// document is a glTF file: its JSON, repaired, and the data that this names.
type document struct {
	*job
	*gltf.Document
	unusable     map[string]error // why an object that others refer to is left out, by its path
	files        *resources
	bin          []byte // of a .glb
	buffers      []buffer
	decompressed map[int]*buffer // what compressed buffer views hold, by their index
	dracoData    map[int][]byte  // what Draco decoded, by the index of the accessor
}

// readDocument reads the JSON of a file; fetch finds the file's neighbours. An error of required refuses the file.
func readDocument(j *job, data []byte, fetch readFunc, required func(root map[string]any) error) (*document, error) {
	c, err := openContainer(data, j.warn)
	if err != nil {
		return nil, err
	}
	d := &document{job: j, files: newResources(j, fetch, int64(len(data))), bin: c.bin, dracoData: map[int][]byte{}}
	d.Document, d.unusable, err = parse(c.json, j.scratch, j.warn, required)
	return d, err
}

// buffer is the bytes of a glTF buffer, or why they are missing: an error only when something needs them.
type buffer struct {
	data    []byte
	err     error
	standIn bool // nothing that is read is in it
}

// loadBuffers reads the buffers.
func (d *document) loadBuffers() {
	d.buffers = make([]buffer, len(d.Buffers))
	for i, standIn := range findStandIns(d.Document) {
		d.buffers[i].standIn = standIn
	}
	for i, b := range d.Buffers {
		data, err := d.bin, error(nil)
		switch {
		case d.buffers[i].standIn:
			err = errStandIn
		case b.URI != "":
			data, err = d.files.resolve(b.URI)
		case d.broken("buffers[%d]", i) != nil:
			err = d.broken("buffers[%d]", i)
		case i > 0 || d.bin == nil:
			err = errors.New("has no data")
		}
		if err == nil && len(data) < b.ByteLength {
			d.warn.about(label("buffer", i, b.Name), nil, "has %d bytes, byteLength promises %d", len(data), b.ByteLength)
			d.files.noteUnread(b.URI)
		}
		if err != nil {
			d.buffers[i].err = err
			d.files.noteUnread(b.URI)
			continue
		}
		d.buffers[i].data = data
	}
}

// broken is why the checker left an object out; nil for one that can be used.
func (d *document) broken(format string, indices ...any) error {
	if len(d.unusable) == 0 {
		return nil
	}
	return d.unusable[fmt.Sprintf(format, indices...)]
}

// bufferView is the bytes of one buffer view, decompressed.
func (d *document) bufferView(i int) ([]byte, error) {
	var data []byte
	err := d.broken("bufferViews[%d]", i)
	if c := d.decompressed[i]; err != nil {
		// has been found before
	} else if c != nil {
		data, err = c.data, c.err
	} else {
		v := d.BufferViews[i]
		data, err = d.bytes(v.Buffer, v.ByteOffset, v.ByteLength)
	}
	if err != nil {
		return nil, fmt.Errorf("buffer view %d: %w", i, err)
	}
	return data, nil
}

// bytes is a part of a buffer.
func (d *document) bytes(index, offset, length int) ([]byte, error) {
	b := d.buffers[index]
	if b.err != nil {
		return nil, fmt.Errorf("%s: %w", label("buffer", index, d.Buffers[index].Name), b.err)
	}
	if offset < 0 || length < 0 || offset > len(b.data) || length > len(b.data)-offset {
		return nil, fmt.Errorf("ends at byte %d of buffer %d, which has %d", offset+length, index, len(b.data))
	}
	if promised := d.Buffers[index].ByteLength; promised > 0 && offset+length > promised {
		d.warn.about(label("buffer", index, d.Buffers[index].Name), nil, "more is read of it than the %d bytes that byteLength promises", promised)
	}
	return b.data[offset : offset+length], nil
}

func (d *document) nodeLabel(node int) string { return label("node", node, d.Nodes[node].Name) }

func (d *document) meshLabel(mesh int) string { return label("mesh", mesh, d.Meshes[mesh].Name) }

func (d *document) partLabel(mesh, primitive int) string {
	return fmt.Sprintf("%s, primitive %d", d.meshLabel(mesh), primitive)
}

// drawable reports whether primitives of this mode have area.
func drawable(mode gltf.PrimitiveMode) bool {
	return mode == gltf.PrimitiveTriangles || mode == gltf.PrimitiveTriangleStrip || mode == gltf.PrimitiveTriangleFan
}

// lightsOf are those of KHR_lights_punctual.
func lightsOf(doc *document) lightspunctual.Lights {
	lights, _ := doc.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights)
	return lights
}
