package tracer_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// onHardware opens a GPU whose driver has OptiX, or skips the test.
func onHardware(t *testing.T) *tracertest.Fixture {
	t.Helper()
	_, gpu := tracertest.OnBothBackends(t)
	if _, err := gpu.Device.Hardware(0); err != nil {
		t.Skip(err)
	}
	return gpu
}

// raysInside are rays between points around a scene, and as many of its camera.
func raysInside(s *scene.Scene, n int) []cuda.Ray {
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
	camera := view.View{Camera: s.Cameras[0], Width: 1, Height: 1}.Lens(&own)
	for i := range n / 2 {
		rays[i] = view.Ray(camera, random.Float32(), random.Float32())
	}
	return rays
}

// TestHardwareFindsTheSameHits: of rays through each scene 99.99 % meet the same triangle, and at the same distance.
func TestHardwareFindsTheSameHits(t *testing.T) {
	const n = 1 << 19
	for _, info := range builtin.List() {
		t.Run(info.Name, func(t *testing.T) {
			fx := onHardware(t)
			s := tracertest.Builtin(t, info.Name, builtin.Options{})
			fx.Use(s, nil)
			d, rays := fx.Device, raysInside(s, n)
			own := settings.Defaults()
			var hits [2][2][]cuda.Hit // of software and hardware: closest, any
			for by := range hits {
				var f cuda.Frame
				on := fx.Renderer.Engine().Scene()
				on.Fill(&f, &own, own.BVH)
				if by == 1 {
					if err := on.FillHardware(d, &f, own.BVH); err != nil || f.Scene.Hardware == 0 {
						t.Fatal(err)
					}
				}
				buffers, err := device.UploadAll(d, []device.Rows{{Address: &f.Rays.Rays, Data: device.BytesOf(rays)}, {Address: &f.Rays.Hits, Bytes: 16 * n}})
				if err != nil {
					t.Fatal(err)
				}
				f.Rays.Count = n
				for any, kernel := range []cuda.Kernel{cuda.QueueRaysClosest, cuda.QueueRaysAny} {
					hits[by][any] = make([]cuda.Hit, n)
					for _, step := range []func() error{
						func() error { return d.SetFrame(&f) },
						func() error { return device.Run(d, device.Launch{Kernel: kernel, Indices: n}) },
						func() error { return d.Download(buffers[1], device.BytesOf(hits[by][any])) },
					} {
						if err := step(); err != nil {
							t.Fatal(err)
						}
					}
				}
				device.FreeAll(d, buffers)
			}
			met, other, coincident, far, shadows := 0, 0, 0, 0, 0
			for i, want := range hits[0][0] {
				got := hits[1][0][i]
				if want.Triangle != cuda.NoHit {
					met++
				}
				near := math.Abs(float64(got.T-want.T)) <= 1e-5*math.Max(1, float64(want.T))
				switch {
				case got.Triangle == want.Triangle:
					if want.Triangle != cuda.NoHit && !near {
						far++
					}
				case got.Triangle != cuda.NoHit && want.Triangle != cuda.NoHit && near: // at a common edge, or one lies on the other
					coincident++
				default:
					other++
				}
				if (hits[1][1][i].Triangle == cuda.NoHit) != (hits[0][1][i].Triangle == cuda.NoHit) {
					shadows++
				}
			}
			t.Logf("%d rays, %d hits: %d meet other triangles, %d others at the same place, %d are off by more than 1e-5, %d shadow rays differ",
				n, met, other, coincident, far, shadows)
			if _, err := d.Hardware(0); err != nil {
				t.Errorf("hardware was turned off: %v", err)
			}
			if met < n/100 || other > n/10_000 || far > 0 || shadows > n/10_000 {
				t.Error("that is too much")
			}
		})
	}
}

// TestHardwareGivesTheSamePicture: by the same seed, but for rays that meet an edge.
func TestHardwareGivesTheSamePicture(t *testing.T) {
	for _, name := range []string{"cornell", "chess", "cornell-glossy", "carpaint"} {
		for _, integrator := range []string{"path", "restir"} {
			t.Run(name+" "+integrator, func(t *testing.T) {
				fx := onHardware(t)
				s := tracertest.Builtin(t, name, builtin.Options{})
				fx.Use(s, nil)
				shot := func(rays string) tracertest.Shot {
					return tracertest.Shot{Camera: s.Cameras[0], Width: 512, Height: 512, Samples: 4, Settings: tracertest.Settings(func(s *settings.Settings) {
						s.Integrator, s.Exec, s.Rays, s.Bounces = integrator, "wavefront", rays, 3
					})}
				}
				render := func(rays string) *imageio.Image { // the setting does not restart the image
					fx.Restart()
					return fx.Render(shot(rays))
				}
				software, hardware, again := render("software"), render("hardware"), render("hardware")
				if share := tracertest.ShareBeyond(hardware, again, 0); share > 0 {
					t.Errorf("%.4f %% of the pixels differ when rendered again", 100*share)
				}
				share := tracertest.ShareBeyond(software, hardware, 1e-3)
				t.Logf("%.4f %% of the pixels differ by more than 1e-3; the pictures are equal: %v", 100*share, tracertest.ShareBeyond(software, hardware, 0) == 0)
				if _, err := fx.Device.Hardware(0); err != nil {
					t.Errorf("hardware was turned off: %v", err)
				}
				if share > 1e-3 {
					t.Error("that is too much")
				}
			})
		}
	}
}
