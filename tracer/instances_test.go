package tracer_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer"
	"glint/tracer/scene"
)

// Instances look like copies, whatever traces and shades them: the same samples give the same pixels, but where a path meets an
// edge.
func TestInstancesLookLikeCopies(t *testing.T) {
	s := crowd(t)
	copies := baked(s)
	for _, variant := range []cuda.Variant{cuda.Baseline, cuda.BestVariant()} {
		for _, how := range []struct{ exec, integrator, sort string }{
			{"megakernel", "path", "none"}, {"wavefront", "path", "class"}, {"megakernel", "restir-gi", "none"}, {"wavefront", "restir-gi", "none"},
		} {
			view := shot{camera: s.Cameras[0], width: 96, height: 96, samples: 1, settings: changed(func(o *tracer.Settings) {
				o.Exec, o.Integrator, o.Sort, o.Bounces = how.exec, how.integrator, how.sort, 3
			})}
			r, err := tracer.OpenVariant(variant)
			if err != nil {
				t.Fatal(err)
			}
			st := newStudio(t, r)
			a, b := st.use(s, dark()).take(view), st.use(copies, dark()).take(view)
			if far := shareBeyond(a, b, 1e-3); far > 2e-3 {
				t.Errorf("%v of build %v: %.2f %% of the pixels differ", how, variant, 100*far)
			}
			if how.exec == "wavefront" {
				continue
			}
			slices.Reverse(s.Instances)
			if again := st.use(s, dark()).take(view); !slices.Equal(a.Pix, again.Pix) {
				t.Errorf("%v of build %v: the order of instances shows", how, variant)
			}
			slices.Reverse(s.Instances)
		}
	}
}

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
		st := onCPU(t).use(scene, dark())
		frames[i] = st.r.FrameOf(tracer.View{Camera: s.Cameras[0], Width: 8, Height: 8}, tracer.Defaults())
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
				frames[i].Rays, frames[i].Hits, frames[i].RayCount = rays.Address(), hits[i].Address(), n
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

// A ray that leaves an instance must not meet it again, nor pass through it, wherever it stands and in whatever unit its mesh is.
func TestInstancesAreLeftAndClosed(t *testing.T) {
	for _, row := range []struct {
		name  string
		shift mgl32.Vec3 // of the mesh in its own space
		scale float32
		at    mgl32.Vec3
	}{
		{"small unit", mgl32.Vec3{}, 0.001, mgl32.Vec3{1, 2, 3}},
		{"large unit", mgl32.Vec3{}, 1000, mgl32.Vec3{}},
		{"far away", mgl32.Vec3{}, 1, mgl32.Vec3{2000, -1500, 1000}},
		{"mesh away from its origin", mgl32.Vec3{500, 300, -400}, 0.1, mgl32.Vec3{3, 1, 2}},
	} {
		t.Run(row.name, func(t *testing.T) {
			white := scene.NewMaterial("white")
			white.Metallic, white.Specular, white.SpecularColor = 0, 0, mgl32.Vec3{}
			m := lump(40, 60, 0, 0)
			for i := range m.Vertices {
				m.Vertices[i].Position = m.Vertices[i].Position.Add(row.shift)
				m.Vertices[i].Tangent[3] = 1
			}
			k := row.scale
			world := mgl32.Translate3D(row.at[0], row.at[1], row.at[2]).Mul4(mgl32.HomogRotate3D(0.6, mgl32.Vec3{0.6, 0.8, 0})).Mul4(
				mgl32.Scale3D(k, k, k)).Mul4(mgl32.Translate3D(-row.shift[0], -row.shift[1], -row.shift[2]))
			s := &scene.Scene{Meshes: []scene.Mesh{m}, Materials: []scene.Material{white}, Instances: []scene.Instance{{Mesh: 0, World: world}}}
			view := shot{width: 64, height: 64, samples: 4, settings: changed(func(o *tracer.Settings) {
				o.Integrator, o.Bounces, o.Roulette = "naive", 1, false
			})}
			st := onCPU(t).use(s, constant(1))
			view.camera = scene.Camera{Eye: row.at.Add(mgl32.Vec3{0, 0, 4 * k}), Target: row.at, Up: mgl32.Vec3{0, 1, 0}, VFov: 35}
			outside := st.take(view)
			dark, total := 0, len(outside.Pix)
			for _, x := range outside.Pix {
				if x < 0.98 {
					dark++
				}
			}
			if dark > total/100 {
				t.Errorf("%d of %d values are dark: light does not leave the surface", dark, total)
			}
			view.camera = scene.Camera{Eye: row.at.Add(mgl32.Vec3{0, 0, 0.5 * k}), Target: row.at, Up: mgl32.Vec3{0, 1, 0}, VFov: 90}
			view.settings.Bounces = 8
			inside := st.take(view)
			lit := 0
			for _, x := range inside.Pix {
				if x > 0 {
					lit++
				}
			}
			if lit > total/500 {
				t.Errorf("%d of %d values are lit inside a closed surface", lit, total)
			}
		})
	}
}

// Moved instances show at once where they stand, as if they had always stood there.
func TestInstancesMove(t *testing.T) {
	s, later := crowd(t), crowd(t)
	at := make([]mgl32.Mat4, len(s.Instances))
	for i := range later.Instances {
		at[i] = mgl32.Translate3D(0.1, 0.05, -0.2).Mul4(s.Instances[i].World).Mul4(mgl32.HomogRotate3DY(0.5))
		later.Instances[i].World = at[i]
	}
	for _, integrator := range []string{"path", "restir-gi"} {
		view := shot{camera: s.Cameras[0], width: 48, height: 48, samples: 2, settings: changed(func(o *tracer.Settings) { o.Integrator = integrator })}
		st := onFastest(t).use(s, dark())
		before := st.take(view)
		twin, err := st.r.Twin()
		if err != nil {
			t.Fatal(err)
		}
		newStudio(t, twin).take(view)
		if err := st.r.PlaceInstances(at); err != nil {
			t.Fatal(err)
		}
		after, elsewhere := st.take(view), (&studio{t, twin}).take(view)
		want := onFastest(t).use(later, dark()).take(view)
		if !slices.Equal(after.Pix, want.Pix) || !slices.Equal(elsewhere.Pix, want.Pix) {
			t.Errorf("%s: not what a scene looks like in which they stand there", integrator)
		}
		if slices.Equal(before.Pix, after.Pix) {
			t.Errorf("%s: nothing moved", integrator)
		}
	}
}

// Instances cannot stand where rays do not find into them; then nothing moves.
func TestBadPlacesAreRefused(t *testing.T) {
	s := crowd(t)
	st := onCPU(t).use(s, dark())
	view := shot{camera: s.Cameras[0], width: 16, height: 16, samples: 1, settings: tracer.Defaults()}
	st.take(view)
	nan := float32(math.NaN())
	for word, m := range map[string]mgl32.Mat4{
		"finite": mgl32.Translate3D(nan, 0, 0), "inverse": mgl32.Scale3D(1, 0, 1), "mirrors": mgl32.Scale3D(1, -1, 1), "affine": mgl32.Perspective(1, 1, 1, 2),
	} {
		at := make([]mgl32.Mat4, len(s.Instances))
		for i, in := range s.Instances {
			at[i] = in.World
		}
		at[0] = m
		if err := st.r.PlaceInstances(at); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "instance 0") {
			t.Errorf("%s: %v", word, err)
		}
	}
	if err := st.r.PlaceInstances(nil); err == nil {
		t.Error("fewer matrices than instances are taken")
	}
	if st.rendered(tracer.View{Camera: view.camera, Width: 16, Height: 16}, view.settings, tracer.Target{}).Restarted {
		t.Error("a refused place begins the image anew")
	}
}

// A thousand statues take the memory of one and their places.
func TestInstancesSaveMemory(t *testing.T) {
	const side, copies = 10, 1000
	m := lump(40, 64, 0.2, 0)
	grid := func(n int) *scene.Scene {
		s := &scene.Scene{Meshes: []scene.Mesh{m}, Materials: []scene.Material{scene.NewMaterial("stone")}}
		for i := range n {
			s.Instances = append(s.Instances, scene.Instance{World: mgl32.Translate3D(3*float32(i%side), 3*float32(i/side%side), 3*float32(i/side/side))})
		}
		return s
	}
	few := baked(grid(10))
	one := onCPU(t).use(few, constant(1)).r.SceneBytes() / 10
	many := onCPU(t).use(grid(copies), constant(1)).r.SceneBytes()
	t.Logf("a copy takes %d bytes, %d instances %d", one, copies, many)
	if most := 2*one + 700*copies; many > most {
		t.Errorf("%d instances take %d bytes, more than %d", copies, many, most)
	}
}
