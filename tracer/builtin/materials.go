package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// Albedos of the painted walls: the Cornell box's measured spectra rounded to linear Rec.709.
var (
	white = mgl32.Vec3{0.73, 0.73, 0.73}
	red   = mgl32.Vec3{0.63, 0.065, 0.05}
	green = mgl32.Vec3{0.14, 0.45, 0.091}
)

// matte is a pure Lambert reflector: no specular layer at all.
func matte(name string, albedo mgl32.Vec3) scene.Material {
	m := scene.NewMaterial(name)
	m.BaseColor, m.Metallic, m.Specular = albedo.Vec4(1), 0, 0
	return m
}

// plastic is a diffuse base under a dielectric surface of ior 1.5.
func plastic(name string, albedo mgl32.Vec3, roughness float32) scene.Material {
	m := scene.NewMaterial(name)
	m.BaseColor, m.Metallic, m.Roughness = albedo.Vec4(1), 0, roughness
	return m
}

// metal reflects f0 at normal incidence.
func metal(name string, f0 mgl32.Vec3, roughness float32) scene.Material {
	m := scene.NewMaterial(name)
	m.BaseColor, m.Roughness = f0.Vec4(1), roughness
	return m
}

// glass is a solid dielectric of ior 1.5; white light keeps color after distance metres inside.
func glass(name string, roughness float32, color mgl32.Vec3, distance float32) scene.Material {
	m := scene.NewMaterial(name)
	m.Metallic, m.Roughness, m.Transmission, m.Thickness = 0, roughness, 1, 1
	m.AttenuationColor, m.AttenuationDistance = color, distance
	return m
}

// emitter is black and glows with the given radiance, nit, from its front.
func emitter(name string, radiance mgl32.Vec3) scene.Material {
	m := matte(name, mgl32.Vec3{})
	m.Emission = radiance
	return m
}

// warm is the colour of the ceiling lamps, of luminance about 1.
var warm = mgl32.Vec3{1.12, 0.98, 0.76}
