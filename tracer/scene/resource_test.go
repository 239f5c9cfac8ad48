package scene

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func trianglePositions() []byte {
	var out bytes.Buffer
	_ = binary.Write(&out, binary.LittleEndian, []float32{0, 0, 0, 1, 0, 0, 0, 1, 0})
	return out.Bytes()
}

// separate is a .gltf whose one buffer has the given URI.
func separate(uri string) []byte {
	return fmt.Appendf(nil, `{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":%q}],
		"bufferViews":[{"buffer":0,"byteLength":36}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}`, uri)
}

// sceneFolder makes DIR/scene with buffers inside, one outside and links to both; it returns DIR/scene.
func sceneFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "scene")
	if err := os.MkdirAll(filepath.Join(folder, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"outside.bin", "scene/plain.bin", "scene/with space ü.bin", "scene/sub/deep.bin", "scene/100%.bin", "scene/a%20b.bin", "scene/%zz.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), trianglePositions(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out.bin": "../outside.bin", "in.bin": "plain.bin"} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	return folder
}

func TestURIs(t *testing.T) {
	folder := sceneFolder(t)
	data := base64.StdEncoding.EncodeToString(trianglePositions())
	for i, uri := range []string{
		"plain.bin", "./plain.bin", "sub/deep.bin", "sub\\deep.bin", "sub/../plain.bin", "in.bin",
		"with%20space%20%C3%BC.bin",
		"data:application/octet-stream;base64," + data,
		"data:application/gltf-buffer;base64," + data,
		"data:;base64," + strings.TrimRight(data, "="),
		"data:;base64," + strings.ReplaceAll(strings.ReplaceAll(data, "A", "%41"), "=", "%3D"),
		"data:; base64," + data[:9] + " \n" + data[9:],
		"data:;base64," + strings.NewReplacer("+", "-", "/", "_").Replace(data),
		"100%.bin", "a%20b.bin", "%zz.bin",
	} {
		s, _, err := loadURI(t, folder, i, uri)
		if err != nil || len(s.Faces) != 1 {
			t.Errorf("%s: must load one triangle: %v", uri, err)
		}
	}
}

// Base64 for URLs is read, and reported.
func TestDataURIForms(t *testing.T) {
	for uri, odd := range map[string]bool{"data:;base64,-_8=": true, "data:;base64,+/8": false, "data:;base64,%2B%2F8%3D": false, "data:;BASE64,+ /8=": true, "data:,%FB%FF": false} {
		if data, isOdd, err := decodeDataURI(uri); err != nil || !bytes.Equal(data, []byte{0xfb, 0xff}) || isOdd != odd {
			t.Errorf("%s: %x, odd %v, %v", uri, data, isOdd, err)
		}
	}
}

// loadURI writes a scene whose buffer has the given URI and loads it.
func loadURI(t *testing.T, folder string, i int, uri string) (*Scene, string, error) {
	t.Helper()
	path := filepath.Join(folder, fmt.Sprintf("%d.gltf", i))
	if err := os.WriteFile(path, separate(uri), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Load(context.Background(), path, Options{Scene: -1})
	return s, path, err
}

func TestRefusedURIs(t *testing.T) {
	folder := sceneFolder(t)
	tests := []struct{ uri, word string }{
		{"data:application/octet-stream;base64,????", "illegal base64"},
		{"data:application/octet-stream;base64", "comma"},
		{"../outside.bin", "leaves"},
		{"sub/../../outside.bin", "leaves"},
		{"%2e%2e/outside.bin", "leaves"},
		{"..\\outside.bin", "leaves"},
		{filepath.Join(filepath.Dir(folder), "outside.bin"), "leaves"},
		{"file:///etc/passwd", "scheme"},
		{"https://example.com/a.bin", "scheme"},
		{"out.bin", "escapes"},
		{"gone.bin", "no such file"},
		{"sub", "not a regular file"},
		{"plain.bin%00.png", "leaves"},
		{"%zz", "no such file"},
	}
	for i, test := range tests {
		_, path, err := loadURI(t, folder, i, test.uri)
		if err == nil || !strings.Contains(err.Error(), test.word) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: want an error that names the file and says %q, got %v", test.uri, test.word, err)
		}
	}
}

func TestExternalImage(t *testing.T) {
	dir := t.TempDir()
	b := newBuilder()
	texture := b.add("textures", jsonObject{"source": b.add("images", jsonObject{"uri": "a%20b.png"})})
	b.textured(jsonObject{"emissiveTexture": jsonObject{"index": texture}})
	picture := encodePNG(image.NewNRGBA(image.Rect(0, 0, 5, 3)))
	path := filepath.Join(dir, "scene.glb")
	for name, data := range map[string][]byte{path: b.glb(), filepath.Join(dir, "a b.png"): picture} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stages []string
	s, err := Load(context.Background(), path, Options{Scene: -1, Progress: func(stage string, _ float64) { stages = append(stages, stage) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Images) != 1 || s.Images[0].Width != 5 || s.Images[0].Height != 3 {
		t.Errorf("%d images", len(s.Images))
	}
	if s.Name != "scene.glb" || s.Report.Path != path || stages[len(stages)-1] != "done" {
		t.Errorf("name %q, path %q, stages %q", s.Name, s.Report.Path, stages)
	}
}

// TestReportNamesFiles: the report has every file that a scene asks for, as it was when it was read, and which of them it does without.
func TestReportNamesFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	b := newBuilder()
	for _, uri := range []string{"good.png", "./good.png", "cut.png", "gone.png", "data:image/png;base64,AAAA"} {
		texture := b.add("textures", jsonObject{"source": b.add("images", jsonObject{"uri": uri})})
		b.textured(jsonObject{"emissiveTexture": jsonObject{"index": texture}})
	}
	b.buffers = []any{jsonObject{"byteLength": 8, "uri": "short.bin"}}
	picture := encodePNG(image.NewNRGBA(image.Rect(0, 0, 5, 3)))
	path, cut := write("scene.glb", b.glb()), len(picture)-20
	s, err := Load(t.Context(), path, Options{Scene: -1})
	if err != nil || !slices.Equal(s.Report.Unread, []string{"./good.png", "cut.png", "gone.png", "good.png", "short.bin"}) {
		t.Fatalf("without them: %v, %v", s.Report.Unread, err)
	}
	write("good.png", picture)
	write("cut.png", picture[:cut])
	write("short.bin", []byte("1234"))
	if s, err = Load(t.Context(), path, Options{Scene: -1}); err != nil {
		t.Fatal(err)
	}
	if got := s.Report.Unread; !slices.Equal(got, []string{"cut.png", "gone.png", "short.bin"}) {
		t.Errorf("does without %q", got)
	}
	sizes := map[string]int64{}
	for _, f := range s.Report.Files {
		if f != f.Now() {
			t.Errorf("%v has not changed, but is %v", f, f.Now())
		}
		sizes[filepath.Base(f.Path)] = f.State.Size
	}
	want := map[string]int64{"scene.glb": int64(len(b.glb())), "good.png": int64(len(picture)), "cut.png": int64(cut), "gone.png": 0, "short.bin": 4}
	if !maps.Equal(sizes, want) || s.Report.Files[0].Path != path {
		t.Errorf("read %v, want %v", s.Report.Files, want)
	}
}

func TestLoadRefusesOddPaths(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "gone.glb"), t.TempDir(), os.DevNull} {
		if _, err := Load(context.Background(), path, Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: want an error that names it, got %v", path, err)
		}
	}
}

func TestContainers(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(nil))
	good := b.glb()
	patch := func(at int, v uint32) []byte {
		out := bytes.Clone(good)
		binary.LittleEndian.PutUint32(out[at:], v)
		return out
	}
	tests := []struct {
		name string
		data []byte
		word string
	}{
		{"empty", nil, "empty"},
		{"magic only", good[:4], "cut off"},
		{"cut in half", good[:len(good)/2], "cut off"},
		{"version", patch(4, 3), "version 3"},
		{"length", patch(8, 1<<31), "promises"},
		{"chunk length", patch(12, 1<<31), "promises"},
		{"chunk type", patch(16, 1), "JSON"},
		{"no object", []byte("[]"), "JSON"},
		{"no JSON", []byte("a teapot"), "JSON"},
		{"picture", encodePNG(image.NewGray(image.Rect(0, 0, 1, 1))), "a PNG image"},
		{"trailing comma", []byte(`{"asset":{"version":"2.0",}}`), "JSON"},
		{"STL", []byte("solid teapot"), "an STL model"},
		{"glTF 1", []byte(`{"asset":{"version":"1.0"}}`), "1.0"},
		{"bomb", append([]byte(`{"asset":{"version":"2.0"},"nodes":[{}`), bytes.Repeat([]byte(",{}"), 2<<20)...), "memory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := load(context.Background(), test.data, noFiles, Options{Scene: -1})
			if err == nil || !strings.Contains(err.Error(), test.word) {
				t.Errorf("want an error that says %q, got %v", test.word, err)
			}
		})
	}
}
