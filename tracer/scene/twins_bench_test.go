package scene

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glint/tracer/scene/ktx2"
	"glint/tracer/scene/meshopt"
)

// BenchmarkTwins loads files with compressed images and geometry, and twins that hold the same uncompressed: images as PNG, geometry
// in plain buffer views.
func BenchmarkTwins(b *testing.B) {
	shared := sharedScenes(b)
	for name, file := range map[string]string{
		"KTX2":    "AnisotropyBarnLamp_KTX-BasisU/AnisotropyBarnLamp.gltf",
		"meshopt": "japanese-bridge-garden/scene.glb",
	} {
		path := filepath.Join(shared, file)
		for kind, path := range map[string]string{"compressed": path, "plain": plainTwin(b, path)} {
			b.Run(name+" "+kind, func(b *testing.B) {
				for b.Loop() {
					s, err := Load(context.Background(), path, Options{Scene: -1})
					if err != nil || s.Triangles() == 0 {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// plainTwin writes a file without KTX2 and meshopt, and returns its path.
func plainTwin(b *testing.B, path string) string {
	b.Helper()
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	must(err)
	var rest []byte
	if bytes.HasPrefix(data, []byte("glTF")) {
		end := 20 + binary.LittleEndian.Uint32(data[12:])
		data, rest = data[20:end], data[end+8:]
	}
	var doc map[string]any
	must(json.Unmarshal(data, &doc))
	list := func(name string) (out []map[string]any) {
		all, _ := doc[name].([]any)
		for _, x := range all {
			out = append(out, x.(map[string]any))
		}
		return out
	}
	dir := b.TempDir()
	read := func(uri string) []byte {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(path), uri))
		must(err)
		return data
	}
	var buffers [][]byte
	for i, buffer := range list("buffers") {
		own := make([]byte, int(buffer["byteLength"].(float64)))
		if uri, ok := buffer["uri"].(string); ok {
			own = read(uri)
		} else if i == 0 {
			own = rest
		}
		buffers = append(buffers, own)
	}
	for _, view := range list("bufferViews") {
		extensions, _ := view["extensions"].(map[string]any)
		for _, name := range meshoptNames {
			if extensions[name] == nil {
				continue
			}
			var c compressedView
			text, err := json.Marshal(extensions[name])
			must(err)
			must(json.Unmarshal(text, &c))
			layout, err := c.layout()
			must(err)
			offset, _ := view["byteOffset"].(float64)
			out := buffers[int(view["buffer"].(float64))][int(offset):][:layout.Bytes()]
			must(meshopt.Decode(context.Background(), out, buffers[*c.Buffer][c.ByteOffset:][:c.ByteLength], layout))
			delete(view, "extensions")
		}
	}
	for i, buffer := range list("buffers") {
		delete(buffer, "extensions")
		buffer["uri"] = fmt.Sprintf("%d.bin", i)
		must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.bin", i)), buffers[i], 0o644))
	}
	for i, image := range list("images") {
		uri := image["uri"].(string)
		if !strings.HasSuffix(uri, ".ktx2") {
			must(os.WriteFile(filepath.Join(dir, uri), read(uri), 0o644))
			continue
		}
		picture, err := ktx2.Decode(context.Background(), read(uri))
		must(err)
		var out bytes.Buffer
		must(png.Encode(&out, picture))
		image["uri"], image["mimeType"] = fmt.Sprintf("%d.png", i), "image/png"
		must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", i)), out.Bytes(), 0o644))
	}
	for _, texture := range list("textures") {
		if extensions, ok := texture["extensions"].(map[string]any); ok {
			texture["source"] = extensions["KHR_texture_basisu"].(map[string]any)["source"]
			delete(texture, "extensions")
		}
	}
	delete(doc, "extensionsRequired")
	out, err := json.Marshal(doc)
	must(err)
	twin := filepath.Join(dir, "twin.gltf")
	must(os.WriteFile(twin, out, 0o644))
	return twin
}
