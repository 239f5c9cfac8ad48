package builtin

import (
	"math"

	"glint/tracer/scene"
)

// Albedos of the painted walls: the Cornell box's measured spectra rounded to linear Rec.709.
var (
	white = vec3{0.73, 0.73, 0.73}
	red   = vec3{0.63, 0.065, 0.05}
	green = vec3{0.14, 0.45, 0.091}
)

// matte is a pure Lambert reflector: no specular layer at all.
func matte(name string, albedo vec3) scene.Material {
	m := scene.NewMaterial(name)
	m.BaseColor, m.Metallic, m.Specular = albedo.Vec4(1), 0, 0
	return m
}

// plastic is a diffuse base under a dielectric surface of ior 1.5.
func plastic(name string, albedo vec3, roughness float32) scene.Material {
	m := scene.NewMaterial(name)
	m.BaseColor, m.Metallic, m.Roughness = albedo.Vec4(1), 0, roughness
	return m
}

// metal reflects f0 at normal incidence.
func metal(name string, f0 vec3, roughness float32) scene.Material {
	m := scene.NewMaterial(name)
	m.BaseColor, m.Roughness = f0.Vec4(1), roughness
	return m
}

// glass is a solid dielectric of ior 1.5; white light keeps color after distance metres inside.
func glass(name string, roughness float32, color vec3, distance float32) scene.Material {
	m := scene.NewMaterial(name)
	m.Metallic, m.Roughness, m.Transmission, m.Thickness = 0, roughness, 1, 1
	m.AttenuationColor, m.AttenuationDistance = color, distance
	return m
}

// translucent scatters light inside as often as coefficient says (1/m), forward by a mean cosine of g; after many events
// white light has about the given color. Its surface is that of glass of an index of 1.3.
func translucent(name string, color vec3, coefficient, g float64, roughness float32) scene.Material {
	m := glass(name, roughness, vec3{}, float32(1/coefficient))
	m.IOR, m.MultiscatterColor, m.ScatterAnisotropy = 1.3, color, float32(g)
	for c := range 3 {
		m.AttenuationColor[c] = float32(math.Exp(-1 / scene.ScatterAlbedo(float64(color[c]))))
	}
	return m
}

// emitter is black and glows with the given radiance, nit, from its front.
func emitter(name string, radiance vec3) scene.Material {
	m := matte(name, vec3{})
	m.Emission = radiance
	return m
}

// warm is the colour of the ceiling lamps, of luminance about 1.
var warm = vec3{1.12, 0.98, 0.76}

// rainbow is a colour of albedo 0.05…0.8 with the hue as a fraction of the circle.
func rainbow(hue float64) vec3 {
	var c vec3
	for i := range c {
		c[i] = float32(0.425 + 0.375*math.Cos(2*math.Pi*(hue-float64(i)/3)))
	}
	return c
}
