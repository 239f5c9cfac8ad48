package builtin_test

import (
	"context"
	"crypto/sha256"
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"glint/tracer/builtin"
	"glint/tracer/scene"
)

// What WriteGLB writes, scene.Load must read back: same triangles, materials, pictures, cameras and lights.
func TestRoundTrip(t *testing.T) {
	for _, info := range builtin.List() {
		want, err := builtin.Make(info.Name, builtin.Options{Triangles: min(info.Triangles, 20_000)})
		if err != nil {
			t.Fatal(err)
		}
		if info.Name == "cornell" {
			want.Lights = everyLight()
		}
		got := writeAndLoad(t, want)
		if len(got.Faces) != len(want.Faces) {
			t.Errorf("%s: %d faces, want %d", info.Name, len(got.Faces), len(want.Faces))
		}
		near := cmp.Options{cmpopts.EquateApprox(0, 1e-5), cmpopts.IgnoreFields(scene.Camera{}, "Target", "Up")}
		compare(t, info.Name+" materials", usedMaterials(got), usedMaterials(want), near)
		compare(t, info.Name+" cameras", got.Cameras, want.Cameras, near)
		compare(t, info.Name+" lights", got.Lights, want.Lights, near)
		compare(t, info.Name+" bounds", got.Bounds(), want.Bounds(), near)
		compare(t, info.Name+" area", area(got), area(want), near)
		compareImages(t, info.Name, got, want)
		for i, c := range want.Cameras {
			a, b := got.Cameras[i].Target.Sub(c.Eye).Normalize(), c.Target.Sub(c.Eye).Normalize()
			compare(t, info.Name+" view", a, b, near)
		}
	}
}

// TestFarRoundTrip: a scene that lies far off is written where it lies.
func TestFarRoundTrip(t *testing.T) {
	want, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want.Lights, want.Origin = everyLight()[:2], mgl64.Vec3{500_000, 4_000_000, -64}
	got := writeAndLoad(t, want)
	if got.Origin == (mgl64.Vec3{}) || len(got.Cameras) != 1 || len(got.Lights) != 2 {
		t.Fatalf("origin %v, %d cameras, %d lights", got.Origin, len(got.Cameras), len(got.Lights))
	}
	for _, row := range []struct {
		name string
		a, b mgl64.Vec3
	}{
		{"least corner", scene.Wide(got.Bounds().Min), scene.Wide(want.Bounds().Min)},
		{"camera", got.Cameras[0].Eye, want.Cameras[0].Eye},
		{"point light", scene.Wide(got.Lights[0].Position), scene.Wide(want.Lights[0].Position)},
		{"spot light", scene.Wide(got.Lights[1].Position), scene.Wide(want.Lights[1].Position)},
	} {
		if a, b := got.ToFile(row.a), want.ToFile(row.b); a.Sub(b).Len() > 1e-6 {
			t.Errorf("%s at %.9g, want %.9g", row.name, a, b)
		}
	}
}

func everyLight() []scene.Light {
	return []scene.Light{
		{Name: "point", Kind: scene.LightPoint, Position: mgl32.Vec3{0.1, 1, 0.2}, Direction: mgl32.Vec3{0, 0, -1}, Intensity: mgl32.Vec3{1, 2, 3}, Range: 5},
		{Name: "spot", Kind: scene.LightSpot, Position: mgl32.Vec3{0, 1.5, 0}, Direction: mgl32.Vec3{0, -1, 0}, Intensity: mgl32.Vec3{4, 4, 4},
			InnerCone: 0.2, OuterCone: 0.5},
		{Name: "sun", Kind: scene.LightDirectional, Direction: mgl32.Vec3{0.6, -0.8, 0}, Intensity: mgl32.Vec3{2, 2, 1}},
	}
}

func writeAndLoad(t *testing.T, s *scene.Scene) *scene.Scene {
	t.Helper()
	path := filepath.Join(t.TempDir(), s.Name+".glb")
	if err := builtin.WriteGLB(path, s); err != nil {
		t.Fatal(err)
	}
	got, err := scene.Load(context.Background(), path, scene.Options{Scene: -1})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Report.Notes) > 0 {
		t.Errorf("%s: %v", s.Name, got.Report.Notes)
	}
	return got
}

func compare(t *testing.T, what string, got, want any, opts cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, opts, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (- want, + got):\n%s", what, diff)
	}
}

// usedMaterials are the materials that faces name, by name, with textures as the names of their images: a loader may number
// both as it likes.
func usedMaterials(s *scene.Scene) map[string]scene.Material {
	materials := map[string]scene.Material{}
	for _, f := range s.Faces {
		m := s.Materials[f.Material]
		for _, ref := range []*scene.TextureRef{&m.Textures[scene.TextureBaseColor], &m.Textures[scene.TextureMetallicRoughness], &m.Textures[scene.TextureNormal]} {
			ref.Texture = min(ref.Texture, 0) // compareImages looks at which
		}
		materials[m.Name] = m
	}
	return materials
}

func compareImages(t *testing.T, name string, got, want *scene.Scene) {
	t.Helper()
	type picture struct {
		width, height int
		srgb          bool
		pixels        [sha256.Size]byte
	}
	pictures := func(s *scene.Scene) map[string]picture {
		images := map[string]picture{}
		used := map[uint32]bool{}
		for _, f := range s.Faces {
			used[f.Material] = true
		}
		for i := range used {
			m := s.Materials[i]
			for slot, ref := range map[string]scene.TextureRef{
				" color": m.Textures[scene.TextureBaseColor], " rough": m.Textures[scene.TextureMetallicRoughness], " normal": m.Textures[scene.TextureNormal],
			} {
				if ref.Texture >= 0 {
					img := s.Images[s.Textures[ref.Texture].Image]
					images[m.Name+slot] = picture{img.Width, img.Height, img.SRGB, sha256.Sum256(img.Pixels)}
				}
			}
		}
		return images
	}
	compare(t, name+" images", pictures(got), pictures(want), cmp.AllowUnexported(picture{}))
}

// area is the area of every material's faces, m².
func area(s *scene.Scene) map[string]float64 {
	areas := map[string]float64{}
	for _, f := range s.Faces {
		a := s.Vertices[f.V[0]].Position
		n := s.Vertices[f.V[1]].Position.Sub(a).Cross(s.Vertices[f.V[2]].Position.Sub(a))
		areas[s.Materials[f.Material].Name] += math.Sqrt(float64(n.LenSqr())) / 2
	}
	return areas
}
