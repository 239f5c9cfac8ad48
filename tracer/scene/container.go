package scene

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// container is a .gltf or .glb file taken apart.
type container struct {
	json   []byte
	bin    []byte // first BIN chunk of a .glb, nil when there is none
	others []byte // chunks that follow, whole
}

// Magic numbers of the binary container (glTF 2.0 §4.4).
const (
	glbMagic  = 0x46546C67
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

var utf8BOM = []byte{0xEF, 0xBB, 0xBF}

// openContainer splits a file into its JSON and its binary chunk. It copies nothing.
func openContainer(data []byte, warn *warnings) (container, error) {
	if len(data) == 0 {
		return container{}, errors.New("the file is empty")
	}
	c := container{json: data}
	if kind := kindOf(data); kind != "" {
		return container{}, fmt.Errorf("this is %s, not a glTF file", kind)
	}
	if len(data) >= 4 && binary.LittleEndian.Uint32(data) == glbMagic {
		var err error
		if c, err = splitGLB(data, warn); err != nil {
			return c, err
		}
	}
	if bytes.HasPrefix(c.json, utf8BOM) {
		warn.addf("the JSON starts with a byte order mark, which glTF forbids")
		c.json = c.json[len(utf8BOM):]
	}
	c.json = bytes.TrimRight(c.json, " \t\r\n\x00")
	return c, nil
}

// otherKinds are files that are taken for glTF, by how they begin.
var otherKinds = []struct{ begin, name string }{
	{"\x89PNG", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"}, {"GIF8", "a GIF image"}, {"#?R", "a Radiance picture"}, {"\x76\x2f\x31\x01", "an OpenEXR picture"},
	{"\xabKTX", "a KTX texture"}, {"RIFF", "a WebP image or a sound"}, {"PK\x03\x04", "a ZIP archive: unpack it"}, {"\x1f\x8b", "a gzip archive: unpack it"},
	{"BLENDER", "a Blender file: export it as glTF"}, {"Kaydara FBX", "an FBX file: convert it"}, {"version https://git-lfs", "a pointer of Git LFS: fetch the file with git lfs pull"},
	{"<!DOCTYPE html", "a web page: the download went wrong"}, {"<html", "a web page: the download went wrong"}, {"%PDF", "a PDF document"}, {"solid ", "an STL model: convert it"},
}

// kindOf names a file that is something else than glTF; empty where that is not known.
func kindOf(data []byte) string {
	for _, kind := range otherKinds {
		if bytes.HasPrefix(data, []byte(kind.begin)) {
			return kind.name
		}
	}
	return ""
}

func splitGLB(data []byte, warn *warnings) (container, error) {
	var c container
	if len(data) < 12 {
		return c, errors.New("binary glTF header is cut off")
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return c, fmt.Errorf("binary glTF version %d: only version 2 can be read", v)
	}
	length := uint64(binary.LittleEndian.Uint32(data[8:]))
	if length > uint64(len(data)) {
		return c, fmt.Errorf("binary glTF header promises %d bytes, the file has %d: is it cut off?", length, len(data))
	}
	if length < uint64(len(data)) {
		warn.addf("%d bytes after the end of the binary glTF are ignored", uint64(len(data))-length)
	}
	rest := data[12:max(12, length)]
	for n := 0; len(rest) > 0; n++ {
		kind, body, next, err := nextChunk(rest)
		if err != nil {
			return c, fmt.Errorf("chunk %d: %w", n, err)
		}
		chunk := rest[:len(rest)-len(next)]
		rest = next
		switch {
		case n == 0 && kind != chunkJSON:
			return c, errors.New("the first chunk of a binary glTF must be JSON")
		case n == 0:
			c.json = body
		case kind == chunkBIN && n == 1:
			c.bin = body
		default:
			warn.addf("chunk %d of type %#08x is ignored", n, kind)
			c.others = append(c.others, chunk...)
		}
	}
	if c.json == nil {
		return c, errors.New("the binary glTF holds no JSON chunk")
	}
	return c, nil
}

func nextChunk(data []byte) (kind uint32, body, rest []byte, err error) {
	if len(data) < 8 {
		return 0, nil, nil, errors.New("header is cut off")
	}
	length, kind := uint64(binary.LittleEndian.Uint32(data)), binary.LittleEndian.Uint32(data[4:])
	if length > uint64(len(data)-8) {
		return 0, nil, nil, fmt.Errorf("promises %d bytes, the file has %d more", length, len(data)-8)
	}
	body, rest = data[8:8+length:8+length], data[8+length:]
	return kind, body, rest, nil
}
