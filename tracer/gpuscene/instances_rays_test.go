package gpuscene_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// rayTracers are the ways through two levels that this processor can run, the GPU's ray loop among them.
func rayTracers() map[string]func(f *cuda.Frame, n int, anyHit bool) {
	run := func(v cuda.Variant, closest, any cuda.Kernel) func(*cuda.Frame, int, bool) {
		return func(f *cuda.Frame, n int, anyHit bool) {
			if anyHit {
				closest = any
			}
			cuda.Run(v, closest, f, 0, n, 0)
		}
	}
	best := cuda.BestVariant()
	return map[string]func(*cuda.Frame, int, bool){
		"binary, baseline": run(cuda.Baseline, cuda.TraceRaysClosest, cuda.TraceRaysAny),
		"binary":           run(best, cuda.TraceRaysClosest, cuda.TraceRaysAny),
		"queue":            run(best, cuda.QueueRaysClosest, cuda.QueueRaysAny),
		"GPU's queue":      func(f *cuda.Frame, n int, anyHit bool) { probe.Walk(f, 0, n, anyHit) },
	}
}

// Rays meet instances where they would meet copies.
func TestRaysMeetInstances(t *testing.T) {
	const n = 20_000
	s := crowd(t)
	frames := make([]cuda.Frame, 2)
	for i, scene := range []*scene.Scene{s, baked(s)} {
		fx := tracertest.OnCPU(t).Use(scene, tracertest.Dark())
		fx.Frame(schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 8, Height: 8}}, settings.Defaults(), view.Target{})
		frames[i] = fx.Device.FrameOf(cuda.TracePaths)
	}
	rays := memoryOf[cuda.Ray](t, n)
	for i := range rays.values {
		a, b := somewhere(2*i), somewhere(2*i+1)
		rays.values[i] = cuda.Ray{Origin: a, Direction: b.Sub(a).Normalize(), TMax: math.MaxFloat32}
	}
	for how, trace := range rayTracers() {
		for _, anyHit := range []bool{false, true} {
			var hits [2]memory[cuda.Hit]
			for i := range frames {
				hits[i] = memoryOf[cuda.Hit](t, n)
				frames[i].Rays.Rays, frames[i].Rays.Hits, frames[i].Rays.Count = rays.Address(), hits[i].Address(), n
				trace(&frames[i], n, anyHit)
			}
			differ, instanced := 0, 0
			for i, a := range hits[0].values {
				b := hits[1].values[i]
				if a.Triangle != cuda.NoHit && a.Triangle >= cuda.FirstInstanced {
					instanced++
				}
				if (a.Triangle == cuda.NoHit) != (b.Triangle == cuda.NoHit) || math.Abs(float64(a.T-b.T)) > 2e-5*float64(b.T)+3e-6 {
					differ++
				}
			}
			if differ > n/1000 || !anyHit && instanced < n/10 {
				t.Errorf("%s, any hit %v: %d of %d rays differ, %d meet instances", how, anyHit, differ, n, instanced)
			}
		}
	}
}

// somewhere is a point of the room, by number.
func somewhere(i int) mgl32.Vec3 {
	f := func(step float64) float32 { _, x := math.Modf(float64(i+1) * step); return float32(1.9*x - 0.95) }
	return mgl32.Vec3{f(0.8191725), f(0.6710436) + 1, f(0.5497004)}
}

// memory is an array that kernels may use.
type memory[T any] struct {
	cuda.Memory
	values []T
}

func memoryOf[T any](t testing.TB, n int) memory[T] {
	t.Helper()
	var zero T
	m, err := cuda.Alloc(n * int(unsafe.Sizeof(zero)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	return memory[T]{m, unsafe.Slice((*T)(unsafe.Pointer(&m.Bytes()[0])), n)}
}
