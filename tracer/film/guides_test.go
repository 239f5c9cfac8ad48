package film_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// layersOf renders and returns the layers by name.
func layersOf(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, samples int) map[string]imageio.Layer {
	fx.T.Helper()
	v.Layers = true
	for range samples {
		if _, err := fx.Renderer.Render(v, s, view.Target{}); err != nil {
			fx.T.Fatal(err)
		}
	}
	layers, err := fx.Renderer.Image().Layers()
	if err != nil {
		fx.T.Fatal(err)
	}
	byName := map[string]imageio.Layer{}
	for _, l := range layers {
		byName[l.Name] = l
	}
	return byName
}

// coloured is a material of a base colour without coat.
func colored(r, g, b float32, change func(*scene.Material)) scene.Material {
	m := tracertest.Matte(0)
	m.BaseColor = mgl32.Vec4{r, g, b, 1}
	change(&m)
	return m
}

// plate adds a horizontal plate at height y, seen from above, and from below where it is thick.
func plate(s *scene.Scene, y, thickness float32, m scene.Material) {
	tracertest.AddQuad(s, mgl32.Vec3{-5, y, 5}, mgl32.Vec3{10, 0, 0}, mgl32.Vec3{0, 0, -10}, m)
	if thickness > 0 {
		tracertest.AddQuad(s, mgl32.Vec3{-5, y - thickness, -5}, mgl32.Vec3{10, 0, 0}, mgl32.Vec3{0, 0, 10}, m)
	}
}

// ceiling adds a plane at 2 m that faces down.
func ceiling(s *scene.Scene, m scene.Material) {
	tracertest.AddQuad(s, mgl32.Vec3{-50, 2, -50}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 0, 100}, m)
}

// TestGuidesAnalytic looks straight down from 1 m, so that reflectances are those at normal incidence: 0.04 of glass. Normals are those that
// mirrors show.
func TestGuidesAnalytic(t *testing.T) {
	mirror := func(m *scene.Material) { m.Metallic, m.Roughness = 1, 0 }
	pane := func(m *scene.Material) { m.Transmission, m.Roughness, m.Specular = 1, 0, 1 }
	glass := func(m *scene.Material) { pane(m); m.Thickness = 0.1 }
	plain := func(*scene.Material) {}
	up := [3]float32{0, 1, 0}
	for _, row := range []struct {
		name           string
		make           func(*scene.Scene)
		albedo, normal [3]float32
		depth          float32
	}{
		{"matte", func(*scene.Scene) {}, [3]float32{0.5, 0.5, 0.5}, up, 1},
		{"mirror", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(0.9, 0.6, 0.3, mirror))
			ceiling(s, colored(0.5, 0.5, 1, plain))
		}, [3]float32{0.45, 0.3, 0.3}, up, 0.5},
		{"mirror under a slope", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(0.9, 0.6, 0.3, mirror))
			tracertest.AddQuad(s, mgl32.Vec3{-5, 2, -5}, mgl32.Vec3{10, 1, 0}, mgl32.Vec3{0, 0, 10}, colored(0.5, 0.5, 1, plain))
		}, [3]float32{0.45, 0.3, 0.3}, [3]float32{0.0995, 0.995, 0}, 0.5},
		{"two mirrors", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(0.5, 0.5, 0.5, mirror))
			tracertest.AddQuad(s, mgl32.Vec3{-5, 2, -5}, mgl32.Vec3{10, 0, 0}, mgl32.Vec3{0, 0, 10}, colored(0.5, 0.5, 0.5, mirror))
		}, [3]float32{0, 0, 0}, [3]float32{0, 0, 0}, 0.5},
		{"pane", func(s *scene.Scene) { plate(s, 0.5, 0, colored(1, 1, 0.5, pane)) },
			[3]float32{0.48, 0.48, 0.24}, [3]float32{0, 0.96, 0}, 0.5},
		{"pane under a ceiling", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(1, 1, 1, pane))
			ceiling(s, colored(1, 0, 0, plain))
		}, [3]float32{0.52, 0.48, 0.48}, up, 0.5},
		{"solid glass", func(s *scene.Scene) { plate(s, 0.5, 0.1, colored(1, 1, 1, glass)) },
			[3]float32{0.48, 0.48, 0.48}, [3]float32{0, 0.96, 0}, 0.5},
		{"nearly smooth glass", func(s *scene.Scene) {
			plate(s, 0.5, 0.1, colored(1, 1, 1, func(m *scene.Material) { glass(m); m.Roughness = 0.08 }))
		}, [3]float32{0.48, 0.48, 0.48}, [3]float32{0, 0.96, 0}, 0.5},
		{"half clear pane", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(1, 1, 1, func(m *scene.Material) { pane(m); m.Roughness = 0.175 }))
		}, [3]float32{0.74, 0.74, 0.74}, [3]float32{0, 0.98, 0}, 0.5},
		{"frosted glass", func(s *scene.Scene) {
			plate(s, 0.5, 0.1, colored(1, 0.5, 0, func(m *scene.Material) { glass(m); m.Roughness = 0.6 }))
		}, [3]float32{1, 0.52, 0.04}, up, 0.5},
		{"rough metal", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(0.9, 0.6, 0.3, func(m *scene.Material) { m.Metallic, m.Roughness = 1, 0.5 }))
		}, [3]float32{0.9, 0.6, 0.3}, up, 0.5},
		{"car paint with flakes finer than a pixel", func(s *scene.Scene) {
			flakes := func(color, other mgl32.Vec3, coverage float32) scene.Flakes {
				return scene.Flakes{Color: color, OtherColor: other, Coverage: coverage, Size: 1e-4, Spread: 0.3, Exponent: 100}
			}
			plate(s, 0.5, 0, colored(0.2, 0.2, 0.2, func(m *scene.Material) {
				m.CarPaint = &scene.CarPaint{EdgeColor: mgl32.Vec3{0.2, 0.2, 0.2}, Flakes: [2]scene.Flakes{
					flakes(mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, 1}, 0.2), flakes(mgl32.Vec3{0, 1, 0}, mgl32.Vec3{0, 1, 0}, 0.5)}}
			}))
		}, [3]float32{0.18, 0.48, 0.18}, up, 0.5},
		{"lamp", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(0, 0, 0, func(m *scene.Material) { m.Emission = mgl32.Vec3{40, 20, 10} }))
		}, [3]float32{1, 0.5, 0.25}, up, 0.5},
		{"dim lamp", func(s *scene.Scene) { plate(s, 0.5, 0, tracertest.Emitter(0.25)) }, [3]float32{0.25, 0.25, 0.25}, up, 0.5},
		{"unlit", func(s *scene.Scene) {
			plate(s, 0.5, 0, colored(0.2, 0.4, 0.6, func(m *scene.Material) { m.Unlit = true }))
		}, [3]float32{0.2, 0.4, 0.6}, up, 0.5},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, camera := tracertest.Ground(0.5, 2)
			row.make(s)
			fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
			layers := layersOf(fx, schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}}, settings.Defaults(), 4)
			for pixel := range 64 {
				near(t, pixel, layers["albedo"], row.albedo[:], 0.015)
				near(t, pixel, layers["normal"], row.normal[:], 0.015)
				near(t, pixel, layers["depth"], []float32{row.depth}, 1e-5)
				if t.Failed() {
					return
				}
			}
		})
	}
}

// near fails the test when a pixel of a layer is not what it should be.
func near(t *testing.T, pixel int, l imageio.Layer, want []float32, tolerance float64) {
	t.Helper()
	n := len(l.Channels)
	for c, w := range want {
		if got := l.Pix[pixel*n+c]; !(math.Abs(float64(got-w)) <= tolerance) {
			t.Errorf("pixel %d: %s is %v, want %v", pixel, l.Name, l.Pix[pixel*n:pixel*n+n], want)
			return
		}
	}
}

// TestGuidesOfNothing: the environment is its own albedo, as far as white, and has neither place nor normal.
func TestGuidesOfNothing(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 2)
	camera.Target = mgl64.Vec3{0, 2, 0}
	layers := layersOf(tracertest.OnCPU(t).Use(s, &gpuscene.Environment{Constant: [3]float32{8, 4, 2}}), schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}}, settings.Defaults(), 2)
	for pixel := range 64 {
		near(t, pixel, layers["albedo"], []float32{1, 0.5, 0.25}, 1e-6)
		near(t, pixel, layers["normal"], []float32{0, 0, 0}, 0)
		near(t, pixel, layers["depth"], []float32{1e10}, 0)
		near(t, pixel, layers["material"], []float32{-1}, 0)
		near(t, pixel, layers["object"], []float32{-1}, 0)
		near(t, pixel, layers["motion"], []float32{0, 0}, 0)
		near(t, pixel, layers["samples"], []float32{2}, 0)
		near(t, pixel, layers["variance"], []float32{0}, 1e-6)
	}
}

// TestGuidesFollowTheLight: a lamp of radiance 1 in the dark is its own albedo, so that with the same places in pixel and
// lens the albedo is the picture, edges and blur and all.
func TestGuidesFollowTheLight(t *testing.T) {
	s := &scene.Scene{Name: "lamp"}
	tracertest.AddQuad(s, mgl32.Vec3{-0.3, 0, 0.2}, mgl32.Vec3{0.5, 0, 0.1}, mgl32.Vec3{0.1, 0, -0.5}, tracertest.Emitter(1))
	for _, row := range []struct {
		name   string
		live   bool
		change func(*settings.Settings)
	}{
		{"megakernel", false, func(s *settings.Settings) { s.Exec = "megakernel" }},
		{"wavefront", false, func(s *settings.Settings) { s.Exec = "wavefront" }},
		{"regeneration", false, func(s *settings.Settings) { s.Exec = "regeneration" }},
		{"depth of field", false, func(s *settings.Settings) { s.Aperture, s.Focus = 0.2, 0.6 }},
		{"pixel centres", false, func(s *settings.Settings) { s.Antialias = false }},
		{"kept first hits", false, func(s *settings.Settings) { s.FirstHitCache = true }},
		{"reuse, settled", true, func(s *settings.Settings) { s.Integrator, s.RestirSettle = "restir-gi", 2 }},
		{"reuse, settling", true, func(s *settings.Settings) { s.Integrator, s.RestirSettle = "restir-gi", 64 }},
	} {
		t.Run(row.name, func(t *testing.T) {
			fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
			own := tracertest.Settings(row.change)
			v := schedule.Request{View: view.View{Camera: tracertest.FromAbove(60), Width: 24, Height: 24}, Live: row.live}
			layers := layersOf(fx, v, own, 20)
			light, err := fx.Renderer.Image().Radiance()
			if err != nil {
				t.Fatal(err)
			}
			edges := 0
			for i, want := range light.Pix {
				if got := layers["albedo"].Pix[i]; math.Abs(float64(got-want)) > 1e-5 {
					t.Fatalf("value %d: albedo %v, picture %v", i, got, want)
				}
				if want > 0 && want < 1 {
					edges++
				}
			}
			if own.Antialias && (!row.live || own.RestirSettle <= 20) && edges < 50 {
				t.Errorf("only %d values are of edges: the test has no power", edges)
			}
		})
	}
}

// TestVarianceLayer takes a picture apart into its samples.
func TestVarianceLayer(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 8, Height: 8}}
	const samples = 6
	var sums [64]float64
	var each [64][]float64
	var told imageio.Layer
	for n := range samples {
		told = layersOf(fx, v, settings.Defaults(), 1)["variance"]
		img, err := fx.Renderer.Image().Radiance()
		if err != nil {
			t.Fatal(err)
		}
		for i := range sums {
			l := 0.2126*float64(img.Pix[3*i]) + 0.7152*float64(img.Pix[3*i+1]) + 0.0722*float64(img.Pix[3*i+2])
			sum := l * float64(n+1)
			each[i] = append(each[i], sum-sums[i])
			sums[i] = sum
		}
	}
	for i, values := range each {
		want := 0.0
		for _, x := range values {
			want += (x - sums[i]/samples) * (x - sums[i]/samples) / (samples - 1) / samples
		}
		if got := float64(told.Pix[i]); math.Abs(got-want) > 1e-3*want+1e-6 {
			t.Errorf("pixel %d: variance %g, of its samples %g", i, got, want)
		}
	}
}

// TestMotionLayer moves the camera sidewards over the ground, which then moves the other way in the image; a still view has
// no motion.
func TestMotionLayer(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 40)
	fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: camera, Width: 16, Height: 16}, Live: true}
	layersOf(fx, v, settings.Defaults(), 1)
	v.Camera.Eye[0] += 0.1
	v.Camera.Target[0] += 0.1
	step := float32(-0.1 * 8 / math.Tan(20*math.Pi/180))
	for frame, want := range []float32{step, 0} {
		layers := layersOf(fx, v, settings.Defaults(), 1)
		for pixel := range 256 {
			near(t, pixel, layers["motion"], []float32{want, 0}, 1e-3)
		}
		if t.Failed() {
			t.Fatalf("frame %d", frame)
		}
	}
}

// TestObjectsAreNumbered in the order in which they were placed.
func TestObjectsAreNumbered(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 2)
	plate(s, 0.5, 0, tracertest.Matte(0.2))
	plate(s, 0.25, 0, tracertest.Matte(0.3))
	s.Objects = []uint32{0, 2, 4}
	layers := layersOf(tracertest.OnCPU(t).Use(s, tracertest.Dark()), schedule.Request{View: view.View{Camera: camera, Width: 8, Height: 8}}, settings.Defaults(), 1)
	near(t, 0, layers["object"], []float32{1}, 0)
	near(t, 0, layers["material"], []float32{1}, 0)
	near(t, 0, layers["position"], []float32{0, 0.5, 0}, 0.02)
}

// TestVarianceOfLaterSamples: where layers are asked for once an image has samples, the variance is that of the samples since. Of half of
// them it is twice as large, by the median of the pixels.
func TestVarianceOfLaterSamples(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 32}}
	own := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	const samples = 64
	all := layersOf(tracertest.OnCPU(t).Use(s, nil), v, own, 2*samples)["variance"].Pix
	fx := tracertest.OnCPU(t).Use(s, nil)
	for range samples {
		if _, err := fx.Renderer.Render(v, own, view.Target{}); err != nil {
			t.Fatal(err)
		}
	}
	var ratios []float32
	for i, late := range layersOf(fx, v, own, samples)["variance"].Pix {
		if all[i] > 0 {
			ratios = append(ratios, late/all[i])
		}
	}
	slices.Sort(ratios)
	if median := ratios[len(ratios)/2]; median < 1.8 || median > 2.2 {
		t.Errorf("the variance of half of the samples is %.3f times that of all, want 2", median)
	}
}
