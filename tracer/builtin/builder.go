package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// builder collects the parts of one scene.
type builder struct{ s *scene.Scene }

// material adds m and returns its index.
func (b *builder) material(m scene.Material) uint32 {
	b.s.Materials = append(b.s.Materials, m)
	return uint32(len(b.s.Materials) - 1)
}

// texture adds an image with a repeating bilinear sampler and returns a reference to it.
func (b *builder) texture(img scene.Image) scene.TextureRef {
	b.s.Images = append(b.s.Images, img)
	b.s.Textures = append(b.s.Textures, scene.Texture{Image: len(b.s.Images) - 1})
	return scene.TextureRef{Texture: len(b.s.Textures) - 1, Transform: scene.IdentityTransform}
}

// camera adds a perspective camera with +Y up; vfov is in degrees.
func (b *builder) camera(eye, target mgl32.Vec3, vfov float32) {
	b.s.Cameras = append(b.s.Cameras, scene.Camera{Name: "default", Eye: scene.Wide(eye), Target: scene.Wide(target), Up: mgl32.Vec3{0, 1, 0}, VFov: vfov})
}

// add places a copy of m by the transform, which may rotate, move and scale evenly.
func (b *builder) add(m mesh, at mgl32.Mat4, material uint32) {
	b.s.Report.Meshes++
	b.s.Report.Nodes++
	b.s.Objects = append(b.s.Objects, uint32(len(b.s.Faces)))
	base := uint32(len(b.s.Vertices))
	for _, v := range m.vertices {
		v.Position = at.Mul4x1(v.Position.Vec4(1)).Vec3()
		v.Normal = at.Mul4x1(v.Normal.Vec4(0)).Vec3().Normalize()
		v.Tangent = at.Mul4x1(v.Tangent.Vec3().Vec4(0)).Vec3().Normalize().Vec4(v.Tangent[3])
		b.s.Vertices = append(b.s.Vertices, v)
	}
	for _, f := range m.faces {
		b.s.Faces = append(b.s.Faces, scene.Face{V: [3]uint32{f[0] + base, f[1] + base, f[2] + base}, Material: material})
	}
}

// at is the transform that moves by (x, y, z) metres.
func at(x, y, z float32) mgl32.Mat4 { return mgl32.Translate3D(x, y, z) }

// turned is a rotation about +Y, in degrees, counter-clockwise seen from above.
func turned(degrees float32) mgl32.Mat4 { return mgl32.HomogRotate3DY(mgl32.DegToRad(degrees)) }
