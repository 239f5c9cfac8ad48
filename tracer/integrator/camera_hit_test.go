package integrator_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

const shining = 2 // nit of the ground below the sheets

// belowSheets is a shining ground seen from above through so many sheets, whose backs show.
func belowSheets(sheets int, m scene.Material) (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "below sheets"}
	tracertest.AddQuad(s, mgl32.Vec3{-50, 0, 50}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 0, -100}, tracertest.Emitter(shining))
	for i := range sheets {
		tracertest.AddQuad(s, mgl32.Vec3{-10, 0.25 + 0.5*float32(i)/float32(sheets), -10}, mgl32.Vec3{20, 0, 0}, mgl32.Vec3{0, 0, 20}, m)
	}
	return s, tracertest.FromAbove(60)
}

// asInstance draws the whole scene as an instance, by two instances of which one is far away.
func asInstance(s *scene.Scene) *scene.Scene {
	return &scene.Scene{Name: s.Name, Materials: s.Materials, Meshes: []scene.Mesh{{Vertices: s.Vertices, Faces: s.Faces}},
		Instances: []scene.Instance{{World: mgl32.Ident4()}, {World: mgl32.Translate3D(1000, 0, 0)}}}
}

// Camera rays pass the backs of single-sided surfaces, and nothing else: by every integrator and engine, with and without kept
// hits, in static geometry and in instances.
func TestCameraRaysPassBacks(t *testing.T) {
	double := tracertest.Matte(0)
	double.DoubleSided = true
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		o.Bounces = 2
		for _, c := range []struct {
			name   string
			sheets int
			m      scene.Material
			cull   bool
			want   float64
		}{
			{"nothing in the way", 0, tracertest.Matte(0), true, shining},
			{"a back", 1, tracertest.Matte(0), true, shining},
			{"five backs", 5, tracertest.Matte(0), true, shining},
			{"seventy backs", 70, tracertest.Matte(0), true, shining},
			{"a back that is not hidden", 1, tracertest.Matte(0), false, 0},
			{"double-sided", 1, double, true, 0},
		} {
			for _, kept := range []bool{false, true} {
				s, camera := belowSheets(c.sheets, c.m)
				for _, s := range []*scene.Scene{s, asInstance(s)} {
					o.Cull, o.FirstHitCache = c.cull, kept
					img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 8, Height: 8, Samples: 3, Settings: o})
					for i, got := range img.Pix {
						if math.Abs(float64(got)-c.want) > 1e-4 {
							t.Fatalf("%s, hits kept %v, %d instances: pixel %d is %v, want %v", c.name, kept, len(s.Instances), i/3, got, c.want)
						}
					}
				}
			}
		}
	})
}

// Where a back and a front lie at the same place, the front is seen, whichever of them comes first in the file.
func TestFrontsBehindBacksAreSeen(t *testing.T) {
	const brighter = 2 * shining
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		o.Bounces = 2
		for _, backFirst := range []bool{true, false} {
			s, camera := belowSheets(0, tracertest.Matte(0))
			sheet := func(back bool) {
				m, across, along := tracertest.Emitter(brighter), mgl32.Vec3{20, 0, 0}, mgl32.Vec3{0, 0, -20}
				if back {
					m, across, along = tracertest.Matte(0), along, across
				}
				tracertest.AddQuad(s, mgl32.Vec3{-10, 0.5, 10}, across, along, m)
			}
			sheet(backFirst)
			sheet(!backFirst)
			img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 8, Height: 8, Samples: 3, Settings: o})
			for i, got := range img.Pix {
				if math.Abs(float64(got)-brighter) > 1e-4 {
					t.Fatalf("back first %v: pixel %d is %v, want %v", backFirst, i/3, got, brighter)
				}
			}
		}
	})
}

// All other rays meet backs: what is seen through them lies in their shadow.
func TestBacksCastShadows(t *testing.T) {
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		s, camera := tracertest.Ground(0.5, 60)
		s.Lights = []scene.Light{{Kind: scene.LightPoint, Position: mgl32.Vec3{0, 2, 0}, Intensity: mgl32.Vec3{7, 7, 7}}}
		tracertest.AddQuad(s, mgl32.Vec3{-10, 0.5, -10}, mgl32.Vec3{20, 0, 0}, mgl32.Vec3{0, 0, 20}, tracertest.Matte(0))
		o.Bounces = 1
		img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 8, Height: 8, Samples: 2, Settings: o})
		for i, got := range img.Pix {
			if got != 0 {
				t.Fatalf("pixel %d is %v, in the shadow", i/3, got)
			}
		}
	})
}

// From within a volume its surface is seen, though that shows its back.
func TestVolumesAreSeenFromWithin(t *testing.T) {
	glass := tracertest.Matte(1)
	glass.Transmission, glass.Thickness, glass.Roughness, glass.Specular = 1, 1, 0, 1
	glass.AttenuationColor, glass.AttenuationDistance = mgl32.Vec3{0.5, 0.5, 0.5}, 0.5
	fx := tracertest.OnBestBackend(t)
	s, camera := belowSheets(0, glass)
	addBox(s, mgl32.Vec3{-20, 0.5, -20}, mgl32.Vec3{20, 2, 20}, false, glass)
	shot := tracertest.Shot{Camera: camera, Width: 8, Height: 8, Samples: 64, Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator = "path" })}
	fx.Use(s, tracertest.Dark())
	seen := fx.Render(shot)
	shot.Settings.Cull = false
	if unhidden := fx.Render(shot); !samePicture(fx, seen.Pix, unhidden.Pix) {
		t.Error("the surface of the volume around the camera is passed")
	}
	if mean := tracertest.Mean(seen)[0]; mean < 0.2 || mean > 0.9*shining {
		t.Errorf("the ground shines at %v nit through half a metre of glass that keeps half of its light, want about %v", mean, shining/2)
	}
}

// Guides and picking see what the picture shows.
func TestGuidesPassBacks(t *testing.T) {
	s, camera := belowSheets(2, tracertest.Matte(0))
	fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}, Layers: true}
	for _, kept := range []bool{false, true} {
		for cull, depth := range map[bool]float32{true: 1, false: 0.5} {
			t.Run(fmt.Sprint(cull, kept), func(t *testing.T) {
				o := tracertest.Settings(func(o *settings.Settings) {
					o.Integrator, o.Denoise, o.Cull, o.FirstHitCache = "path", "atrous", cull, kept
				})
				fx.Restart()
				for range 2 {
					fx.Frame(v, o, view.Target{})
				}
				f := fx.Device.FrameOf(cuda.Guides)
				planes := tracertest.ReadBuffer[[4]float32](t, fx.Device, f.Film.Aovs)
				for i, p := range planes[int(cuda.AovPosition)*64:][:64] {
					if math.Abs(float64(p[3]-depth)) > 1e-4 {
						t.Fatalf("pixel %d is %v m away, want %v", i, p[3], depth)
					}
				}
				got, hit, err := fx.Renderer.Engine().Pick(v, &o, 4, 4)
				if err != nil || !hit || math.Abs(float64(got-depth)) > 1e-4 {
					t.Errorf("picked %v m, %v, %v; want %v", got, hit, err, depth)
				}
			})
		}
	}
}
