package scene

import (
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// placedAt is a triangle, a copy of it by EXT_mesh_gpu_instancing, a skinned one, a camera and a light, below a node that
// stands at a point.
func placedAt(at mgl64.Vec3) *builder {
	b := newBuilder()
	b.extension("KHR_lights_punctual", gpuInstancing)
	b.doc["extensions"] = jsonObject{"KHR_lights_punctual": jsonObject{"lights": []any{jsonObject{"type": "spot"}}}}
	triangle := b.add("meshes", jsonObject{"primitives": []any{b.triangle(nil)}})
	skinned := b.triangle(nil)
	attributes := skinned["attributes"].(jsonObject)
	attributes["JOINTS_0"] = b.accessor(u8, "VEC4", 3, make([]uint8, 12))
	attributes["WEIGHTS_0"] = b.accessor(f32, "VEC4", 3, []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	moves := b.accessor(f32, "VEC3", 1, []float32{0.25, 0.5, -1})
	camera := b.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": 1, "znear": 0.1}})
	tilt := []float64{0.1, math.Sqrt(1 - 0.01 - 0.04), 0, 0.2} // about no axis of the world
	nodes := []any{
		jsonObject{"translation": at[:], "children": []int{1, 2, 3, 4, 5}},
		jsonObject{"mesh": triangle, "translation": []float64{0.3, 0.1, 0}},
		jsonObject{"mesh": triangle, "extensions": jsonObject{gpuInstancing: jsonObject{"attributes": jsonObject{"TRANSLATION": moves}}}},
		jsonObject{"mesh": b.add("meshes", jsonObject{"primitives": []any{skinned}}), "skin": b.add("skins", jsonObject{"joints": []int{5}})},
		jsonObject{"camera": camera, "translation": []float64{0.2, 0.4, 1}, "rotation": tilt,
			"extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": 0}}},
		jsonObject{"translation": []float64{-0.4, 0, 0.3}},
	}
	b.doc["nodes"], b.doc["scenes"] = nodes, []any{jsonObject{"nodes": []int{0}}}
	return b
}

// TestFarScene: a scene far from its origin is the scene at the origin, and knows where it was.
func TestFarScene(t *testing.T) {
	want := placedAt(mgl64.Vec3{}).load(t)
	if want.Origin != (mgl64.Vec3{}) {
		t.Fatalf("the scene at the origin has moved to %v", want.Origin)
	}
	for _, at := range []mgl64.Vec3{{500_000, 4_000_000, 0}, {-500_000, 300, -4_000_000}, {0, 0, 1e9}} {
		got := placedAt(at).load(t)
		if got.Origin != at {
			t.Fatalf("origin %v, want %v", got.Origin, at)
		}
		// A double at 1e9 m has steps of 1e-7 m.
		for i := range want.Vertices {
			if a, b := got.Vertices[i].Position, want.Vertices[i].Position; a.Sub(b).Len() > 3e-7 {
				t.Errorf("%v: vertex %d at %v, want %v", at, i, a, b)
			}
		}
		a, b := got.Cameras[0], want.Cameras[0]
		if a.Eye.Sub(b.Eye).Len() > 3e-7 || a.Target.Sub(b.Target).Len() > 1e-6 || a.Up != b.Up {
			t.Errorf("%v: camera %v, want %v", at, a, b)
		}
		if a, b := got.Lights[0], want.Lights[0]; a.Position.Sub(b.Position).Len() > 3e-7 || a.Direction != b.Direction {
			t.Errorf("%v: light %v, want %v", at, a, b)
		}
		if len(got.Faces) != 3 || !reflect.DeepEqual(got.Faces, want.Faces) {
			t.Errorf("%v: faces %v, want %v", at, got.Faces, want.Faces)
		}
	}
}

// TestFarInstances: repeated meshes that are kept once move along.
func TestFarInstances(t *testing.T) {
	grid := func(at float64) *Scene {
		b := newBuilder()
		var points []float32
		for i := range 3 * fewestFaces {
			points = append(points, float32(i%7)/8, float32(i*i%5)/8, float32(i%3)/8)
		}
		mesh := b.add("meshes", jsonObject{"primitives": []any{b.points(points)}})
		for i := range 3 {
			b.add("nodes", jsonObject{"mesh": mesh, "translation": []float64{at + 0.3*float64(i), 0, 0}})
		}
		s, err := load(t.Context(), b.glb(), noFiles, Options{Scene: -1, Instancing: InstanceAlways})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want, got := grid(0), grid(1<<22)
	if got.Origin != (mgl64.Vec3{1 << 22, 0, 0}) || len(got.Instances) != 3 {
		t.Fatalf("%d instances about %v", len(got.Instances), got.Origin)
	}
	for i, in := range got.Instances {
		if d := in.World.Col(3).Sub(want.Instances[i].World.Col(3)).Len(); d > 1e-7 {
			t.Errorf("instance %d is %v m off", i, d)
		}
	}
}

// TestFarVertices: vertices that are far by themselves keep what their file has of them.
func TestFarVertices(t *testing.T) {
	const far = 1 << 20 // m: single precision has steps of 1/8 m there
	b := newBuilder()
	b.mesh(b.points([]float32{far, 0, 0, far + 1.125, 0, 0, far, 1, 0}))
	s := b.load(t)
	if want := [3]mgl32.Vec3{{0, 0, 0}, {1.125, 0, 0}, {0, 1, 0}}; corners(s, 0) != want {
		t.Errorf("corners %v about %v, want %v", corners(s, 0), s.Origin, want)
	}
}

// TestNearScene: a scene that reaches near its origin stays where it is, also one with a part far away.
func TestNearScene(t *testing.T) {
	for _, at := range [][]float64{{60, 0, 0}, {0, -30, 30}} {
		b := newBuilder()
		b.mesh(b.triangle(nil))["translation"] = at
		if s := b.load(t); s.Origin != (mgl64.Vec3{}) {
			t.Errorf("a triangle at %v has moved to %v", at, s.Origin)
		}
	}
	b := newBuilder()
	b.mesh(b.triangle(nil))
	b.mesh(b.triangle(nil))["translation"] = []float64{1e6, 0, 0}
	if s := b.load(t); s.Origin != (mgl64.Vec3{}) {
		t.Errorf("it has moved to %v", s.Origin)
	}
}

// TestFileCoordinates: points and cameras go to the coordinates of the file, and points come back.
func TestFileCoordinates(t *testing.T) {
	s := Scene{Origin: mgl64.Vec3{500_000, 4_000_000, 0}}
	p := mgl64.Vec3{0.25, -0.5, 0.75}
	want := mgl64.Vec3{500_000.25, 3_999_999.5, 0.75}
	if got := s.ToFile(p); got != want || s.FromFile(got) != p {
		t.Errorf("%v is %v in the file and comes back as %v", p, got, s.FromFile(got))
	}
	if c := s.CameraToFile(Camera{Eye: p, Target: p, VFov: 40}); c.Eye != want || c.Target != want || c.VFov != 40 {
		t.Errorf("camera %v", c)
	}
}
