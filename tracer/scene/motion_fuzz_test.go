package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// movingScene is the rich scene with an animation of everything that it has.
func movingScene() *builder {
	b := richScene()
	b.extension(animationPointer, "KHR_node_visibility")
	times := b.accessor(f32, "SCALAR", 3, []float32{0, 0.5, 2})
	var channels, samplers []any
	animate := func(target jsonObject, how string, output int) {
		channels = append(channels, jsonObject{"sampler": len(samplers), "target": target})
		samplers = append(samplers, jsonObject{"input": times, "output": output, "interpolation": how})
	}
	places := b.accessor(f32, "VEC3", 3, []float32{0, 0, 0, 1, 0, 0, 1, 1, 0})
	splines := b.accessor(f32, "VEC3", 9, make([]float32, 27))
	turns := b.accessor(i8, "VEC4", 3, []int8{0, 0, 0, 127, 0, 127, 0, 0, 90, 0, 0, 90})
	animate(jsonObject{"node": 0, "path": "translation"}, "LINEAR", places)
	animate(jsonObject{"node": 0, "path": "weights"}, "LINEAR", b.accessor(f32, "SCALAR", 3, []float32{0, 1, 0.5}))
	animate(jsonObject{"node": 1, "path": "rotation"}, "LINEAR", turns)
	animate(jsonObject{"node": 1, "path": "scale"}, "STEP", places)
	animate(jsonObject{"node": 1, "path": "translation"}, "CUBICSPLINE", splines)
	animate(jsonObject{"path": "pointer", "extensions": jsonObject{animationPointer: jsonObject{"pointer": "/nodes/0/extensions/KHR_node_visibility/visible"}}},
		"STEP", b.accessor(u8, "SCALAR", 3, []uint8{1, 0, 1}))
	numbers := b.accessor(f32, "SCALAR", 3, []float32{0.5, 0, 1})
	for _, pointer := range []string{
		"/materials/0/pbrMetallicRoughness/roughnessFactor", "/materials/0/extensions/KHR_materials_ior/ior",
		"/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", "/materials/0/extensions/KHR_materials_transmission/transmissionFactor",
		"/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation",
		"/extensions/KHR_lights_punctual/lights/0/intensity", "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", "/cameras/0/perspective/yfov",
	} {
		animate(jsonObject{"path": "pointer", "extensions": jsonObject{animationPointer: jsonObject{"pointer": pointer}}}, "LINEAR", numbers)
	}
	animate(jsonObject{"path": "pointer", "extensions": jsonObject{animationPointer: jsonObject{"pointer": "/materials/0/emissiveFactor"}}}, "LINEAR", places)
	b.add("animations", jsonObject{"name": "all of it", "channels": channels, "samplers": samplers})
	return b
}

func TestMovingSceneMoves(t *testing.T) {
	s, err := load(t.Context(), movingScene().glb(), noFiles, Options{Scene: -1, Animated: true})
	if err != nil {
		t.Fatal(err)
	}
	if s.Motion == nil || len(s.Motion.Clips[0].channels) != 15 || len(s.Report.Notes) > 0 {
		t.Fatalf("of 15 channels %+v are played; warnings %q", s.Motion, s.Report.Notes)
	}
	checkPoses(t, s)
}

// checkPoses fails unless every pose fits its scene, and nothing in it is beyond numbers that kernels can take.
func checkPoses(t testing.TB, s *Scene) {
	t.Helper()
	if s.Motion == nil {
		return
	}
	for i := range s.Motion.Clips {
		clip := &s.Motion.Clips[i]
		for _, at := range []float64{0, clip.Seconds / 3, clip.Seconds, clip.Time(1e6, true)} {
			checkPose(t, s, s.Motion.Pose(i, at))
		}
	}
}

func checkPose(t testing.TB, s *Scene, p *Pose) {
	t.Helper()
	if len(p.Instances) != len(s.Instances) || len(p.Hidden) != len(s.Instances) || len(p.Cameras) != len(s.Cameras) || len(p.Lights) != len(s.Lights) {
		t.Fatalf("%d instances, %d hidden, %d cameras, %d lights do not fit the scene", len(p.Instances), len(p.Hidden), len(p.Cameras), len(p.Lights))
	}
	for i, in := range p.Instances {
		if in.Mesh != s.Instances[i].Mesh {
			t.Fatalf("instance %d is of mesh %d, not %d", i, in.Mesh, s.Instances[i].Mesh)
		}
		if _, err := Inverse(in.World); err != nil && !p.Hidden[i] {
			t.Fatalf("instance %d is shown: %v", i, err)
		}
	}
	meshes := s.Motion.Deforming()
	if len(p.Deformed) != len(meshes) {
		t.Fatalf("%d of %d meshes are deformed", len(p.Deformed), len(meshes))
	}
	for i, m := range meshes {
		joints, moved := p.Deformed[i].Joints, s.Meshes[m.Mesh]
		if len(m.Vertices) != len(moved.Vertices) || len(m.Joints) != m.Influences*len(m.Vertices) || len(m.Weights) != len(m.Joints) || len(joints) == 0 {
			t.Fatalf("mesh %d: %d vertices with %d influences do not fit", m.Mesh, len(m.Vertices), len(m.Joints))
		}
		for k, joint := range m.Joints {
			if m.Weights[k] > 0 && int(joint) >= len(joints) {
				t.Fatalf("mesh %d: joint %d of %d", m.Mesh, joint, len(joints))
			}
		}
		for _, target := range m.Targets {
			for _, deltas := range [][]mgl32.Vec3{target.Positions, target.Normals, target.Tangents} {
				if deltas != nil && len(deltas) != len(m.Vertices) {
					t.Fatalf("mesh %d: a target has %d vertices, not %d", m.Mesh, len(deltas), len(m.Vertices))
				}
			}
		}
		if m.Flat && len(m.Vertices)%3 != 0 {
			t.Fatalf("mesh %d is flat and has %d vertices", m.Mesh, len(m.Vertices))
		}
	}
	if len(p.Materials) != len(s.Motion.Materials) {
		t.Fatalf("%d of %d materials are there", len(p.Materials), len(s.Motion.Materials))
	}
	checkLooks(t, p)
	for i, l := range p.Lights {
		if !finite(l.Position[:]) || !finite(l.Direction[:]) {
			t.Fatalf("light %d: %v", i, l)
		}
	}
}

// A framed camera sees what moves wherever it comes: a rigid triangle that goes two metres to the side, and one bent by joints.
func TestFrameHoldsMotion(t *testing.T) {
	rigid := newBuilder()
	rigid.mesh(rigid.triangle(nil))
	rigid.add("scenes", jsonObject{"nodes": []any{0}})
	times := rigid.accessor(f32, "SCALAR", 2, []float32{0, 1})
	way := rigid.accessor(f32, "VEC3", 2, []float32{0, 0, 0, 2, 0.5, 0})
	rigid.add("animations", jsonObject{"channels": []any{jsonObject{"sampler": 0, "target": jsonObject{"node": 0, "path": "translation"}}},
		"samplers": []any{jsonObject{"input": times, "output": way}}})
	for name, b := range map[string]*builder{"rigid": rigid, "skinned": movingScene()} {
		s, err := load(t.Context(), b.glb(), noFiles, Options{Scene: -1, Animated: true})
		if err != nil {
			t.Fatal(err)
		}
		camera, seen := s.FrameAll(1.5), 0
		for k := range 20 {
			pose := s.Motion.Pose(0, s.Motion.Clips[0].Seconds*float64(k)/20)
			var points []mgl32.Vec3
			if len(pose.Deformed) > 0 {
				points = s.Motion.parts[0].passed(nil, &pose.Deformed[0])
			} else {
				points = append(points, mgl32.TransformCoordinate(s.Meshes[0].Vertices[1].Position, pose.Instances[0].World))
			}
			for _, p := range points {
				seen++
				if x, y, behind := projected(camera, 1.5, p); behind || x*x > 1.05 || y*y > 1.05 {
					t.Errorf("%s, moment %d of 20: %v is at %v, %v of the picture", name, k, p, x, y)
				}
			}
		}
		if seen < 20 {
			t.Errorf("%s: only %d points", name, seen)
		}
	}
}
