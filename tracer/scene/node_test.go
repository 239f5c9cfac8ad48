package scene

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

func TestHierarchy(t *testing.T) {
	b := newBuilder()
	node := b.mesh(b.triangle(nil))
	node["translation"] = []any{1, 0, 0}
	h := math.Sqrt2 / 2
	b.add("nodes", jsonObject{ // a quarter turn about Z after doubling, then up by 5
		"children": []any{0}, "rotation": []any{0, 0, h, h}, "scale": []any{2, 2, 2}, "translation": []any{0, 5, 0},
	})
	b.add("nodes", jsonObject{
		"children": []any{1}, "matrix": []any{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 7, 1},
	})
	got := corners(b.load(t), 0)
	want := [3]mgl32.Vec3{{0, 7, 7}, {0, 9, 7}, {-2, 7, 7}}
	for i := range got {
		if !near(got[i][:], want[i][:], 1e-5) {
			t.Errorf("corner %d: %v, want %v", i, got[i], want[i])
		}
	}
}

func TestBadHierarchies(t *testing.T) {
	tests := []struct {
		name  string
		nodes []any
		word  string
	}{
		{"own child", []any{jsonObject{"children": []any{0}}}, "parent"},
		{"cycle", []any{jsonObject{"children": []any{1}}, jsonObject{"children": []any{0}}}, "ancestor"},
		{"two parents", []any{jsonObject{"children": []any{2}}, jsonObject{"children": []any{2}}, jsonObject{}}, "parent"},
		{"missing child", []any{jsonObject{"children": []any{5}}}, "out of range"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			b.doc["nodes"] = test.nodes
			b.fails(t, "node", test.word)
		})
	}
}

func TestDeepHierarchy(t *testing.T) {
	b := newBuilder()
	const depth = 20000
	for i := range depth - 1 {
		b.add("nodes", jsonObject{"children": []any{i + 1}, "translation": []any{0, 0, 1}})
	}
	b.mesh(b.triangle(nil))
	s := b.load(t)
	if z := s.ToFile(Wide(corners(s, 0)[0]))[2]; z != depth-1 {
		t.Errorf("the deepest node stands at %v, want %v", z, depth-1)
	}
}

func TestScenes(t *testing.T) {
	b := newBuilder()
	for i := range 3 {
		b.mesh(b.triangle(nil))["translation"] = []any{i, 0, 0}
		b.add("scenes", jsonObject{"nodes": []any{i}})
	}
	b.doc["scene"] = 1
	for _, test := range []struct {
		option int
		x      float32
	}{{-1, 1}, {0, 0}, {2, 2}} {
		s, err := load(context.Background(), b.glb(), noFiles, Options{Scene: test.option})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Faces) != 1 || corners(s, 0)[0][0] != test.x {
			t.Errorf("scene %d: %d faces at %v, want one at %v", test.option, len(s.Faces), s.Vertices, test.x)
		}
	}
	if _, err := load(context.Background(), b.glb(), noFiles, Options{Scene: 3}); err == nil || !strings.Contains(err.Error(), "3") {
		t.Errorf("scene 3 does not exist, yet: %v", err)
	}
}

func TestVisibility(t *testing.T) {
	b := newBuilder()
	b.extension("KHR_node_visibility")
	b.mesh(b.triangle(nil))
	b.add("nodes", jsonObject{
		"children": []any{0}, "extensions": jsonObject{"KHR_node_visibility": jsonObject{"visible": false}},
	})
	if s := b.load(t); len(s.Faces) != 0 {
		t.Errorf("%d faces of an invisible node", len(s.Faces))
	}
}

func TestCameras(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(nil))
	b.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": math.Pi / 3, "znear": 0.1}})
	b.add("cameras", jsonObject{"type": "orthographic", "name": "plan", "orthographic": jsonObject{
		"xmag": 2, "ymag": 3, "znear": 0, "zfar": 9,
	}})
	h := math.Sqrt2 / 2
	b.add("nodes", jsonObject{"camera": 0, "name": "front", "translation": []any{0, 0, 4}})
	b.add("nodes", jsonObject{"camera": 1, "translation": []any{0, 6, 0}, "rotation": []any{-h, 0, 0, h}})
	c := b.load(t).Cameras
	if len(c) != 2 {
		t.Fatalf("%d cameras", len(c))
	}
	if c[0].Name != "front" || abs32(c[0].VFov-60) > 1e-4 || c[0].Orthographic != 0 || c[0].Eye != (mgl64.Vec3{0, 0, 4}) {
		t.Errorf("perspective: %+v", c[0])
	}
	if want := (mgl64.Vec3{0, 0, 0}); !c[0].Target.ApproxEqualThreshold(want, 1e-5) {
		t.Errorf("the target lies beside the scene's middle: %v, want %v", c[0].Target, want)
	}
	down := c[1].Target.Sub(c[1].Eye).Normalize()
	if c[1].Name != "plan" || c[1].Orthographic != 3 || c[1].VFov != 0 || down[1] > -0.999 || c[1].Up[2] > -0.999 {
		t.Errorf("orthographic: %+v", c[1])
	}
}

func TestLights(t *testing.T) {
	b := newBuilder()
	b.extension("KHR_lights_punctual")
	b.doc["extensions"] = jsonObject{"KHR_lights_punctual": jsonObject{"lights": []any{
		jsonObject{"type": "point", "color": []any{1, 0.5, 0}, "intensity": 10, "range": 3, "name": "bulb"},
		jsonObject{"type": "spot", "spot": jsonObject{"innerConeAngle": 0.2, "outerConeAngle": 0.4}},
		jsonObject{"type": "directional", "intensity": 2},
		jsonObject{"type": "spot"},
	}}}
	h := math.Sqrt2 / 2
	for i := range 4 {
		b.add("nodes", jsonObject{
			"translation": []any{0, 1, 0}, "rotation": []any{-h, 0, 0, h}, "scale": []any{5, 5, 5},
			"extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": i}},
		})
	}
	s := b.load(t)
	want := []Light{
		{Name: "bulb", Kind: LightPoint, Intensity: mgl32.Vec3{10, 5, 0}, Range: 3},
		{Kind: LightSpot, Intensity: mgl32.Vec3{1, 1, 1}, InnerCone: 0.2, OuterCone: 0.4},
		{Kind: LightDirectional, Intensity: mgl32.Vec3{2, 2, 2}},
		{Kind: LightSpot, Intensity: mgl32.Vec3{1, 1, 1}, OuterCone: math.Pi / 4},
	}
	if len(s.Lights) != len(want) || !s.Report.HasLight {
		t.Fatalf("%d lights, report says %v", len(s.Lights), s.Report.HasLight)
	}
	for i, got := range s.Lights {
		if got.Position != (mgl32.Vec3{0, 1, 0}) || got.Direction[1] > -0.9999 {
			t.Errorf("light %d stands at %v and shines along %v", i, got.Position, got.Direction)
		}
		got.Position, got.Direction = mgl32.Vec3{}, mgl32.Vec3{}
		if got != want[i] {
			t.Errorf("light %d: %+v, want %+v", i, got, want[i])
		}
	}
}

func TestBadLights(t *testing.T) {
	tests := []struct {
		light jsonObject
		word  string
	}{
		{jsonObject{"type": "ambient"}, "light 0: type: \"ambient\" is none of"},
		{jsonObject{"type": "point", "intensity": -1}, "lights[0].intensity: -1 is below 0: 0 is used"},
		{jsonObject{"type": "point", "range": 0}, "lights[0].range: 0 is not above 0"},
		{jsonObject{"type": "spot", "spot": jsonObject{"innerConeAngle": 1, "outerConeAngle": 0.5}}, "innerConeAngle: 1 is not below the outer angle, 0.5: the edge of the cone is sharp"},
		{jsonObject{"type": "spot", "spot": jsonObject{"outerConeAngle": 0}}, "outerConeAngle: is 0: the light shines nowhere"},
		{nil, "light: 0 is out of range: of lights the file has 0"},
	}
	for i, test := range tests {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b := newBuilder()
			b.extension("KHR_lights_punctual")
			var lights []any
			if test.light != nil {
				lights = append(lights, test.light)
			}
			b.doc["extensions"] = jsonObject{"KHR_lights_punctual": jsonObject{"lights": lights}}
			b.add("nodes", jsonObject{"extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": 0}}})
			b.mesh(b.triangle(nil))
			b.degrades(t, test.word)
		})
	}
}
