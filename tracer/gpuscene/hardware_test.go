package gpuscene_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// raysThrough are rays between points around a scene, and as many of its camera.
func raysThrough(s *scene.Scene, n int) []cuda.Ray {
	random := rand.New(rand.NewPCG(1, 2))
	box := s.Bounds()
	size := box.Max.Sub(box.Min)
	point := func() (p [3]float32) {
		for a := range p {
			p[a] = box.Min[a] + size[a]*(1.2*random.Float32()-0.1)
		}
		return p
	}
	rays := make([]cuda.Ray, n)
	for i := range rays {
		from, to := point(), point()
		var d [3]float64
		length := 0.0
		for a := range d {
			d[a] = float64(to[a] - from[a])
			length += d[a] * d[a]
		}
		rays[i].Origin, rays[i].TMax = from, math.MaxFloat32
		for a := range d {
			rays[i].Direction[a] = float32(d[a] / math.Sqrt(length))
		}
	}
	own := settings.Defaults()
	camera := view.View{Camera: s.FrameAll(1), Width: 1, Height: 1}.Lens(&own)
	for i := range n / 2 {
		rays[i] = view.Ray(camera, random.Float32(), random.Float32())
	}
	return rays
}

// hitsBy are what rays meet: nearest, and whether anything.
func hitsBy(t *testing.T, fx *tracertest.Fixture, rays []cuda.Ray, how string) (out [2][]cuda.Hit) {
	t.Helper()
	d, on, own := fx.Device, fx.Renderer.Engine().Scene(), settings.Defaults()
	var f cuda.Frame
	on.Fill(&f, &own, own.BVH)
	if by, err := on.FillHardware(d, &f, how, own.BVH); err != nil || (by == "hardware") != (how == "hardware") {
		t.Fatalf("rays are traced by %q: %v", by, err)
	}
	buffers, err := device.UploadAll(d, []device.Rows{{Address: &f.Rays.Rays, Data: device.BytesOf(rays)}, {Address: &f.Rays.Hits, Bytes: 16 * len(rays)}})
	if err != nil {
		t.Fatal(err)
	}
	defer device.FreeAll(d, buffers)
	f.Rays.Count = uint32(len(rays))
	for any, kernel := range []cuda.Kernel{cuda.QueueRaysClosest, cuda.QueueRaysAny} {
		out[any] = make([]cuda.Hit, len(rays))
		for _, step := range []func() error{
			func() error { return d.SetFrame(&f) },
			func() error { return device.Run(d, device.Launch{Kernel: kernel, Indices: len(rays)}) },
			func() error { return d.Download(buffers[1], device.BytesOf(out[any])) },
		} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// compareHits has software and hardware trace the same rays. 99.99 % meet the same triangle, and others an edge of one of the two.
func compareHits(t *testing.T, fx *tracertest.Fixture, rays []cuda.Ray) {
	t.Helper()
	software, hardware := hitsBy(t, fx, rays, "software"), hitsBy(t, fx, rays, "hardware")
	met, equal, other, inside, far, shadows := 0, 0, 0, 0, 0, 0
	atEdge := func(h cuda.Hit) bool {
		return h.Triangle != cuda.NoHit && min(h.U, h.V, 1-h.U-h.V) < 1e-3
	}
	for i, want := range software[0] {
		got := hardware[0][i]
		if want.Triangle != cuda.NoHit {
			met++
		}
		switch {
		case got == want:
			equal++
		case got.Triangle == want.Triangle:
			if math.Abs(float64(got.T-want.T)) > 1e-5*math.Max(1, float64(want.T)) {
				far++
			}
		default:
			if other++; !atEdge(got) && !atEdge(want) {
				if inside++; inside < 4 {
					t.Logf("%+v: %+v, want %+v", rays[i], got, want)
				}
			}
		}
		if (hardware[1][i].Triangle == cuda.NoHit) != (software[1][i].Triangle == cuda.NoHit) {
			shadows++
		}
	}
	t.Logf("%d rays, %d hits: %d answers have the same bits, %d meet other triangles, %d of them far from an edge; %d are off by more than 1e-5, %d shadow rays differ",
		len(rays), met, equal, other, inside, far, shadows)
	if met < len(rays)/100 || other > len(rays)/10_000 || inside > 0 || far > 0 || shadows > len(rays)/10_000 {
		t.Error("that is too much")
	}
	if _, err := fx.Device.Hardware(); err != nil {
		t.Errorf("hardware was turned off: %v", err)
	}
}

// onHardware opens a GPU whose driver has OptiX, or skips the test.
func onHardware(t *testing.T, s *scene.Scene) *tracertest.Fixture {
	t.Helper()
	_, gpu := tracertest.OnBothBackends(t)
	if _, err := gpu.Device.Hardware(); err != nil {
		t.Skip(err)
	}
	gpu.Use(s, nil)
	own := settings.Defaults()
	own.Rays = "hardware"
	if err := gpu.Renderer.Engine().EnsureRays(own); err != nil {
		t.Fatal(err)
	}
	return gpu
}

const comparedRays = 1 << 19

// TestHardwareFindsTheSameHits: in closed rooms with surfaces that touch, in large scenes, and among instances with alpha, mirrored and sheared.
func TestHardwareFindsTheSameHits(t *testing.T) {
	scenes := map[string]*scene.Scene{"crowd": crowd(t)}
	for _, info := range builtin.List() {
		scenes[info.Name] = tracertest.Builtin(t, info.Name, builtin.Options{})
	}
	if tracertest.Long() {
		scenes["11.5 M triangles"] = tracertest.Builtin(t, "spheres", builtin.Options{Triangles: 11_500_000})
	}
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) { compareHits(t, onHardware(t, s), raysThrough(s, comparedRays)) })
	}
}

// TestHardwareFollowsPoses: what deforms and what moves is hit where it is in each pose. GLINT_MOVING names more files (path:path).
func TestHardwareFollowsPoses(t *testing.T) {
	scenes := map[string]*scene.Scene{"moving": tracertest.Moving(t)}
	for _, path := range filepath.SplitList(os.Getenv("GLINT_MOVING")) {
		s, err := scene.Load(t.Context(), path, scene.Options{Scene: -1, Animated: true})
		if err != nil {
			t.Fatal(err)
		}
		scenes[filepath.Base(path)] = s
	}
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) {
			fx, rays := onHardware(t, s), raysThrough(s, comparedRays)
			if s.Motion == nil {
				compareHits(t, fx, rays)
				return
			}
			for _, at := range []float64{0, 0.3, 0.8, 0.1} {
				if err := fx.Renderer.Engine().Pose(s.Motion.Pose(0, at)); err != nil {
					t.Fatal(err)
				}
				compareHits(t, fx, rays)
			}
		})
	}
}

// BenchmarkHardwarePose measures what a pose costs that hardware traces: trees of the files that GLINT_MOVING names (path:path).
func BenchmarkHardwarePose(b *testing.B) {
	for _, path := range filepath.SplitList(os.Getenv("GLINT_MOVING")) {
		s, err := scene.Load(b.Context(), path, scene.Options{Scene: -1, Animated: true})
		if err != nil {
			b.Fatal(err)
		}
		if s.Motion == nil {
			continue
		}
		for _, how := range []string{"software", "hardware"} {
			b.Run(filepath.Base(path)+" "+how, func(b *testing.B) {
				fx := tracertest.OnFastest(b).Use(s, nil)
				own := settings.Defaults()
				own.Rays = how
				engine := fx.Renderer.Engine()
				if err := engine.EnsureRays(own); err != nil {
					b.Skip(err)
				}
				var f cuda.Frame
				frames := 0.0
				for b.Loop() {
					frames++
					err := engine.Pose(s.Motion.Pose(0, s.Motion.Clips[0].Time(frames/60, true)))
					engine.Scene().Fill(&f, &own, own.BVH)
					if err == nil {
						_, err = engine.Scene().FillHardware(engine.Device(), &f, how, own.BVH)
					}
					if err == nil {
						err = engine.Device().Sync()
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
