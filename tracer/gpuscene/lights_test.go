package gpuscene_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// planeSize and planeView: pixels a side, and the vertical field of view from 1 m above, degrees.
const (
	planeSize = 32
	planeView = 60
	albedo    = 0.6
)

// planePoint is what the centre of pixel (x, y) sees of the ground.
func planePoint(x, y int) mgl32.Vec3 {
	half := float32(math.Tan(planeView / 2 * math.Pi / 180))
	at := func(i int) float32 { return (2*(float32(i)+0.5)/planeSize - 1) * half }
	return mgl32.Vec3{at(x), 0, at(y)}
}

// checkPlane renders direct light at the pixels' centres and compares each with albedo/π times its irradiance.
func checkPlane(t *testing.T, s *scene.Scene, camera scene.Camera, env *gpuscene.Environment, samples int, bound float64,
	irradiance func(p mgl32.Vec3) float64) {
	t.Helper()
	fx := tracertest.OnCPU(t).Use(s, env)
	img := fx.Render(tracertest.Shot{Camera: camera, Width: planeSize, Height: planeSize, Samples: samples,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Antialias = "direct", false })})
	const block = 4 // pixels a side: averages what noise there is
	worst := 0.0
	for y := 0; y < planeSize; y += block {
		for x := 0; x < planeSize; x += block {
			want := 0.0
			for i := range block * block {
				want += albedo / math.Pi * irradiance(planePoint(x+i%block, y+i/block)) / (block * block)
			}
			got := tracertest.MeanOf(img, x, y, block, block)[1]
			worst = max(worst, math.Abs(got-want)/max(want, 1e-3))
			if math.Abs(got-want) > bound*max(want, 1e-3) {
				t.Fatalf("pixels around (%d, %d): radiance %.6g, want %.6g within %g", x, y, got, want, bound)
			}
		}
	}
	t.Logf("worst relative difference %.2g", worst)
}

// TestPunctualLights compares with E = I cos θ / d², glTF's spot falloff and range window, and E = lux · cos θ.
func TestPunctualLights(t *testing.T) {
	above, tilted := mgl32.Vec3{0.2, 0.8, -0.1}, mgl32.Vec3{1, -2, 0.5}.Normalize()
	point := func(p mgl32.Vec3) float64 {
		d := above.Sub(p)
		return float64(d[1]) / math.Pow(float64(d.Len()), 3)
	}
	inner, outer, reach := 0.2, 0.6, 1.5
	for _, row := range []struct {
		name       string
		light      scene.Light
		irradiance func(p mgl32.Vec3) float64
	}{
		{"point", scene.Light{Kind: scene.LightPoint, Position: above},
			func(p mgl32.Vec3) float64 { return 7 * point(p) }},
		{"point with range", scene.Light{Kind: scene.LightPoint, Position: above, Range: float32(reach)},
			func(p mgl32.Vec3) float64 {
				return 7 * point(p) * min(max(1-math.Pow(float64(above.Sub(p).Len())/reach, 4), 0), 1)
			}},
		{"spot", scene.Light{Kind: scene.LightSpot, Position: above, Direction: mgl32.Vec3{0, -1, 0},
			InnerCone: float32(inner), OuterCone: float32(outer)},
			func(p mgl32.Vec3) float64 {
				cos := float64(above.Sub(p).Normalize()[1])
				f := min(max((cos-math.Cos(outer))/(math.Cos(inner)-math.Cos(outer)), 0), 1)
				return 7 * point(p) * f * f
			}},
		{"directional", scene.Light{Kind: scene.LightDirectional, Direction: tilted},
			func(mgl32.Vec3) float64 { return -7 * float64(tilted[1]) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, camera := tracertest.Ground(albedo, planeView)
			row.light.Intensity = mgl32.Vec3{7, 7, 7}
			s.Lights = []scene.Light{row.light}
			checkPlane(t, s, camera, nil, 1, 1e-3, row.irradiance)
		})
	}
}

// cornerFactor is the form factor from a point to a rectangle a × b whose corner is at height h above it, parallel to the
// surface there (Howell, A Catalog of Radiation Heat Transfer Configuration Factors, B-3).
func cornerFactor(a, b, h float64) float64 {
	x, y := a/h, b/h
	return (x/math.Sqrt(1+x*x)*math.Atan(y/math.Sqrt(1+x*x)) + y/math.Sqrt(1+y*y)*math.Atan(x/math.Sqrt(1+y*y))) / (2 * math.Pi)
}

// TestQuadLight compares the light of a rectangle with E = π L F.
func TestQuadLight(t *testing.T) {
	const radiance, height, halfX, halfZ = 5, 1.5, 0.4, 0.3
	for _, sampling := range []string{"light", "mis"} {
		t.Run(sampling, func(t *testing.T) {
			s, camera := tracertest.Ground(albedo, planeView)
			tracertest.AddQuad(s, mgl32.Vec3{-halfX, height, -halfZ}, mgl32.Vec3{2 * halfX, 0, 0}, mgl32.Vec3{0, 0, 2 * halfZ}, tracertest.Emitter(radiance))
			checkPlane(t, s, camera, &gpuscene.Environment{}, 2048, 3e-3, func(p mgl32.Vec3) float64 {
				factor := 0.0
				for _, a := range []float64{halfX - float64(p[0]), halfX + float64(p[0])} {
					for _, b := range []float64{halfZ - float64(p[2]), halfZ + float64(p[2])} {
						factor += cornerFactor(a, b, height)
					}
				}
				return math.Pi * radiance * factor
			})
		})
	}
}

// irradianceUp sums green texels over the upper hemisphere.
func irradianceUp(e *gpuscene.Environment) float64 {
	sum := 0.0
	texel := 2 * math.Pi * math.Pi / float64(e.Width*e.Height)
	for y := range e.Height {
		for x := range e.Width {
			d := tracertest.TexelDirection(x, y, e.Width, e.Height)
			sin := math.Sqrt(1 - d[1]*d[1])
			sum += float64(e.Pixels[3*(y*e.Width+x)+1]) * max(d[1], 0) * sin * texel
		}
	}
	return sum
}

// TestEnvironmentImage compares the ground under an image with numeric integration over its texels.
func TestEnvironmentImage(t *testing.T) {
	s, camera := tracertest.Ground(albedo, planeView)
	env := tracertest.Gradient()
	want := albedo / math.Pi * irradianceUp(env)
	fx := tracertest.OnCPU(t).Use(s, env)
	for _, sampling := range []string{"bsdf", "light", "mis"} {
		got := tracertest.Mean(fx.Render(tracertest.Shot{Camera: camera, Width: planeSize, Height: planeSize, Samples: 512,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Sampling = "direct", sampling })}))[1]
		t.Logf("sampling %s: relative difference %.2g", sampling, got/want-1)
		if math.Abs(got/want-1) > 3e-3 {
			t.Errorf("sampling %s: radiance %.5f, want %.5f", sampling, got, want)
		}
	}
}

// TestEnvironmentRotation: what camera rays see turns about +Y by the angle, from +X towards +Z.
func TestEnvironmentRotation(t *testing.T) {
	fx := tracertest.OnCPU(t).Use(&scene.Scene{Name: "empty"}, tracertest.Gradient())
	look := func(degrees, turned float64) float64 {
		a := degrees * math.Pi / 180
		img := fx.Render(tracertest.Shot{Width: 1, Height: 1, Samples: 1,
			Camera:   scene.Camera{Target: mgl64.Vec3{math.Cos(a), 0, math.Sin(a)}, Up: mgl32.Vec3{0, 1, 0}, VFov: 1},
			Settings: tracertest.Settings(func(s *settings.Settings) { s.EnvRotation, s.Antialias = turned, false })})
		return float64(img.Pix[0])
	}
	for _, degrees := range []float64{0, 45, 90, 200} {
		if a, b := look(degrees, 0), look(degrees+50, 50); math.Abs(a-b) > 1e-3*a {
			t.Errorf("direction %v° shows %v, and %v turned by 50°", degrees, a, b)
		}
	}
	if a, b := look(0, 0), look(90, 0); a < 1.2*b {
		t.Errorf("towards the spot %v, beside it %v: this environment tests nothing", a, b)
	}
}

// TestLightScale: every kind of light follows, in proportion.
func TestLightScale(t *testing.T) {
	s, camera := tracertest.Ground(albedo, planeView)
	tracertest.AddQuad(s, mgl32.Vec3{-1, 2, -1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, 2}, tracertest.Emitter(3))
	s.Lights = []scene.Light{{Kind: scene.LightPoint, Position: mgl32.Vec3{0, 0.5, 0}, Intensity: mgl32.Vec3{1, 2, 3}}}
	fx := tracertest.OnCPU(t).Use(s, tracertest.Constant(0.5))
	v := tracertest.Shot{Camera: camera, Width: 16, Height: 16, Samples: 8, Settings: settings.Defaults()}
	one := tracertest.Mean(fx.Render(v))[1]
	v.Settings.LightScale = 1.01
	if scaled := tracertest.Mean(fx.Render(v))[1]; math.Abs(scaled/one-1.01) > 1e-4 {
		t.Errorf("--light-scale 1.01 gave %.5f times the light", scaled/one)
	}
	v.Settings.LightScale = 0
	if black := tracertest.Mean(fx.Render(v))[1]; black != 0 {
		t.Errorf("--light-scale 0 left a radiance of %v", black)
	}
}

// TestDarkScenesAreKnown: a scene that nothing lights is known to be dark, and a note says so. Unlit surfaces are seen.
func TestDarkScenesAreKnown(t *testing.T) {
	unlit := tracertest.Matte(0.5)
	unlit.Unlit = true
	for _, c := range []struct {
		name     string
		material scene.Material
		lights   []scene.Light
		env      *gpuscene.Environment
		dark     bool
	}{
		{"no light", tracertest.Matte(0.5), nil, tracertest.Dark(), true},
		{"a studio", tracertest.Matte(0.5), nil, nil, false},
		{"an environment", tracertest.Matte(0.5), nil, tracertest.Constant(0.1), false},
		{"a lamp", tracertest.Matte(0.5), noon(), tracertest.Dark(), false},
		{"an emitter", tracertest.Emitter(1), nil, tracertest.Dark(), false},
		{"an unlit surface", unlit, nil, tracertest.Dark(), false},
	} {
		s := &scene.Scene{Name: c.name, Lights: c.lights}
		tracertest.AddQuad(s, mgl32.Vec3{}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 1, 0}, c.material)
		p, err := gpuscene.Prepare(t.Context(), s, gpuscene.Options{Environment: c.env})
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(strings.Join(p.Notes, "\n"), "nothing lights this scene"); p.Dark != c.dark || told != c.dark {
			t.Errorf("%s: dark %v, said %v, want %v", c.name, p.Dark, told, c.dark)
		}
	}
}
