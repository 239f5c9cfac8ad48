package scene

import (
	"bytes"
	"errors"
	"fmt"

	"glint/tracer/guard"
)

// packing puts all files that a .gltf names into one binary chunk, unchanged.
type packing struct {
	root  map[string]any
	files *resources
	parts [][]byte
	size  int64
	moved map[int]placeInChunk // buffers, by their index
	views map[*byte]int        // buffer views that were added, by their first byte
	notes []string
}

// placeInChunk is where a buffer is now: its new index, and from which byte on.
type placeInChunk struct {
	index  int
	offset int64
}

// chunkAlignment is that of each part: no component that glTF stores is larger.
const chunkAlignment = 16

// add adds bytes to the chunk, and tells where they begin.
func (p *packing) add(data []byte) (offset int64) {
	offset = alignedTo(p.size, chunkAlignment)
	p.parts = append(p.parts, make([]byte, offset-p.size), data)
	p.size = offset + int64(len(data))
	return offset
}

func (p *packing) note(format string, a ...any) { p.notes = append(p.notes, fmt.Sprintf(format, a...)) }

// pack packs buffers, then images.
func (p *packing) pack(bin []byte) error {
	buffers, _ := p.root["buffers"].([]any)
	images, _ := p.root["images"].([]any)
	p.packBuffers(buffers, bin, hasFiles(images))
	p.moveViews()
	for i, image := range images {
		if image, ok := image.(map[string]any); ok {
			p.packImage(i, image)
		}
	}
	if p.size == 0 {
		return nil
	}
	chunk, _ := p.root["buffers"].([]any)[0].(map[string]any)
	if said, _, ok := asNumber(chunk["byteLength"]); !ok || int64(said) > p.size || p.size-int64(said) > 3 { // padding is not counted
		chunk["byteLength"] = p.size
	}
	if p.size > mostGLB {
		return errors.New("it is larger than the 4 GiB that a .glb can hold")
	}
	return nil
}

// hasFiles tells whether some object names a file, or has one in its text.
func hasFiles(objects []any) bool {
	for _, object := range objects {
		if object, ok := object.(map[string]any); ok && object["uri"] != nil {
			return true
		}
	}
	return false
}

// packBuffers makes the first buffer of all that can be read. Those without data, which stand in for what is compressed, follow as they are.
func (p *packing) packBuffers(buffers []any, bin []byte, wanted bool) {
	var chunk map[string]any
	var others []any
	for i, b := range buffers {
		b, ok := b.(map[string]any)
		if !ok {
			b = map[string]any{}
		}
		data := p.bufferData(i, b, bin)
		if data == nil {
			p.moved[i] = placeInChunk{index: len(others)}
			others = append(others, buffers[i])
			continue
		}
		p.moved[i] = placeInChunk{index: -1, offset: p.add(data)}
		if chunk == nil {
			chunk = b
			delete(chunk, "uri")
		}
	}
	if chunk == nil && wanted {
		chunk = map[string]any{}
	}
	if chunk == nil {
		return
	}
	for i, at := range p.moved {
		at.index++ // behind the chunk, which is the first
		p.moved[i] = at
	}
	p.root["buffers"] = append([]any{chunk}, others...)
}

// bufferData is what a buffer holds; nil where nothing can be packed.
func (p *packing) bufferData(i int, b map[string]any, bin []byte) []byte {
	uri, named := b["uri"].(string)
	if !named {
		if i == 0 {
			return bin
		}
		return nil
	}
	data, err := p.files.resolve(uri)
	if err != nil {
		p.note("buffer %d stays outside: %v", i, err)
		return nil
	}
	return data
}

// moveViews has buffer views, and what compresses them, find their buffers again.
func (p *packing) moveViews() {
	views, _ := p.root["bufferViews"].([]any)
	for _, view := range views {
		view, _ := view.(map[string]any)
		p.move(view)
		extensions, _ := view["extensions"].(map[string]any)
		for _, extension := range extensions {
			if extension, ok := extension.(map[string]any); ok {
				p.move(extension)
			}
		}
	}
}

// move has an object that names a part of a buffer find it again.
func (p *packing) move(view map[string]any) {
	buffer, _, ok := whole(view["buffer"])
	to, known := p.moved[buffer]
	if !ok || !known || to == (placeInChunk{index: buffer}) {
		return
	}
	view["buffer"] = to.index
	if offset, _, there := whole(view["byteOffset"]); to.offset > 0 && (there || view["byteOffset"] == nil) {
		view["byteOffset"] = int64(offset) + to.offset
	}
}

// imageTypes are the kinds of images that files name, by how they begin.
var imageTypes = []struct{ begin, name string }{
	{"\x89PNG", "image/png"}, {"\xff\xd8\xff", "image/jpeg"}, {"RIFF", "image/webp"}, {"\xabKTX", "image/ktx2"}, {"DDS ", "image/vnd-ms.dds"},
}

func typeOf(data []byte) string {
	for _, kind := range imageTypes {
		if bytes.HasPrefix(data, []byte(kind.begin)) {
			return kind.name
		}
	}
	return ""
}

// packImage puts the file of an image into the chunk. What cannot be read, or is of no known kind, stays where it is.
func (p *packing) packImage(i int, image map[string]any) {
	uri, named := image["uri"].(string)
	if !named {
		return
	}
	data, err := p.files.resolve(uri)
	kind := typeOf(data)
	switch {
	case err != nil:
		p.note("image %d stays outside: %v", i, err)
		return
	case kind == "":
		if !isDataURI(uri) {
			p.note("image %d stays outside: %s is no kind of image that glTF knows", i, guard.Quoted(uri))
		}
		return
	}
	view, known := p.views[&data[0]]
	if !known {
		views, _ := p.root["bufferViews"].([]any)
		view = len(views)
		p.root["bufferViews"] = append(views, map[string]any{"buffer": 0, "byteOffset": p.add(data), "byteLength": len(data)})
		p.views[&data[0]] = view
	}
	delete(image, "uri")
	image["bufferView"] = view
	if named, _ := image["name"].(string); named == "" && !isDataURI(uri) {
		image["name"] = uri
	}
	if _, said := image["mimeType"].(string); !said {
		image["mimeType"] = kind
	}
}
