package gpuscene_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// corner is what is compared of a drawn triangle's corner.
type corner struct{ position, normal mgl32.Vec3 }

// drawn are the triangles that a scene shows, in the world: in a pose by the vertices that the device made
// for it, else (nil) as the file has them.
func drawn(s *scene.Scene, pose *scene.Pose, device []cuda.Vertex) [][3]corner {
	var out [][3]corner
	first := len(s.Vertices)
	firsts := make([]int, len(s.Meshes))
	for i := range s.Meshes {
		firsts[i] = first
		first += len(s.Meshes[i].Vertices)
	}
	add := func(vertices []scene.Vertex, faces []scene.Face, world mgl32.Mat4, first int) {
		normals := world.Mat3().Inv().Transpose()
		for _, f := range faces {
			var t [3]corner
			for k, v := range f.V {
				position, normal := vertices[v].Position, vertices[v].Normal
				if device != nil {
					position, normal = device[first+int(v)].Position, device[first+int(v)].Normal
				}
				t[k] = corner{mgl32.TransformCoordinate(position, world), normals.Mul3x1(normal).Normalize()}
			}
			out = append(out, t)
		}
	}
	add(s.Vertices, s.Faces, mgl32.Ident4(), 0)
	instances := s.Instances
	if pose != nil {
		instances = pose.Instances
	}
	for i, in := range instances {
		if pose == nil || !pose.Hidden[i] {
			add(s.Meshes[in.Mesh].Vertices, s.Meshes[in.Mesh].Faces, in.World, firsts[in.Mesh])
		}
	}
	return out
}

// uploadMoving is a scene that moves on a device.
func uploadMoving(t *testing.T) (*scene.Scene, *gpuscene.Scene, device.Device) {
	t.Helper()
	s := tracertest.Moving(t)
	p, err := gpuscene.Prepare(t.Context(), s, gpuscene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := fastest(t)
	posed, err := gpuscene.Upload(d, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { posed.Free(d) })
	return s, posed, d
}

// In any pose every corner is where a file without animation has it that was written in that pose, and trees hold what moved.
func TestPosesAreThoseOfStillFiles(t *testing.T) {
	s, posed, d := uploadMoving(t)
	for _, at := range []float64{1.9, 0, 0.3, 0.999, 1, 1.4, 1.5, 2} {
		pose := s.Motion.Pose(0, at)
		if err := posed.Pose(d, pose); err != nil {
			t.Fatal(err)
		}
		vertices, err := gpuscene.Vertices(posed, d)
		if err != nil {
			t.Fatal(err)
		}
		compareCorners(t, at, drawn(tracertest.MovingAt(t, at), nil, nil), drawn(s, pose, vertices))
		if err := gpuscene.CheckMeshes(posed, d); err != nil {
			t.Errorf("%v s: %v", at, err)
		}
	}
}

// TestPosesReadFacesThatAreThere: the BVH that a scene came with may have been replaced since.
func TestPosesReadFacesThatAreThere(t *testing.T) {
	s, posed, d := uploadMoving(t)
	for deadline := time.Now().Add(time.Minute); posed.HasBVH("auto"); time.Sleep(time.Millisecond) {
		if _, err := posed.RequestBVH(d, t, "fast"); err != nil || time.Now().After(deadline) {
			t.Fatalf("--bvh fast has not taken the place of auto: %v", err)
		}
	}
	if err := posed.Pose(d, s.Motion.Pose(0, 1)); err != nil {
		t.Fatal(err)
	}
	if err := gpuscene.CheckPosedFaces(posed); err != nil {
		t.Error(err)
	}
}

func compareCorners(t *testing.T, at float64, want, got [][3]corner) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%v s: %d triangles, want %d", at, len(got), len(want))
		return
	}
	for _, w := range want { // each with the nearest that is left
		apart := func(g [3]corner) (sum float32) {
			for k := range 3 {
				sum += w[k].position.Sub(g[k].position).Len()
			}
			return sum
		}
		i := 0
		for k := range got {
			if apart(got[k]) < apart(got[i]) {
				i = k
			}
		}
		g := got[i]
		got = slices.Delete(got, i, i+1)
		for k := range 3 {
			const near = 2e-5
			if d := w[k].position.Sub(g[k].position).Len(); d > near {
				t.Fatalf("%v s: corner %v, want %v", at, g[k], w[k])
			}
			if d := w[k].normal.Sub(g[k].normal).Len(); d > 1e-3 {
				t.Fatalf("%v s: normal of %v, want %v", at, g[k], w[k])
			}
		}
	}
}

// BenchmarkPose measures poses of the files that GLINT_MOVING names (path:path), on the fastest backend: what the processor does for
// one, the kernels that deform and those that refit trees, and all of it.
func BenchmarkPose(b *testing.B) {
	for _, path := range filepath.SplitList(os.Getenv("GLINT_MOVING")) {
		s, err := scene.Load(b.Context(), path, scene.Options{Scene: -1, Animated: true})
		if err != nil {
			b.Fatal(err)
		}
		p, err := gpuscene.Prepare(b.Context(), s, gpuscene.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(path), func(b *testing.B) {
			d := fastest(b)
			posed, err := gpuscene.Upload(d, p, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer posed.Free(d)
			var host, whole, deform, refit float64 // ms
			frames := 0.0
			for b.Loop() {
				frames++
				begun := time.Now()
				pose := s.Motion.Pose(0, s.Motion.Clips[0].Time(frames/60, true))
				host += ms(begun)
				begun = time.Now()
				if err := posed.Pose(d, pose); err != nil {
					b.Fatal(err)
				}
				whole += ms(begun)
			}
			var times device.Timings
			d.Time(&times)
			if err := posed.Pose(d, s.Motion.Pose(0, 0.5)); err != nil {
				b.Fatal(err)
			}
			d.Time(nil)
			for slot, spent := range times.Ms {
				if name := device.Slot(slot).String(); strings.HasPrefix(name, "refit") {
					refit += spent
				} else {
					deform += spent
				}
			}
			b.ReportMetric(host/frames, "processor-ms")
			b.ReportMetric(whole/frames, "device-ms")
			b.ReportMetric(deform, "deform-ms")
			b.ReportMetric(refit, "refit-ms")
		})
	}
}

func ms(since time.Time) float64 { return float64(time.Since(since)) / 1e6 }
