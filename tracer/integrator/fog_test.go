package integrator_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// quadrature sums a function over an interval by the midpoints of many steps.
func quadrature(from, to float64, f func(x float64) float64) (sum float64) {
	const steps = 20000
	step := (to - from) / steps
	for i := range steps {
		sum += f(from+(float64(i)+0.5)*step) * step
	}
	return sum
}

// crossing is how long a way from a to b leads through a box.
func crossing(a, b, low, high mgl32.Vec3) float64 {
	enter, leave := 0.0, 1.0
	for axis := range 3 {
		from, along := float64(a[axis]), float64(b[axis]-a[axis])
		if along == 0 {
			continue
		}
		t0, t1 := (float64(low[axis])-from)/along, (float64(high[axis])-from)/along
		enter, leave = max(enter, min(t0, t1)), min(leave, max(t0, t1))
	}
	return max(0, leave-enter) * float64(b.Sub(a).Len())
}

// lampsWithoutArea are a point, a spot and a sun of 5 cd or lx at a place, turned to the origin.
func lampsWithoutArea(at mgl32.Vec3) map[string]scene.Light {
	power := mgl32.Vec3{5, 5, 5}
	return map[string]scene.Light{
		"point":       {Kind: scene.LightPoint, Position: at, Intensity: power},
		"spot":        {Kind: scene.LightSpot, Position: at, Direction: at.Mul(-1).Normalize(), InnerCone: 1.2, OuterCone: 1.3, Intensity: power},
		"directional": {Kind: scene.LightDirectional, Direction: at.Mul(-1).Normalize(), Intensity: power},
	}
}

// arriving is what a lamp sends to a point where nothing is in the way, and where a way to it leads.
func arriving(l scene.Light, to mgl32.Vec3) (irradiance float64, from mgl32.Vec3) {
	if l.Kind == scene.LightDirectional {
		return float64(l.Intensity[0]), to.Sub(l.Direction.Mul(100))
	}
	return float64(l.Intensity[0]) / float64(l.Position.Sub(to).LenSqr()), l.Position
}

// Lamps shine through a volume that bends nothing, from outside, from inside, and out of it: E = I cos θ / d² · exp(−σ s), where s of the
// way is inside. However rough it is.
func TestLightsShineThroughAbsorbers(t *testing.T) {
	const size, view, albedo = 12, 60, 0.6
	sigma := [3]float64{0.3, 0.7, 1.5}
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		o.Bounces = 1
		for place, row := range map[string]struct {
			low, high mgl32.Vec3
			roughness float32
		}{
			"between": {mgl32.Vec3{-9, 1.3, -9}, mgl32.Vec3{9, 2.3, 9}, 0},
			"rough":   {mgl32.Vec3{-9, 1.3, -9}, mgl32.Vec3{9, 2.3, 9}, 0.6},
			"around":  {mgl32.Vec3{-30, -1, -30}, mgl32.Vec3{30, 40, 30}, 0},
			"ground":  {mgl32.Vec3{-9, -0.5, -9}, mgl32.Vec3{9, 0.5, 9}, 0},
			"lamp":    {mgl32.Vec3{-9, 1.2, -9}, mgl32.Vec3{9, 4.2, 9}, 1},
		} {
			for name, light := range lampsWithoutArea(mgl32.Vec3{0.2, 3, -0.1}) {
				s, camera := tracertest.Ground(albedo, view)
				s.Lights = []scene.Light{light}
				m := absorber(sigma[0], sigma[1], sigma[2])
				m.Roughness = row.roughness
				addBox(s, row.low, row.high, false, m)
				img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: size, Height: size, Samples: 1, Settings: o})
				half := math.Tan(view / 2 * math.Pi / 180)
				eye := mgl32.Vec3{float32(camera.Eye[0]), float32(camera.Eye[1]), float32(camera.Eye[2])}
				for i := range size * size {
					at := func(k int) float32 {
						return eye[1] * float32((2*(float64(k)+0.5)/size-1)*half)
					}
					x1 := mgl32.Vec3{at(i % size), 0, at(i / size)}
					E, from := arriving(light, x1)
					cos := float64(from.Sub(x1).Normalize()[1])
					inside := crossing(x1, from, row.low, row.high) + crossing(x1, eye, row.low, row.high)
					for c := range 3 {
						want := albedo / math.Pi * E * cos * math.Exp(-sigma[c]*inside)
						if got := float64(img.Pix[3*i+c]); math.Abs(got-want) > 2e-3*want+1e-7 {
							t.Fatalf("%s, %s: pixel %d, channel %d is %.6f, want %.6f", place, name, i, c, got, want)
						}
					}
				}
			}
		}
	})
}

// Light of lamps outside that fog scatters once: ∫ σs p(cos θ) E exp(−σt (s + d)) ds along the eye's ray, where d of the way from the
// lamp is in the fog; and a wall behind the fog has the light that is left.
func TestLampsOutsideFog(t *testing.T) {
	const sigma, albedo, g, wall = 0.8, 0.6, 0.4, 0.5
	low, high := mgl32.Vec3{-2, -2, -1}, mgl32.Vec3{2, 2, 1}
	eye := mgl32.Vec3{0, 0, 5}
	through := func(at, from mgl32.Vec3) float64 { return math.Exp(-sigma * crossing(at, from, low, high)) }
	fx := tracertest.OnBestBackend(t)
	for name, light := range lampsWithoutArea(mgl32.Vec3{0.7, 1.2, 3}) {
		for _, behind := range []bool{false, true} {
			fog := tracertest.Matte(1)
			gray(sigma, albedo, g).applyTo(&fog)
			s := &scene.Scene{Name: "fog"}
			addBox(s, low, high, false, fog)
			s.Lights = []scene.Light{light}
			want := quadrature(0, 2, func(depth float64) float64 {
				at := mgl32.Vec3{0, 0, float32(1 - depth)}
				E, from := arriving(light, at)
				cos := float64(at.Sub(from).Normalize()[2]) // between the ways of light to there and from there to the eye
				phase := (1 - g*g) / (4 * math.Pi * math.Pow(1+g*g-2*g*cos, 1.5))
				return sigma * albedo * phase * E * through(at, from) * math.Exp(-sigma*depth)
			})
			if behind {
				tracertest.AddQuad(s, mgl32.Vec3{-5, -5, -2}, mgl32.Vec3{10, 0, 0}, mgl32.Vec3{0, 10, 0}, tracertest.Matte(wall))
				at := mgl32.Vec3{0, 0, -2}
				E, from := arriving(light, at)
				want += wall / math.Pi * E * float64(from.Sub(at).Normalize()[2]) * through(at, from) * through(at, eye)
			}
			camera := scene.Camera{Eye: scene.Wide(eye), Up: mgl32.Vec3{0, 1, 0}, VFov: 0.1}
			fx.Use(s, tracertest.Dark())
			t.Run(name, func(t *testing.T) {
				shot := tracertest.Shot{Camera: camera, Width: 16, Height: 16, Samples: 256,
					Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces = 1 })}
				everyIntegrator(t, fx, shot, func(t *testing.T, img *imageio.Image) {
					if got := tracertest.Mean(img)[1]; math.Abs(got/want-1) > 0.01 {
						t.Errorf("wall %v: radiance %.5f, want %.5f", behind, got, want)
					}
				})
			})
		}
	}
}

// foggyYard is a block in a cloud of fog over a floor, under a lamp, beside another cloud that overlaps the first.
func foggyYard() (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "foggy yard"}
	tracertest.AddQuad(s, mgl32.Vec3{-3, -1.2, 3}, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 0, -6}, tracertest.Matte(0.6))
	tracertest.AddQuad(s, mgl32.Vec3{-3, -1.2, -2}, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 4, 0}, tracertest.Matte(0.7))
	fog, rough := tracertest.Matte(1), tracertest.Matte(1)
	volume{sigmaT: [3]float64{0.5, 0.7, 1}, albedo: [3]float64{0.9, 0.8, 0.7}, g: 0.3, ior: 1}.applyTo(&fog)
	volume{sigmaT: [3]float64{0.9, 0.6, 0.4}, albedo: [3]float64{0.5, 0.7, 0.9}, g: -0.2, ior: 1, roughness: 0.5}.applyTo(&rough)
	rough.BaseColor = mgl32.Vec4{0.9, 0.8, 1, 1}
	addBox(s, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{0.6, 0.7, 1}, false, fog)
	addBox(s, mgl32.Vec3{0.3, -0.9, -0.9}, mgl32.Vec3{1.3, 0.5, 0.8}, false, rough)
	addBox(s, mgl32.Vec3{-0.6, -0.8, -0.6}, mgl32.Vec3{-0.1, -0.1, 0.1}, false, tracertest.Matte(0.8))
	tracertest.AddQuad(s, mgl32.Vec3{-0.6, 1.5, -0.4}, mgl32.Vec3{0.8, 0, 0}, mgl32.Vec3{0, 0, 0.8}, tracertest.Emitter(6))
	return s, scene.Camera{Eye: mgl64.Vec3{1, 0.6, 4}, Target: mgl64.Vec3{0, -0.2, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
}

// In fog that bends nothing, behind it and where clouds overlap, light samples and sharing leave the mean where chance hits have it.
func TestIntegratorsAgreeInFog(t *testing.T) {
	s, camera := foggyYard()
	shot := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 9,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Roulette, o.Bounces = false, 6 })}
	integratorsAgree(t, shot, func(t *testing.T) *tracertest.Fixture {
		return tracertest.OnBestBackend(t).Use(s, leaning(mgl32.Vec3{0.5, 0.3, 0.2}))
	}, "path", "restir-gi", "restir")
}

// The engines give the same bits there, with the eye outside and in the fog.
func TestEnginesAgreeInFog(t *testing.T) {
	s, camera := foggyYard()
	for _, eye := range []mgl64.Vec3{camera.Eye, {0, 0.3, 0.8}} {
		camera.Eye = eye
		enginesAgree(t, tracertest.Shot{Camera: camera, Width: 50, Height: 37, Samples: 2, Settings: settings.Defaults()},
			func(t *testing.T) *tracertest.Fixture {
				return tracertest.OnFastest(t).Use(s, tracertest.Constant(0.2))
			}, "path", "restir-gi", "restir")
	}
}

// spread is the root mean square of pixels' errors over the mean of a picture.
func spread(img, mean *imageio.Image) float64 {
	var sum, light float64
	for i, v := range img.Pix {
		d := float64(v - mean.Pix[i])
		sum += d * d
		light += float64(mean.Pix[i])
	}
	n := float64(len(img.Pix))
	return math.Sqrt(sum/n) / (light / n)
}

// In a room that a lamp with an area lights from above, fog has little more noise than the room without it: the lamp's light is sampled,
// not met by chance.
func TestLampsLightFogWithLittleNoise(t *testing.T) {
	truths := map[bool]*imageio.Image{} // whether it is foggy
	noise := func(t *testing.T, integrator string, foggy bool) float64 {
		s := &scene.Scene{Name: "fog in a room"}
		addBox(s, mgl32.Vec3{-2, -2, -2}, mgl32.Vec3{2, 2, 6}, true, tracertest.Matte(0.7))
		tracertest.AddQuad(s, mgl32.Vec3{-0.1, 1.9, 0.1}, mgl32.Vec3{0.2, 0, 0}, mgl32.Vec3{0, 0, 0.2}, tracertest.Emitter(100))
		if foggy {
			fog := tracertest.Matte(1)
			gray(0.4, 0.8, 0.2).applyTo(&fog)
			addBox(s, mgl32.Vec3{-1.5, -1.5, -1}, mgl32.Vec3{1.5, 1.5, 1}, false, fog)
		}
		camera := scene.Camera{Eye: mgl64.Vec3{0, 0, 5}, Up: mgl32.Vec3{0, 1, 0}, VFov: 30}
		shot := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 16,
			Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Bounces = integrator, 8 })}
		fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
		img := fx.Render(shot)
		if truths[foggy] == nil {
			shot.Samples, shot.Settings.Seed, shot.Settings.Integrator = 512, 7, "path"
			truths[foggy] = fx.Render(shot)
		}
		return spread(img, truths[foggy])
	}
	without := noise(t, "path", false)
	for _, integrator := range []string{"path", "restir-gi", "restir"} {
		with := noise(t, integrator, true)
		t.Logf("%s: error %.4f in fog, %.4f without", integrator, with, without)
		if with > 3*without {
			t.Errorf("%s: error %.4f in fog, %.4f without: %.1f times", integrator, with, without, with/without)
		}
	}
}

// sievedBox is a box of a volume whose surface is there for a share of rays, by BLEND, or by MASK in the corners of its sides' triangles.
func sievedBox(s *scene.Scene, low, high mgl32.Vec3, mode scene.AlphaMode, alpha float32, m scene.Material) {
	m.AlphaMode, m.AlphaCutoff, m.BaseColor[3] = mode, 0.5, alpha
	first := len(s.Vertices)
	addBox(s, low, high, false, m)
	if mode == scene.AlphaMask {
		for i := range s.Vertices[first:] {
			s.Vertices[first+i].Color[3] = float32(i % 2)
		}
	}
}

// Who goes through a hole in the surface of a volume enters or leaves it: exp(−σ d) of the light arrives, whatever alpha is.
func TestHolesLeadIntoVolumes(t *testing.T) {
	sigma := [3]float64{0.3, 0.7, 1.5}
	fx := tracertest.OnBestBackend(t)
	for name, row := range map[string]struct {
		mode         scene.AlphaMode
		alpha        float32
		ior          float32
		eye, plate   float32 // z
		inside, lost float64 // of the way; share that is reflected at each of both sides
	}{
		"blend":                 {scene.AlphaBlend, 0.5, 1, 5, -3, 2, 0},
		"blend, thin":           {scene.AlphaBlend, 0.1, 1, 5, -3, 2, 0},
		"mask":                  {scene.AlphaMask, 1, 1, 5, -3, 2, 0},
		"eye inside":            {scene.AlphaBlend, 0.5, 1, 0.5, -3, 1.5, 0},
		"plate inside":          {scene.AlphaBlend, 0.5, 1, 5, -0.5, 1.5, 0},
		"glass that is a hole":  {scene.AlphaBlend, 0, 1.5, 5, -3, 2, 0},
		"mostly a hole":         {scene.AlphaBlend, 0.25, 1.5, 5, -3, 2, 0.25 * 0.04},
		"glass with eye inside": {scene.AlphaBlend, 0, 1.5, 0.5, -3, 1.5, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scene.Scene{Name: name}
			m := absorber(sigma[0], sigma[1], sigma[2])
			m.IOR, m.Specular = row.ior, 1
			sievedBox(s, mgl32.Vec3{-2, -2, -1}, mgl32.Vec3{2, 2, 1}, row.mode, row.alpha, m)
			glowing(s, row.plate)
			camera := scene.Camera{Eye: mgl64.Vec3{0, 0, float64(row.eye)}, Target: mgl64.Vec3{0, 0, -10}, Up: mgl32.Vec3{0, 1, 0}, VFov: 1}
			fx.Use(s, tracertest.Dark())
			shot := tracertest.Shot{Camera: camera, Width: 16, Height: 16, Samples: 64,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces = 12 })}
			everyIntegrator(t, fx, shot, func(t *testing.T, img *imageio.Image) {
				if strings.HasSuffix(t.Name(), "/direct") && row.ior != 1 {
					return // it ends where light is bent
				}
				for c := range 3 {
					want := math.Exp(-sigma[c]*row.inside) * (1 - row.lost) * (1 - row.lost)
					if got := tracertest.Mean(img)[c]; math.Abs(got-want) > 4e-3*want {
						t.Errorf("channel %d: %.5f, want %.5f", c, got, want)
					}
				}
			})
		})
	}
}

// Shadow rays go through holes into volumes, too: a lamp lights the ground through a box that is all holes as through one that bends
// nothing.
func TestLightsShineThroughHoles(t *testing.T) {
	const size, albedo = 12, 0.6
	sigma := [3]float64{0.3, 0.7, 1.5}
	low, high, lamp := mgl32.Vec3{-9, 1, -9}, mgl32.Vec3{9, 2, 9}, mgl32.Vec3{0.2, 3, -0.1}
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		o.Bounces = 1
		pictures := map[float32]*imageio.Image{}
		for _, ior := range []float32{1, 1.5} {
			s, camera := tracertest.Ground(albedo, 60)
			s.Lights = []scene.Light{{Kind: scene.LightPoint, Position: lamp, Intensity: mgl32.Vec3{5, 5, 5}}}
			m := absorber(sigma[0], sigma[1], sigma[2])
			m.IOR = ior
			if ior == 1 {
				addBox(s, low, high, false, m)
			} else {
				sievedBox(s, low, high, scene.AlphaBlend, 0, m)
			}
			pictures[ior] = fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: size, Height: size, Samples: 1, Settings: o})
		}
		if share := tracertest.ShareBeyond(pictures[1.5], pictures[1], 1e-3); share > 0 || tracertest.Mean(pictures[1])[1] < 0.01 {
			t.Errorf("%.1f %% of the pixels differ, of a mean of %.4f", 100*share, tracertest.Mean(pictures[1])[1])
		}
	})
}

// Among holes light samples and sharing leave the mean where chance hits have it, and the engines give the same bits.
func TestIntegratorsAgreeAmongHoles(t *testing.T) {
	glass, fog := absorber(0.5, 1, 2), tracertest.Matte(1)
	glass.IOR, glass.Specular = 1.3, 1
	gray(0.7, 0.8, 0.2).applyTo(&fog)
	s := &scene.Scene{Name: "holes"}
	tracertest.AddQuad(s, mgl32.Vec3{-3, -1.2, 3}, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 0, -6}, tracertest.Matte(0.6))
	sievedBox(s, mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{0, 0.5, 0.5}, scene.AlphaBlend, 0.4, glass)
	sievedBox(s, mgl32.Vec3{0.1, -1, -1}, mgl32.Vec3{1, 0.3, 0.5}, scene.AlphaMask, 1, fog)
	addBox(s, mgl32.Vec3{-0.7, -0.8, -0.6}, mgl32.Vec3{-0.3, -0.1, 0.1}, false, tracertest.Matte(0.8))
	tracertest.AddQuad(s, mgl32.Vec3{-0.6, 1.5, -0.4}, mgl32.Vec3{0.8, 0, 0}, mgl32.Vec3{0, 0, 0.8}, tracertest.Emitter(6))
	camera := scene.Camera{Eye: mgl64.Vec3{1, 0.6, 4}, Target: mgl64.Vec3{0, -0.2, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	shot := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 5,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Roulette, o.Bounces = false, 6 })}
	env := leaning(mgl32.Vec3{0.5, 0.3, 0.2})
	integratorsAgree(t, shot, func(t *testing.T) *tracertest.Fixture { return tracertest.OnBestBackend(t).Use(s, env) },
		"path", "restir-gi", "restir")
	shot.Width, shot.Height, shot.Samples = 50, 37, 2
	enginesAgree(t, shot, func(t *testing.T) *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, env) }, "path", "restir-gi", "restir")
}
