package tracer_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/scene"
	"glint/tracer/settings"
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

// TestQuickTree: the tree of the device's builder holds every triangle once, inside of the boxes above it, in both
// encodings, and does not cost rays much more than the host's.
func TestQuickTree(t *testing.T) {
	for name, s := range map[string]*scene.Scene{
		"spheres": made(t, "spheres", builtin.Options{Triangles: 20_000}), "chess": made(t, "chess", builtin.Options{Triangles: 20_000}),
		"scattered": scattered(3000), "64": scattered(64), "few": scattered(9),
	} {
		t.Run(name, func(t *testing.T) {
			besides(t)
			p, err := tracer.PrepareWith(s, tracer.PrepareOptions{Tree: "fast"})
			if err != nil {
				t.Fatal(err)
			}
			if err := tracer.CheckTree(p); err != nil {
				t.Error(err)
			}
			slow, err := p.Grow("auto")
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("SAH cost %.1f, of the host's %.1f; depth %d and %d", p.Tree.SAH, slow.Stats.SAH, p.Tree.MaxDepth, slow.Stats.MaxDepth)
			if p.Tree.SAH > 1.15*slow.Stats.SAH {
				t.Errorf("SAH cost %.1f, of the host's tree %.1f", p.Tree.SAH, slow.Stats.SAH)
			}
		})
	}
}

// TestQuickTreeInPlace: a tree that the device builds for itself gives the picture of the host's tree, on each build of the
// kernels, and on the GPU where there is one.
func TestQuickTreeInPlace(t *testing.T) {
	s := made(t, "spheres", builtin.Options{Triangles: 20_000})
	v := shot{camera: s.Cameras[0], width: 48, height: 32, samples: 1, settings: changed(func(o *settings.Settings) {
		o.Integrator, o.RestirMIS = "restir-gi", "full" // whose rays go through the wide tree
	})}
	studios := map[string]*studio{"fastest": onFastest(t)}
	for name, variant := range map[string]cuda.Variant{"baseline": cuda.Baseline, "best": cuda.BestVariant()} {
		r, err := tracer.OpenVariant(variant)
		if err != nil {
			t.Fatal(err)
		}
		studios[name] = newStudio(t, r)
	}
	for name, st := range studios {
		want := st.use(s, nil).take(v)
		p, err := tracer.PrepareWith(s, tracer.PrepareOptions{Tree: "fast", OnDevice: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.r.Use(p); err != nil {
			t.Fatal(err)
		}
		fast := v
		fast.settings.BVH = "fast"
		if got := st.take(fast); !slices.Equal(got.Pix, want.Pix) {
			t.Errorf("%s: another picture than through the host's tree", name)
		}
	}
}

// TestQuickTreeOnDevice checks what the fastest backend builds: on a GPU machine the GPU's own tree.
func TestQuickTreeOnDevice(t *testing.T) {
	for _, triangles := range []int{20_000, 100_000} {
		p, err := tracer.PrepareWith(made(t, "spheres", builtin.Options{Triangles: triangles}), tracer.PrepareOptions{Tree: "fast", OnDevice: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := onFastest(t).r.GrowOn(p); err != nil {
			t.Fatal(err)
		}
		if err := tracer.CheckTree(p); err != nil {
			t.Errorf("%d triangles: %v", triangles, err)
		}
	}
}

// BenchmarkQuickTree measures the kernels that build a tree, on the fastest backend.
func BenchmarkQuickTree(b *testing.B) {
	for _, triangles := range []int{70_000, 1_100_000, 1_500_000, 2_000_000} {
		s := made(b, "spheres", builtin.Options{Triangles: triangles})
		p, err := tracer.PrepareWith(s, tracer.PrepareOptions{Tree: "fast", OnDevice: true})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(len(s.Faces)), func(b *testing.B) {
			r := onFastest(b).r
			best := math.Inf(1)
			for b.Loop() {
				spent, err := r.GrowOn(p)
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
