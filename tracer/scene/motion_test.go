package scene_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// corner is what is compared of a drawn triangle's corner.
type corner struct{ position, normal mgl32.Vec3 }

// drawn are the triangles that a scene shows in a pose (nil: as it was loaded), in the world, in an order of their own.
func drawn(s *scene.Scene, pose *scene.Pose) [][3]corner {
	var out [][3]corner
	add := func(vertices []scene.Vertex, faces []scene.Face, world mgl32.Mat4) {
		normals := world.Mat3().Inv().Transpose()
		for _, f := range faces {
			var t [3]corner
			for k, v := range f.V {
				t[k] = corner{mgl32.TransformCoordinate(vertices[v].Position, world), normals.Mul3x1(vertices[v].Normal).Normalize()}
			}
			out = append(out, t)
		}
	}
	add(s.Vertices, s.Faces, mgl32.Ident4())
	moved := map[int][]scene.Vertex{}
	instances := s.Instances
	var hidden []bool
	if pose != nil {
		instances, hidden = pose.Instances, pose.Hidden
		for _, d := range pose.Deformed {
			moved[d.Mesh] = d.Vertices
		}
	}
	for i, in := range instances {
		if hidden != nil && hidden[i] {
			continue
		}
		vertices := s.Meshes[in.Mesh].Vertices
		if now, deformed := moved[in.Mesh]; deformed {
			vertices = now
		}
		add(vertices, s.Meshes[in.Mesh].Faces, in.World)
	}
	middle := func(t [3]corner) mgl32.Vec3 { return t[0].position.Add(t[1].position).Add(t[2].position) }
	slices.SortFunc(out, func(a, b [3]corner) int {
		p, q := middle(a), middle(b)
		for axis := range 3 {
			if math.Abs(float64(p[axis]-q[axis])) > 1e-3 {
				return cmp.Compare(p[axis], q[axis])
			}
		}
		return 0
	})
	return out
}

// TestPosesAreThoseOfStillFiles: at any time everything is where a file without animation has it that was written in that pose.
func TestPosesAreThoseOfStillFiles(t *testing.T) {
	s := tracertest.Moving(t)
	if s.Motion == nil || len(s.Motion.Clips) != 1 || s.Motion.Clips[0].Seconds != tracertest.MovingSeconds {
		t.Fatalf("the motion is %+v", s.Motion)
	}
	for _, at := range []float64{0, 0.3, 0.999, 1, 1.4, 1.5, 1.9, 2} {
		pose := s.Motion.Pose(0, at)
		still := tracertest.MovingAt(t, at)
		want, got := drawn(still, nil), drawn(s, pose)
		if len(want) != len(got) {
			t.Errorf("%v s: %d triangles, want %d", at, len(got), len(want))
			continue
		}
		for i := range want {
			for k := range 3 {
				const near = 2e-5
				if d := want[i][k].position.Sub(got[i][k].position).Len(); d > near {
					t.Fatalf("%v s: corner %v, want %v", at, got[i][k], want[i][k])
				}
				if d := want[i][k].normal.Sub(got[i][k].normal).Len(); d > 1e-3 {
					t.Fatalf("%v s: normal of %v, want %v", at, got[i][k], want[i][k])
				}
			}
		}
		if d := pose.Cameras[0].Eye.Sub(still.Cameras[0].Eye).Len(); d > 1e-6 {
			t.Errorf("%v s: the camera is at %v, want %v", at, pose.Cameras[0].Eye, still.Cameras[0].Eye)
		}
		if d := pose.Lights[0].Position.Sub(still.Lights[0].Position).Len(); d > 1e-6 {
			t.Errorf("%v s: the light is at %v, want %v", at, pose.Lights[0].Position, still.Lights[0].Position)
		}
	}
}

// TestPosesBeyondTheEnds: before the first key frame and after the last, things stay.
func TestPosesBeyondTheEnds(t *testing.T) {
	s := tracertest.Moving(t)
	for _, row := range [][2]float64{{-3, 0}, {99, tracertest.MovingSeconds}} {
		if got, want := drawn(s, s.Motion.Pose(0, row[0])), drawn(s, s.Motion.Pose(0, row[1])); !slices.Equal(got, want) {
			t.Errorf("at %v s the pose is not that of %v s", row[0], row[1])
		}
	}
	clip := &s.Motion.Clips[0]
	for _, row := range []struct {
		played float64
		loop   bool
		want   float64
	}{{0.5, true, 0.5}, {4.5, true, 0.5}, {-0.5, true, 1.5}, {4.5, false, 2}, {-1, false, 0}} {
		if got := clip.Time(row.played, row.loop); math.Abs(got-row.want) > 1e-12 {
			t.Errorf("after %v s (loop %v) the clip is at %v s, want %v", row.played, row.loop, got, row.want)
		}
	}
}
