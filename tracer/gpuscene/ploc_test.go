package gpuscene_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// scattered is a scene of n random triangles, some of them all alike, some without area.
func scattered(n int) *scene.Scene {
	random := rand.New(rand.NewPCG(21, 22))
	s := &scene.Scene{Name: "scattered", Materials: []scene.Material{scene.NewMaterial("white")}}
	for i := range n {
		at := mgl32.Vec3{random.Float32(), random.Float32(), random.Float32()}
		if i%10 == 0 {
			at = mgl32.Vec3{0.5, 0.5, 0.5}
		}
		for k := range uint32(3) {
			p := at
			if i%17 != 0 {
				p[k] += 0.1
			}
			s.Vertices = append(s.Vertices, scene.Vertex{Position: p, Normal: mgl32.Vec3{0, 1, 0}})
		}
		v := uint32(3 * i)
		s.Faces = append(s.Faces, scene.Face{V: [3]uint32{v, v + 1, v + 2}})
	}
	return s
}

// TestQuickBVH: the tree of the GPU's builder holds every triangle once, inside of the boxes above it, in both
// encodings, and does not cost rays much more than the host's.
func TestQuickBVH(t *testing.T) {
	for name, s := range map[string]*scene.Scene{
		"spheres": made(t, "spheres", builtin.Options{Triangles: 20_000}), "chess": made(t, "chess", builtin.Options{Triangles: 20_000}),
		"scattered": scattered(3000), "64": scattered(64),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{BVH: "fast", OnDevice: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.BuildOn(device.NewCPU("")); err != nil {
				t.Fatal(err)
			}
			if err := gpuscene.CheckBVH(p); err != nil {
				t.Error(err)
			}
			slow, err := p.BuildBVH(context.Background(), "auto")
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("SAH cost %.1f, of the host's %.1f; depth %d and %d", p.BVH.SAH, slow.Stats.SAH, p.BVH.MaxDepth, slow.Stats.MaxDepth)
			if p.BVH.SAH > 1.15*slow.Stats.SAH {
				t.Errorf("SAH cost %.1f, of the host's tree %.1f", p.BVH.SAH, slow.Stats.SAH)
			}
		})
	}
}

// nested is a scene of n triangles with a common corner, of random sizes: next to each other all are inside of one another, and prefer what
// is smaller.
func nested(n int) *scene.Scene {
	random := rand.New(rand.NewPCG(23, 24))
	s := &scene.Scene{Name: "nested", Materials: []scene.Material{scene.NewMaterial("white")}}
	for i := range n {
		size := float32(math.Exp(-4 * random.Float64()))
		for k := range 3 {
			p := mgl32.Vec3{}
			p[k] = size
			s.Vertices = append(s.Vertices, scene.Vertex{Position: p, Normal: mgl32.Vec3{0, 1, 0}})
		}
		v := uint32(3 * i)
		s.Faces = append(s.Faces, scene.Face{V: [3]uint32{v, v + 1, v + 2}})
	}
	return s
}

// TestMergingEndsInTime: where few clusters merge in a round, the last rounds halve what is left. Else three were left of these.
func TestMergingEndsInTime(t *testing.T) {
	p, err := gpuscene.Prepare(t.Context(), nested(350_000), gpuscene.Options{BVH: "fast", OnDevice: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.MergeOn(device.NewCPU("")); err != nil {
		t.Error(err)
	}
}

// TestQuickBVHOfMillions: clusters of a finely tessellated surface merge slowly. So large a scene gets its BVH from the GPU also by auto.
func TestQuickBVHOfMillions(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 builds a BVH over four million triangles")
	}
	p, err := gpuscene.Prepare(t.Context(), made(t, "statue", builtin.Options{Triangles: 4_300_000}), gpuscene.Options{BVH: "auto", OnDevice: true})
	if err != nil {
		t.Fatal(err)
	}
	if p.BVH.Nodes > 0 || p.Method() != "auto" {
		t.Errorf("the host has built BVH %s, want auto from the GPU", p.Method())
	}
	if _, err := p.BuildOn(fastest(t)); err != nil {
		t.Fatal(err)
	}
	if err := gpuscene.CheckBVH(p); err != nil {
		t.Error(err)
	}
}

// TestQuickBVHOnDevice checks what the fastest backend builds: on a GPU machine the GPU's own tree.
func TestQuickBVHOnDevice(t *testing.T) {
	for _, triangles := range []int{20_000, 100_000} {
		p, err := gpuscene.Prepare(context.Background(), made(t, "spheres", builtin.Options{Triangles: triangles}), gpuscene.Options{BVH: "fast", OnDevice: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.BuildOn(fastest(t)); err != nil {
			t.Fatal(err)
		}
		if err := gpuscene.CheckBVH(p); err != nil {
			t.Errorf("%d triangles: %v", triangles, err)
		}
	}
}

// BenchmarkQuickBVH measures the kernels that build a tree, on the fastest backend.
func BenchmarkQuickBVH(b *testing.B) {
	for _, triangles := range []int{70_000, 1_100_000, 1_500_000, 2_000_000} {
		s := made(b, "spheres", builtin.Options{Triangles: triangles})
		p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{BVH: "fast", OnDevice: true})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(len(s.Faces)), func(b *testing.B) {
			d := fastest(b)
			best := math.Inf(1)
			for b.Loop() {
				spent, err := p.BuildOn(d)
				if err != nil {
					b.Fatal(err)
				}
				sum := 0.0
				for _, ms := range spent {
					sum += ms
				}
				if sum < best {
					best = sum
					b.Logf("%.3f ms: %v", sum, spent)
				}
			}
			b.ReportMetric(best, "kernel-ms")
		})
	}
}

// fastest is a GPU where there is one.
func fastest(t testing.TB) device.Device {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	d, err := device.Open(device.Options{Backend: "auto"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return d
}

// made is a built-in scene.
func made(t testing.TB, name string, o builtin.Options) *scene.Scene {
	t.Helper()
	s, err := builtin.Make(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
