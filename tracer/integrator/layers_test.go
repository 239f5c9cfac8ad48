package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// plastic is an opaque dielectric with a coat of its own.
func plastic(roughness float32) scene.Material {
	m := scene.NewMaterial("plastic")
	m.BaseColor, m.Metallic, m.Roughness = mgl32.Vec4{0.7, 0.4, 0.2, 1}, 0, roughness
	return m
}

// layeredMaterials have every layer and lobe of glTF's extensions, alone and over each other.
func layeredMaterials() []scene.Material {
	coated, metal, velvet, brushed, plate, filmed, leaf, all, sharp := plastic(0.5), plastic(0.4), plastic(0.6), plastic(0.3), plastic(0.2), plastic(0.4), plastic(0.7), plastic(0.3), plastic(0.5)
	coated.Clearcoat = scene.Clearcoat{Factor: 1, Roughness: 0.25, NormalScale: 1}
	sharp.Clearcoat = scene.Clearcoat{Factor: 0.7, NormalScale: 1}
	metal.Metallic, metal.Clearcoat = 1, scene.Clearcoat{Factor: 0.6, Roughness: 0.3, NormalScale: 1}
	velvet.Sheen = scene.Sheen{Color: mgl32.Vec3{0.4, 0.5, 0.9}, Roughness: 0.4}
	brushed.Metallic, brushed.Anisotropy = 1, scene.Anisotropy{Strength: 0.8, Rotation: 0.5}
	plate.Anisotropy = scene.Anisotropy{Strength: 0.6, Rotation: 1.2}
	filmed.Iridescence = scene.Iridescence{Factor: 1, IOR: 1.4, Minimum: 100, Maximum: 420}
	leaf.Translucency = scene.Translucency{Factor: 0.6, Color: mgl32.Vec3{0.3, 0.8, 0.2}}
	all.Metallic, all.Clearcoat, all.Sheen, all.Anisotropy = 0.4, coated.Clearcoat, velvet.Sheen, plate.Anisotropy
	all.Iridescence, all.Translucency = filmed.Iridescence, leaf.Translucency
	return []scene.Material{coated, metal, velvet, brushed, plate, filmed, leaf, all, sharp}
}

// glassMaterials are solid: one splits light, one has a film and a rough surface.
func glassMaterials() []scene.Material {
	prism, soap := plastic(0), plastic(0.35)
	for _, m := range []*scene.Material{&prism, &soap} {
		m.BaseColor, m.Transmission, m.Thickness = mgl32.Vec4{0.9, 0.95, 1, 1}, 1, 1
	}
	prism.Dispersion = 4
	soap.Dispersion, soap.Iridescence = 2, scene.Iridescence{Factor: 0.8, IOR: 1.6, Minimum: 100, Maximum: 300}
	return []scene.Material{prism, soap}
}

// materialSheet is a room without walls: tiles that lean this way and that, over a floor and under a large lamp.
func materialSheet() (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "sheet"}
	tracertest.AddQuad(s, mgl32.Vec3{-3, 0, 3}, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 0, -6}, tracertest.Matte(0.6))
	tracertest.AddQuad(s, mgl32.Vec3{-1, 3, -1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, 2}, tracertest.Emitter(4))
	for i, m := range layeredMaterials() {
		x, y, lean := float32(i%3)-1, float32(i/3)*0.65, float32(i%2)*0.5-0.25
		m.DoubleSided = true
		tracertest.AddQuad(s, mgl32.Vec3{x*0.7 - 0.3, 0.05 + y, lean}, mgl32.Vec3{0.6, 0, lean}, mgl32.Vec3{0, 0.6, -lean}, m)
	}
	for i, m := range glassMaterials() {
		x := float32(i)*0.8 - 0.6
		addBox(s, mgl32.Vec3{x, 0.02, 0.7}, mgl32.Vec3{x + 0.3, 0.32, 1}, false, m)
	}
	return s, scene.Camera{Eye: mgl64.Vec3{0.3, 1.5, 3.6}, Target: mgl64.Vec3{0, 0.85, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
}

// Light samples and sharing leave the mean of every layer where paths that find lights by chance have it.
func TestIntegratorsAgreeOnLayers(t *testing.T) {
	s, camera := materialSheet()
	env := leaning(mgl32.Vec3{0.4, 0.5, 0.6})
	shot := tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: 8,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Roulette, o.Bounces = false, 5 })}
	if tracertest.Long() {
		shot.Samples *= 16
	}
	integratorsAgree(t, shot, func(t *testing.T) *tracertest.Fixture { return tracertest.OnBestBackend(t).Use(s, env) },
		"path", "restir-gi", "restir")
}

// The engines give the same bits on every layer.
func TestEnginesAgreeOnLayers(t *testing.T) {
	s, camera := materialSheet()
	enginesAgree(t, tracertest.Shot{Camera: camera, Width: 50, Height: 37, Samples: 2, Settings: settings.Defaults()},
		func(t *testing.T) *tracertest.Fixture {
			return tracertest.OnFastest(t).Use(s, tracertest.Constant(0.5))
		}, "path", "restir")
}

// White solid glass that splits light is invisible in white light: its wavelengths add up to what came in.
func TestDispersionKeepsWhite(t *testing.T) {
	s := &scene.Scene{Name: "prism"}
	prism := plastic(0)
	prism.BaseColor, prism.Transmission, prism.Thickness, prism.Dispersion = mgl32.Vec4{1, 1, 1, 1}, 1, 1, 5
	addBox(s, mgl32.Vec3{-0.5, -0.5, -0.5}, mgl32.Vec3{0.5, 0.5, 0.5}, false, prism)
	shot := tracertest.Shot{Camera: scene.Camera{Eye: mgl64.Vec3{1.5, 1, 3}, Up: mgl32.Vec3{0, 1, 0}, VFov: 15}, Width: 24, Height: 24, Samples: 256,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces = 200 })}
	for _, integrator := range []string{"path", "restir"} {
		shot.Settings.Integrator = integrator
		for c, mean := range tracertest.Mean(tracertest.OnBestBackend(t).Use(s, tracertest.Constant(1)).Render(shot)) {
			if math.Abs(mean-1) > 0.01 {
				t.Errorf("%s, channel %d: %.4f of white light", integrator, c, mean)
			}
		}
	}
}
