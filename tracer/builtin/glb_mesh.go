package builtin

import (
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// mesh writes one primitive for each material that has faces.
func (w *glbWriter) mesh() error {
	byMaterial := make([][]scene.Face, len(w.s.Materials))
	for _, f := range w.s.Faces {
		byMaterial[f.Material] = append(byMaterial[f.Material], f)
	}
	mesh := &gltf.Mesh{Name: w.s.Name}
	number := make([]int, len(w.s.Vertices)) // of each vertex in its primitive, plus one
	for material, faces := range byMaterial {
		if len(faces) == 0 {
			continue
		}
		clear(number)
		mesh.Primitives = append(mesh.Primitives, w.primitive(material, faces, number))
	}
	if len(mesh.Primitives) > 0 {
		w.doc.Meshes = append(w.doc.Meshes, mesh)
		w.node(&gltf.Node{Name: w.s.Name, Mesh: gltf.Index(0), Translation: w.s.Origin})
	}
	return nil
}

func (w *glbWriter) primitive(material int, faces []scene.Face, number []int) *gltf.Primitive {
	var vertices []scene.Vertex
	indices := make([]uint32, 0, 3*len(faces))
	for _, f := range faces {
		for _, v := range f.V {
			if number[v] == 0 {
				vertices = append(vertices, w.s.Vertices[v])
				number[v] = len(vertices)
			}
			indices = append(indices, uint32(number[v]-1))
		}
	}
	attributes := gltf.PrimitiveAttributes{
		gltf.POSITION: modeler.WritePosition(w.doc, column(vertices, func(v scene.Vertex) [3]float32 { return v.Position })),
		gltf.NORMAL:   modeler.WriteNormal(w.doc, column(vertices, func(v scene.Vertex) [3]float32 { return v.Normal })),
	}
	uv := usedUVSets(&w.s.Materials[material])
	if uv[0] || uv[1] { // TEXCOORD_1 may not stand alone
		attributes[gltf.TEXCOORD_0] = modeler.WriteTextureCoord(w.doc, column(vertices, func(v scene.Vertex) [2]float32 { return v.UV[0] }))
	}
	if uv[1] {
		attributes[gltf.TEXCOORD_1] = modeler.WriteTextureCoord(w.doc, column(vertices, func(v scene.Vertex) [2]float32 { return v.UV[1] }))
	}
	if _, needed := w.s.Materials[material].Tangents(); needed {
		attributes[gltf.TANGENT] = modeler.WriteTangent(w.doc, column(vertices, func(v scene.Vertex) [4]float32 { return v.Tangent }))
	}
	for _, v := range vertices {
		if v.Color != (mgl32.Vec4{1, 1, 1, 1}) {
			attributes[gltf.COLOR_0] = modeler.WriteColor(w.doc, column(vertices, func(v scene.Vertex) [4]float32 { return v.Color }))
			break
		}
	}
	return &gltf.Primitive{
		Attributes: attributes, Indices: gltf.Index(modeler.WriteIndices(w.doc, indices)), Material: gltf.Index(material),
	}
}

// column is one attribute of every vertex.
func column[T any](vertices []scene.Vertex, field func(scene.Vertex) T) []T {
	values := make([]T, len(vertices))
	for i, v := range vertices {
		values[i] = field(v)
	}
	return values
}

// usedUVSets says which sets of texture coordinates a material's textures read.
func usedUVSets(m *scene.Material) [2]bool {
	var used [2]bool
	for _, t := range m.Textures {
		if t.Texture >= 0 {
			used[t.UVSet&1] = true
		}
	}
	return used
}
