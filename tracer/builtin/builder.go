package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// Options change what Make builds; the zero value gives each scene's default.
type Options struct {
	// Triangles is roughly how many triangles a tessellated scene should have, 0 for the scene's default.
	Triangles int
	// Material may change the material of the scene's subject (white-furnace: its sphere); nil leaves it.
	Material func(*scene.Material)
}

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
func (b *builder) camera(eye, target vec3, vfov float32) {
	b.s.Cameras = append(b.s.Cameras, scene.Camera{Name: "default", Eye: scene.Wide(eye), Target: scene.Wide(target), Up: vec3{0, 1, 0}, VFov: vfov})
}

// add places a copy of m by the transform, which may rotate, move and scale evenly.
func (b *builder) add(m mesh, at mgl32.Mat4, material uint32) {
	b.s.Report.Meshes++
	b.s.Report.Nodes++
	b.s.Objects = append(b.s.Objects, uint32(len(b.s.Faces)))
	all := mesh{vertices: b.s.Vertices}
	all.append(m, at)
	b.s.Vertices = all.vertices
	for _, f := range all.faces {
		b.s.Faces = append(b.s.Faces, scene.Face{V: f, Material: material})
	}
}

// put places a copy of m that alone has a material.
func (b *builder) put(m mesh, at mgl32.Mat4, material scene.Material) {
	i := b.material(material)
	b.add(m, at, i)
}

// fix adds a mesh that is where it should be.
func (b *builder) fix(m mesh, material scene.Material) { b.put(m, mgl32.Ident4(), material) }

// slab is a box between two corners, m.
func (b *builder) slab(lo, hi vec3, material uint32) {
	b.add(box(hi.Sub(lo)), at((lo[0]+hi[0])/2, lo[1], (lo[2]+hi[2])/2), material)
}
