package scene

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/guard"
)

// warned tells whether a warning of a scene has these words.
func warned(s *Scene, words string) bool {
	return slices.ContainsFunc(s.Report.Notes, func(n Note) bool { return strings.Contains(n.String(), words) })
}

// TestTransformsThatOverflow: what cannot be placed is left out, with a warning.
func TestTransformsThatOverflow(t *testing.T) {
	for i, top := range []jsonObject{
		{"scale": []any{1e308, 1e308, 1e308}, "rotation": []any{0.5, 0.5, 0.5, 0.5}},
		{"scale": []any{1e308, 0, 1e308}, "translation": []any{1e308, 0, 0}},
		{"translation": []any{1e300, -1e300, 0}},
		{"translation": []any{0, 3e15, 0}},
		{"matrix": []any{1e308, 1e308, 0, 0, 1e308, 1e308, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
	} {
		b := newBuilder()
		b.extension("KHR_lights_punctual")
		b.doc["extensions"] = jsonObject{"KHR_lights_punctual": jsonObject{"lights": []any{jsonObject{"type": "point"}}}}
		b.mesh(b.triangle(nil))
		b.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": 1, "znear": 0.1}})
		top["children"] = []any{2}
		b.add("nodes", top)
		b.add("nodes", jsonObject{"camera": 0, "translation": []any{0, 1e307, -1e307},
			"extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": 0}}})
		b.add("scenes", jsonObject{"nodes": []any{0, 1}})
		s := b.load(t)
		if len(s.Cameras) != 0 || len(s.Lights) != 0 || !warned(s, "camera 0: stands where numbers overflow") || !warned(s, "light 0: stands") {
			t.Errorf("%d: %v, %v, %q", i, s.Cameras, s.Lights, s.Report.Notes)
		}
	}
}

// TestCamerasThatSeeNothing: projections that single precision cannot hold are left out.
func TestCamerasThatSeeNothing(t *testing.T) {
	for i, camera := range []jsonObject{
		{"type": "perspective", "perspective": jsonObject{"yfov": 1e-60, "znear": 0.1}},
		{"type": "perspective", "perspective": jsonObject{"yfov": 3.14159265, "znear": 0.1}},
		{"type": "orthographic", "orthographic": jsonObject{"xmag": 1, "ymag": 1e-60, "znear": 0, "zfar": 1}},
		{"type": "orthographic", "orthographic": jsonObject{"xmag": 1, "ymag": 1e30, "znear": 0, "zfar": 1}},
	} {
		b := newBuilder()
		b.mesh(b.triangle(nil))
		b.add("cameras", camera)
		b.add("nodes", jsonObject{"camera": 0})
		if s := b.load(t); len(s.Cameras) != 0 || !warned(s, "no usable projection") {
			t.Errorf("%d: %v, %q", i, s.Cameras, s.Report.Notes)
		}
	}
}

// TestCameraWithoutAngle: an angle of half a turn is no camera's, which is said once.
func TestCameraWithoutAngle(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(nil))
	b.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": 3.2, "znear": 0.1}})
	b.add("nodes", jsonObject{"camera": 0})
	s := b.degrades(t, "cameras[0].perspective: yfov: 3.2 does not lie between 0 and 3.14159: left out")
	if len(s.Cameras) != 0 || warned(s, "no usable projection") {
		t.Errorf("%v, %q", s.Cameras, s.Report.Notes)
	}
}

// TestCameraFarAway: it keeps its direction.
func TestCameraFarAway(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(nil))
	b.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": 1, "znear": 0.1}})
	for _, x := range []float64{0, 1e6, 1e9, -9e14} {
		for _, angle := range []float64{0, 0.3} { // to the left
			b.doc["nodes"] = []any{jsonObject{"mesh": 0}, jsonObject{"camera": 0, "translation": []any{x, 0, x},
				"rotation": []any{0, math.Sin(angle / 2), 0, math.Cos(angle / 2)}}}
			s := b.load(t)
			want := mgl64.Vec3{-math.Sin(angle), 0, -math.Cos(angle)}
			if d := s.Cameras[0].Target.Sub(s.Cameras[0].Eye).Normalize(); d.Sub(want).Len() > 1e-6 {
				t.Errorf("at %g m it looks along %v, want %v", x, d, want)
			}
		}
	}
}

// TestImagesAreDecodedOnce: images of the same bytes are one picture, whichever objects of the file name it.
func TestImagesAreDecodedOnce(t *testing.T) {
	b := newBuilder()
	view := b.view(encodePNG(image.NewPaletted(image.Rect(0, 0, 512, 512), color.Palette{color.White, color.Black})))
	for range 40 {
		copied := jsonObject{}
		for k, v := range b.doc["bufferViews"].([]any)[view].(jsonObject) {
			copied[k] = v
		}
		source := b.add("images", jsonObject{"bufferView": b.add("bufferViews", copied), "mimeType": "image/png"})
		texture := b.add("textures", jsonObject{"source": source})
		b.textured(jsonObject{"pbrMetallicRoughness": jsonObject{"baseColorTexture": jsonObject{"index": texture}}})
	}
	memory := guard.NewMemory(6 << 20) // 1 MiB for the pixels, and as much to decode them: not for two
	s, err := load(context.Background(), b.glb(), noFiles, Options{Scene: -1, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Images) != 40 || warned(s, "drawn without it") {
		t.Fatalf("%d images, %q", len(s.Images), s.Report.Notes)
	}
	for i := range s.Images {
		if &s.Images[i].Pixels[0] != &s.Images[0].Pixels[0] {
			t.Errorf("image %d has pixels of its own", i)
		}
	}
}

// TestOverlappingImages: a file cannot have the same bytes decoded again and again under other lengths.
func TestOverlappingImages(t *testing.T) {
	b := newBuilder()
	picture := encodePNG(image.NewGray(image.Rect(0, 0, 64, 64)))
	view := b.view(append(picture, make([]byte, 1<<16)...))
	for i := range 50 {
		copied := jsonObject{}
		for k, v := range b.doc["bufferViews"].([]any)[view].(jsonObject) {
			copied[k] = v
		}
		copied["byteLength"] = copied["byteLength"].(int) - i
		source := b.add("images", jsonObject{"bufferView": b.add("bufferViews", copied), "mimeType": "image/png"})
		texture := b.add("textures", jsonObject{"source": source})
		b.textured(jsonObject{"pbrMetallicRoughness": jsonObject{"baseColorTexture": jsonObject{"index": texture}}})
	}
	if s := b.load(t); len(s.Images) > 4 || !warned(s, "overlaps other images") {
		t.Errorf("%d images, %q", len(s.Images), s.Report.Notes)
	}
}

// TestFilesAreReadOnce: under whatever names buffers call a file, it is read, and counts, once.
func TestFilesAreReadOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "big.bin"), make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "big.bin"), filepath.Join(dir, "link.bin")); err != nil {
		t.Skip("no hard links here:", err)
	}
	var buffers []string
	for i := range 60 {
		name := []string{"big.bin", "./big.bin", "%62ig.bin", "link.bin", "x/../big.bin", ".//big.bin"}[i%6]
		buffers = append(buffers, fmt.Sprintf(`{"byteLength":%d,"uri":%q}`, 1<<20, name))
	}
	path := filepath.Join(dir, "a.gltf")
	text := fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[%s]}`, strings.Join(buffers, ","))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	memory := guard.NewMemory(2 << 20)
	s, err := Load(context.Background(), path, Options{Scene: -1, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	if warned(s, "would take") || memory.Left() != 2<<20 {
		t.Errorf("%d bytes are still counted; %q", 2<<20-memory.Left(), s.Report.Notes)
	}
	if _, err := Load(context.Background(), path, Options{Scene: -1, Memory: guard.NewMemory(100)}); err == nil || !strings.Contains(err.Error(), "--load-memory") {
		t.Errorf("a file beyond the memory: %v", err)
	}
}

// TestTimeIsLinear: lists that a loader could search once for each element are not.
func TestTimeIsLinear(t *testing.T) {
	const n = 60_000
	numbered := func(format string) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(format, i))
		}
		return strings.Join(parts, ",")
	}
	for name, text := range map[string]string{
		"extensions": fmt.Sprintf(`"extensionsUsed":[%s],"nodes":[%s]`, numbered(`"EXT_%d"`), numbered(`{"extensions":{"EXT_%[1]d":{}}}`)),
		"properties": numbered(`"x%d":1`),
		"primitives": fmt.Sprintf(`"meshes":[{"primitives":[%s]}],"nodes":[%s]`,
			numbered(`{"attributes":{},"mode":0,"extras":%d}`), numbered(`{"mesh":0,"extras":%d}`)),
		"images": fmt.Sprintf(`"images":[%s],"textures":[%s]`, numbered(`{"uri":"%d.png"}`), numbered(`{"source":%d}`)),
		"images on materials": fmt.Sprintf(`"extensionsUsed":[%s],"images":[%s],"textures":[%s],"materials":[%s],"meshes":[{"primitives":[%s]}],"nodes":[{"mesh":0}],
			"accessors":[{"componentType":5126,"type":"VEC3","count":3}]`,
			numbered(`"EXT_%d"`), numbered(`{"uri":"%d.png"}`), numbered(`{"source":%d}`),
			numbered(`{"emissiveTexture":{"index":%[1]d},"extensions":{"EXT_%[1]d":{}}}`), numbered(`{"attributes":{"POSITION":0},"material":%d}`)),
	} {
		begun := time.Now()
		if _, err := load(context.Background(), []byte(`{"asset":{"version":"2.0"},`+text+`}`), noFiles, Options{Scene: -1}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if spent := time.Since(begun); spent > 15*time.Second {
			t.Errorf("%s: %d of them take %v", name, n, spent)
		}
	}
}

// TestGeometryIsCountedFirst: many nodes times many primitives are refused before any is placed.
func TestGeometryIsCountedFirst(t *testing.T) {
	b := newBuilder()
	var primitives, nodes []any
	p := b.triangle(nil)
	for range 3000 {
		primitives = append(primitives, p)
		nodes = append(nodes, jsonObject{"mesh": 0})
	}
	b.add("meshes", jsonObject{"primitives": primitives})
	b.doc["nodes"] = nodes
	begun := time.Now()
	_, err := load(context.Background(), b.glb(), noFiles, Options{Scene: -1})
	var refused *guard.MemoryError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "9000000 triangles") || time.Since(begun) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	for i := range nodes { // which makes a mesh of its own for each
		nodes[i].(jsonObject)["weights"] = []any{0.5}
	}
	p["targets"] = []any{p["attributes"]}
	begun = time.Now()
	if _, err = load(context.Background(), b.glb(), noFiles, Options{Scene: -1}); !errors.As(err, &refused) || time.Since(begun) > 5*time.Second {
		t.Errorf("with weights, after %v: %v", time.Since(begun), err)
	}
}

// TestLoadIsCancelled: a load ends soon after its context does, wherever it is.
func TestLoadIsCancelled(t *testing.T) {
	data := repeated().glb()
	for _, stage := range []string{"reading", "nodes", "geometry", "images"} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := load(ctx, data, noFiles, Options{Scene: -1, Progress: func(s string, _ float64) {
			if s == stage {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while %s: %v", stage, err)
		}
	}
}

// TestFaultsOfALoad: a panic, even in one of the loader's goroutines, is an error that names the file.
func TestFaultsOfALoad(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(nil))
	path := filepath.Join(t.TempDir(), "a.glb")
	if err := os.WriteFile(path, b.glb(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Load(context.Background(), path, Options{Scene: -1, Progress: func(stage string, _ float64) {
		if stage == "geometry" {
			_ = guard.Each(context.Background(), 4, func(int) error { panic("\x1b[31mlost") })
		}
	}})
	var fault *guard.Fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), path+": internal error") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%v", err)
	}
}
