package tracer_test

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// matte is a Lambert reflector without any coat.
func matte(albedo float32) scene.Material {
	m := scene.NewMaterial("matte")
	m.BaseColor, m.Metallic, m.Specular = mgl32.Vec4{albedo, albedo, albedo, 1}, 0, 0
	return m
}

// emitter is black and emits radiance (nit) from its front.
func emitter(radiance float32) scene.Material {
	m := matte(0)
	m.Emission = mgl32.Vec3{radiance, radiance, radiance}
	return m
}

// addQuad adds the parallelogram at corner with edges u and v; its front is where u × v points.
func addQuad(s *scene.Scene, corner, u, v mgl32.Vec3, m scene.Material) {
	s.Materials = append(s.Materials, m)
	base := uint32(len(s.Vertices))
	normal := u.Cross(v).Normalize()
	for _, p := range []mgl32.Vec3{corner, corner.Add(u), corner.Add(u).Add(v), corner.Add(v)} {
		s.Vertices = append(s.Vertices, scene.Vertex{Position: p, Normal: normal, Tangent: u.Normalize().Vec4(1),
			Color: mgl32.Vec4{1, 1, 1, 1}})
	}
	material := uint32(len(s.Materials) - 1)
	s.Faces = append(s.Faces, scene.Face{V: [3]uint32{base, base + 1, base + 2}, Material: material},
		scene.Face{V: [3]uint32{base, base + 2, base + 3}, Material: material})
}

// ground is a matte plane through the origin that faces +Y, seen from 1 m above by a camera of the given field of view.
func ground(albedo, vfov float32) (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "ground"}
	addQuad(s, mgl32.Vec3{-50, 0, 50}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 0, -100}, matte(albedo))
	return s, fromAbove(vfov)
}

// fromAbove looks straight down from 1 m: +X is right, −Z is up in the picture.
func fromAbove(vfov float32) scene.Camera {
	return scene.Camera{Eye: mgl32.Vec3{0, 1, 0}, Up: mgl32.Vec3{0, 0, -1}, VFov: vfov}
}

// transformed is a copy of the scene and its first camera, scaled about the origin and then moved. Radiance does not change.
func transformed(s *scene.Scene, scale float32, move mgl32.Vec3) (*scene.Scene, scene.Camera) {
	c := *s
	c.Vertices = append([]scene.Vertex(nil), s.Vertices...)
	for i := range c.Vertices {
		c.Vertices[i].Position = c.Vertices[i].Position.Mul(scale).Add(move)
	}
	camera := s.Cameras[0]
	camera.Eye = camera.Eye.Mul(scale).Add(move)
	camera.Target = camera.Target.Mul(scale).Add(move)
	return &c, camera
}
