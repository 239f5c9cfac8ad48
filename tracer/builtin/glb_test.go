package builtin

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"glint/tracer/scene"
)

func TestWriteGLBKeepsEveryTriangle(t *testing.T) {
	s := build(t, "chess", Options{Triangles: 20_000})
	path := filepath.Join(t.TempDir(), "chess.glb")
	if err := WriteGLB(path, s); err != nil {
		t.Fatal(err)
	}
	doc, err := gltf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	triangles := 0
	for _, p := range doc.Meshes[0].Primitives {
		indices, err := modeler.ReadIndices(doc, doc.Accessors[*p.Indices], nil)
		if err != nil {
			t.Fatal(err)
		}
		triangles += len(indices) / 3
	}
	if triangles != len(s.Faces) || len(doc.Materials) != len(s.Materials) || len(doc.Images) != len(s.Images) {
		t.Errorf("%d triangles of %d, %d materials, %d images", triangles, len(s.Faces), len(doc.Materials), len(doc.Images))
	}
	for _, want := range []string{"KHR_materials_emissive_strength", "KHR_materials_specular", "KHR_materials_transmission", "KHR_materials_volume"} {
		if !slices.Contains(doc.ExtensionsUsed, want) {
			t.Errorf("%s is not declared: %v", want, doc.ExtensionsUsed)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteGLBRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*scene.Scene){
		"vertex":   func(s *scene.Scene) { s.Faces[0].V[1] = 1 << 30 },
		"material": func(s *scene.Scene) { s.Faces[0].Material = 99 },
		"texture":  func(s *scene.Scene) { s.Materials[0].Textures[scene.TextureBaseColor].Texture = 3 },
		"image":    func(s *scene.Scene) { s.Images = []scene.Image{{Width: 2, Height: 2}} },
		"shear": func(s *scene.Scene) {
			s.Images = []scene.Image{{Width: 1, Height: 1, Pixels: make([]byte, 4)}}
			s.Textures = []scene.Texture{{}}
			s.Materials[0].Textures[scene.TextureBaseColor] = scene.TextureRef{Transform: scene.UVTransform{1, 1, 0, 0, 1, 0}}
		},
	} {
		s := build(t, "cornell", Options{})
		spoil(s)
		path := filepath.Join(t.TempDir(), "x.glb")
		if err := WriteGLB(path, s); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was left", name)
		}
	}
}

func TestSplitTransform(t *testing.T) {
	for _, want := range []textureTransform{
		{[2]float32{0.1, 0.2}, 0.7, [2]float64{2, 3}}, {[2]float32{}, -2, [2]float64{0.5, -1}}, {[2]float32{1, 0}, 0, [2]float64{1, 1}},
	} {
		sin, cos := math.Sincos(want.Rotation)
		m := scene.UVTransform{
			float32(cos * want.Scale[0]), float32(sin * want.Scale[1]), want.Offset[0],
			float32(-sin * want.Scale[0]), float32(cos * want.Scale[1]), want.Offset[1],
		}
		got, err := splitTransform(m)
		if err != nil || got.Offset != want.Offset || math.Abs(got.Rotation-want.Rotation) > 1e-5 ||
			math.Abs(got.Scale[0]-want.Scale[0]) > 1e-5 || math.Abs(got.Scale[1]-want.Scale[1]) > 1e-5 {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
}

func TestFacing(t *testing.T) {
	m := facing(mgl64.Vec3{1, 2, 3}, mgl32.Vec3{0, -1, 0}, mgl32.Vec3{0, 1, 0}) // up is parallel to the view
	if z := (mgl32.Vec3{float32(m[8]), float32(m[9]), float32(m[10])}); z != (mgl32.Vec3{0, 1, 0}) || m[12] != 1 || m[13] != 2 || m[14] != 3 {
		t.Errorf("matrix %v", m)
	}
	for _, x := range m {
		if math.IsNaN(x) {
			t.Fatalf("matrix %v", m)
		}
	}
}
