package gpuscene_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// lump is a closed surface with smooth normals and tangents: a sphere with dents, so deep as depth says, of 2·rings·sides triangles.
func lump(rings, sides int, depth float64, material uint32) scene.Mesh {
	var m scene.Mesh
	radius := func(theta, phi float64) float64 { return 1 + depth*math.Sin(3*theta)*math.Cos(2*phi)*math.Sin(theta) }
	at := func(theta, phi float64) mgl64.Vec3 {
		return mgl64.Vec3{math.Sin(theta) * math.Cos(phi), math.Cos(theta), -math.Sin(theta) * math.Sin(phi)}.Mul(radius(theta, phi))
	}
	for r := range rings + 1 {
		for s := range sides + 1 {
			theta, phi := math.Pi*float64(r)/float64(rings), 2*math.Pi*float64(s%sides)/float64(sides)
			inner := min(max(theta, 1e-3), math.Pi-1e-3)
			along := at(inner, phi+1e-4).Sub(at(inner, phi-1e-4)).Normalize()
			n := at(inner+1e-4, phi).Sub(at(inner-1e-4, phi)).Cross(along).Normalize()
			m.Vertices = append(m.Vertices, scene.Vertex{Position: narrow32(at(theta, phi)), Normal: narrow32(n), Tangent: narrow32(along).Vec4(1),
				UV: [2]mgl32.Vec2{{8 * float32(s) / float32(sides), 4 * float32(r) / float32(rings)}}, Color: mgl32.Vec4{1, 1, 1, 1}})
		}
	}
	row := uint32(sides + 1)
	for r := range uint32(rings) {
		for s := range uint32(sides) {
			a := r*row + s
			if r > 0 {
				m.Faces = append(m.Faces, scene.Face{V: [3]uint32{a, a + row, a + 1}, Material: material})
			}
			if r < uint32(rings)-1 {
				m.Faces = append(m.Faces, scene.Face{V: [3]uint32{a + 1, a + row, a + row + 1}, Material: material})
			}
		}
	}
	return m
}

func narrow32(v mgl64.Vec3) mgl32.Vec3 {
	return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
}

// mirrored is the mesh for instances that mirror it.
func mirrored(m scene.Mesh) scene.Mesh {
	out := scene.Mesh{Vertices: append([]scene.Vertex(nil), m.Vertices...), Faces: append([]scene.Face(nil), m.Faces...)}
	for i := range out.Vertices {
		out.Vertices[i].Tangent[3] *= -1
	}
	for i := range out.Faces {
		v := &out.Faces[i].V
		v[1], v[2] = v[2], v[1]
	}
	return out
}

// baked is the scene with every instance as a copy in the world.
func baked(s *scene.Scene) *scene.Scene {
	out := *s
	out.Meshes, out.Instances = nil, nil
	out.Vertices, out.Faces = append([]scene.Vertex(nil), s.Vertices...), append([]scene.Face(nil), s.Faces...)
	for _, in := range s.Instances {
		first := uint32(len(out.Vertices))
		linear := in.World.Mat3()
		normals := linear.Inv().Transpose()
		for _, v := range s.Meshes[in.Mesh].Vertices {
			v.Position = mgl32.TransformCoordinate(v.Position, in.World)
			v.Normal = normals.Mul3x1(v.Normal).Normalize()
			v.Tangent = linear.Mul3x1(v.Tangent.Vec3()).Normalize().Vec4(v.Tangent[3])
			out.Vertices = append(out.Vertices, v)
		}
		for _, f := range s.Meshes[in.Mesh].Faces {
			for k := range f.V {
				f.V[k] += first
			}
			out.Faces = append(out.Faces, f)
		}
	}
	return &out
}

// turned, moved and scaled, from right to left.
func placed(x, y, z, angle, sx, sy, sz float32) mgl32.Mat4 {
	return mgl32.Translate3D(x, y, z).Mul4(mgl32.HomogRotate3D(angle, mgl32.Vec3{1, 2, -0.5}.Normalize())).Mul4(mgl32.Scale3D(sx, sy, sz))
}

// crowd is a Cornell room full of instances: rigid, stretched, sheared by nested turns, mirrored; plain, bumpy, glass and lacy.
func crowd(t testing.TB) *scene.Scene {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	s.Images = append(s.Images, bumps(), lace())
	s.Textures = append(s.Textures, scene.Texture{Image: len(s.Images) - 2}, scene.Texture{Image: len(s.Images) - 1})
	bumpy, glass, lacy := scene.NewMaterial("bumpy"), scene.NewMaterial("glass"), scene.NewMaterial("lacy")
	bumpy.Metallic, bumpy.Roughness, bumpy.BaseColor = 0, 0.4, mgl32.Vec4{0.8, 0.5, 0.3, 1}
	bumpy.Textures[scene.TextureNormal].Texture = len(s.Textures) - 2
	glass.Metallic, glass.Roughness, glass.Transmission, glass.Thickness = 0, 0, 1, 1
	lacy.Metallic, lacy.AlphaMode, lacy.DoubleSided = 0, scene.AlphaMask, true
	lacy.Textures[scene.TextureBaseColor].Texture = len(s.Textures) - 1
	first := uint32(len(s.Materials))
	s.Materials = append(s.Materials, bumpy, glass, lacy)
	l := lump(12, 16, 0.15, first)
	s.Meshes = []scene.Mesh{l, mirrored(l), lump(12, 16, 0, first+1), lump(8, 12, 0.1, first+2)}
	nested := placed(0.5, 1.5, 0.4, 0.7, 1, 0.4, 1).Mul4(placed(0, 0, 0, 2, 0.25, 0.2, 0.5))
	s.Instances = []scene.Instance{
		{Mesh: 0, World: placed(-0.5, 0.3, 0.5, 0.4, 0.3, 0.3, 0.3)},
		{Mesh: 0, World: placed(-0.5, 1.4, 0.2, 1.4, 0.15, 0.4, 0.25)},
		{Mesh: 0, World: nested},
		{Mesh: 1, World: placed(0, 1, 0.7, -0.9, -0.25, 0.2, 0.2)},
		{Mesh: 1, World: placed(0.6, 0.9, 0.6, 2.9, 0.1, -0.3, 0.2)},
		{Mesh: 2, World: placed(0.5, 0.3, 0.7, 0.3, 0.25, 0.25, 0.25)},
		{Mesh: 2, World: placed(-0.1, 1.6, 0.3, 0.3, 0.2, 0.1, 0.2)},
		{Mesh: 3, World: placed(-0.6, 0.9, 0.6, 1, 0.2, 0.2, 0.2)},
		{Mesh: 3, World: placed(0, 0.5, 0.9, 2, 0.2, 0.1, 0.2)},
	}
	return s
}

// bumps is a normal map of slopes along u and v.
func bumps() scene.Image {
	img := scene.Image{Name: "bumps", Width: 4, Height: 4, Pixels: make([]byte, 64)}
	for i := range 16 {
		x, y := 100*(float64(i%4)/3-0.5), 100*(float64(i/4)/3-0.5)
		copy(img.Pixels[4*i:], []byte{byte(128 + x), byte(128 + y), 220, 255})
	}
	return img
}

// lace has holes.
func lace() scene.Image {
	img := scene.Image{Name: "lace", Width: 4, Height: 4, SRGB: true, Pixels: make([]byte, 64)}
	for i := range 16 {
		copy(img.Pixels[4*i:], []byte{200, 220, 180, byte(255 * (i % 3 & 1))})
	}
	return img
}
