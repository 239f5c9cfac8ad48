package scene

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sharedScenes is the folder of test models; the tests over it are skipped where it is absent.
func sharedScenes(t testing.TB) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "scenes")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs scenes that do not come with the project")
	}
	return dir
}

// model is one row of the scenes' README.
type model struct {
	path       string
	triangles  string // unique/instanced
	extensions []string
}

func readModels(t *testing.T, dir string) []model {
	f, err := os.Open(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []model
	for s := bufio.NewScanner(f); s.Scan(); {
		cells := strings.Split(s.Text(), "|")
		if len(cells) < 6 || !strings.Contains(cells[1], ".gl") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out = append(out, model{cells[1], cells[2], strings.Split(cells[3], ", ")})
	}
	return out
}

// copied are the models whose meshes EXT_mesh_gpu_instancing draws so many times, which the README does not count.
var copied = map[string]int{"SimpleInstancing/SimpleInstancing.glb": 125}

func TestLoadSharedScenes(t *testing.T) {
	dir := sharedScenes(t)
	models := readModels(t, dir)
	if len(models) < 70 {
		t.Fatalf("the README lists %d models, expected more than 70", len(models))
	}
	for _, m := range models {
		t.Run(m.path, func(t *testing.T) {
			s, err := Load(context.Background(), filepath.Join(dir, m.path), Options{Scene: -1})
			if err != nil {
				t.Fatal(err)
			}
			checkSound(t, s)
			checkTriangles(t, s, m)
			for _, e := range s.Report.Extensions {
				if !slices.Contains(m.extensions, e.Name) {
					t.Errorf("reports %s, the README does not", e.Name)
				}
				if e.Support == Ignored {
					t.Errorf("%s is ignored: %s", e.Name, e.Note)
				}
			}
		})
	}
}

// checkTriangles compares with the README, but for triangles that were dropped.
func checkTriangles(t *testing.T, s *Scene, m model) {
	t.Helper()
	_, instanced, _ := strings.Cut(m.triangles, "/")
	want, err := strconv.Atoi(instanced)
	if err != nil {
		t.Fatal(err)
	}
	want *= max(copied[m.path], 1)
	for _, w := range s.Report.Notes {
		var dropped int
		if n, _ := fmt.Sscan(w.Text, &dropped); n == 1 && strings.Contains(w.Text, "triangles without area") {
			want -= dropped
		}
	}
	if len(s.Faces) != want {
		t.Errorf("%d triangles, want %d", len(s.Faces), want)
	}
}

// checkSound tests what the renderer relies on in every scene.
func checkSound(t testing.TB, s *Scene) {
	t.Helper()
	for _, m := range append([]Mesh{{Vertices: s.Vertices, Faces: s.Faces}}, s.Meshes...) {
		checkMesh(t, &m, len(s.Materials))
	}
	for i, in := range s.Instances {
		if in.Mesh < 0 || in.Mesh >= len(s.Meshes) || in.World.Det() == 0 {
			t.Fatalf("instance %d of mesh %d has matrix %v", i, in.Mesh, in.World)
		}
	}
	if s.ImageLight != nil {
		for _, face := range s.ImageLight.Faces {
			if face < 0 || face >= len(s.Images) || len(s.Images[face].Pixels) == 0 {
				t.Fatalf("image %d around the scene is none of %d", face, len(s.Images))
			}
		}
	}
	for i := range s.Materials {
		for _, ref := range s.Materials[i].Textures {
			if ref.Texture >= len(s.Textures) || ref.UVSet < 0 || ref.UVSet > 1 {
				t.Fatalf("material %d: texture %d of %d, set %d", i, ref.Texture, len(s.Textures), ref.UVSet)
			}
		}
	}
	for i, x := range s.Textures {
		if x.Image < 0 || x.Image >= len(s.Images) {
			t.Fatalf("texture %d: image %d of %d", i, x.Image, len(s.Images))
		}
	}
	for i, c := range s.Cameras {
		eye, away := Single(c.Eye), c.Sight()
		if !finite(eye[:]) || !finite(c.Up[:]) || !finite(away[:]) || away.Len() == 0 || (c.VFov > 0) == (c.Orthographic > 0) {
			t.Fatalf("camera %d: %v", i, c)
		}
	}
	for i, light := range s.Lights {
		if !finite(light.Position[:]) || !finite(light.Direction[:]) || light.Direction.Len() < 0.99 {
			t.Fatalf("light %d: %v", i, light)
		}
	}
	for i, p := range s.Images {
		if p.Width < 1 || p.Height < 1 || len(p.Pixels) != p.TexelBytes()*p.Width*p.Height {
			t.Fatalf("image %d: %d × %d with %d bytes", i, p.Width, p.Height, len(p.Pixels))
		}
	}
}

func checkMesh(t testing.TB, m *Mesh, materials int) {
	t.Helper()
	checked := make([]bool, len(m.Vertices))
	for i, f := range m.Faces {
		if int(f.Material) >= materials {
			t.Fatalf("face %d: material %d of %d", i, f.Material, materials)
		}
		for _, v := range f.V {
			if int(v) >= len(m.Vertices) {
				t.Fatalf("face %d: vertex %d of %d", i, v, len(m.Vertices))
			}
			if !checked[v] {
				checked[v] = true
				checkVertex(t, m.Vertices[v])
			}
		}
	}
}

func checkVertex(t testing.TB, v Vertex) {
	t.Helper()
	tangent := v.Tangent.Vec3()
	if !finite(v.Position[:]) || !finite(v.UV[0][:]) || !finite(v.UV[1][:]) || !finite(v.Color[:]) {
		t.Fatalf("vertex not finite: %+v", v)
	}
	if abs32(v.Normal.Len()-1) > 1e-3 || abs32(tangent.Len()-1) > 1e-3 || abs32(tangent.Dot(v.Normal)) > 1e-3 {
		t.Fatalf("normal and tangent are no frame: %+v", v)
	}
	if v.Tangent[3] != 1 && v.Tangent[3] != -1 {
		t.Fatalf("handedness %v", v.Tangent[3])
	}
}

func BenchmarkLoadChess(b *testing.B) {
	path := filepath.Join(sharedScenes(b), "chess_proxy.glb")
	for b.Loop() {
		if _, err := Load(context.Background(), path, Options{Scene: -1}); err != nil {
			b.Fatal(err)
		}
	}
}
