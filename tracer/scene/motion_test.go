package scene_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// TestPosesFollowTheFile: instances that come and go, cameras and lights are where a file without animation has them that was
// written in that pose. Vertices are made on the device: gpuscene has their test.
func TestPosesFollowTheFile(t *testing.T) {
	s := tracertest.Moving(t)
	if s.Motion == nil || len(s.Motion.Clips) != 1 || s.Motion.Clips[0].Seconds != tracertest.MovingSeconds {
		t.Fatalf("the motion is %+v", s.Motion)
	}
	shown := func(hidden []bool) (n int) {
		for _, h := range hidden {
			if !h {
				n++
			}
		}
		return n
	}
	all := shown(s.Motion.Pose(0, 0).Hidden)
	for at, gone := range map[float64]int{0: 0, 0.3: 0, 0.999: 0, 1: 1, 1.4: 1, 1.5: 2, 2: 2} {
		pose, still := s.Motion.Pose(0, at), tracertest.MovingAt(t, at)
		if n := shown(pose.Hidden); n != all-gone {
			t.Errorf("%v s: %d of %d instances are shown, want %d fewer", at, n, all, gone)
		}
		if d := pose.Cameras[0].Eye.Sub(still.Cameras[0].Eye).Len(); d > 1e-6 {
			t.Errorf("%v s: the camera is at %v, want %v", at, pose.Cameras[0].Eye, still.Cameras[0].Eye)
		}
		if d := pose.Lights[0].Position.Sub(still.Lights[0].Position).Len(); d > 1e-6 {
			t.Errorf("%v s: the light is at %v, want %v", at, pose.Lights[0].Position, still.Lights[0].Position)
		}
		if got, want := pose.Cameras[0].VFov, still.Cameras[0].VFov; math.Abs(float64(got-want)) > 1e-4 {
			t.Errorf("%v s: the camera sees %v°, want %v", at, got, want)
		}
		if got, want := pose.Lights[0].Intensity, still.Lights[0].Intensity; got.Sub(want).Len() > 1e-4 {
			t.Errorf("%v s: the light shines with %v cd, want %v", at, got, want)
		}
		for i, slot := range s.Motion.Materials {
			if got, want := numbers(pose.Materials[i]), numbers(still.Materials[slot]); !slices.EqualFunc(got, want, nearly) {
				t.Errorf("%v s: material %d is %v, want %v", at, slot, got, want)
			}
		}
	}
}

// numbers are some that clips change in the moving scene.
func numbers(m scene.Material) []float32 {
	return append(append(m.BaseColor[:], m.Emission[:]...), m.Roughness, m.Transmission)
}

func nearly(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 }

// TestPosesBeyondTheEnds: before the first key frame and after the last, things stay.
func TestPosesBeyondTheEnds(t *testing.T) {
	s := tracertest.Moving(t)
	for _, row := range [][2]float64{{-3, 0}, {99, tracertest.MovingSeconds}} {
		if got, want := s.Motion.Pose(0, row[0]), s.Motion.Pose(0, row[1]); !reflect.DeepEqual(got, want) {
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
