package builtin

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// WriteGLB writes any flat scene as one binary glTF 2.0 file with its images inside as PNG: one primitive per material, so
// nodes and names of meshes are lost. Cameras, punctual lights and every material extension of scene.Material are kept.
// The file appears whole or not at all. Scenes whose indices lead nowhere and sheared texture transforms, which glTF
// cannot express, are errors.
func WriteGLB(path string, s *scene.Scene) error {
	doc, err := document(s)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	err = imageio.WriteAtomic(path, func(w io.WriteSeeker) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		if err := gltf.NewEncoder(buffered).Encode(doc); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// glbWriter is a document under construction and the extensions it has used.
type glbWriter struct {
	doc *gltf.Document
	s   *scene.Scene
}

func document(s *scene.Scene) (*gltf.Document, error) {
	if err := check(s); err != nil {
		return nil, err
	}
	w := glbWriter{doc: gltf.NewDocument(), s: s}
	w.doc.Asset.Generator = "glint"
	w.doc.Scenes[0].Name = s.Name
	if err := w.images(); err != nil {
		return nil, err
	}
	w.materials()
	w.mesh()
	w.cameras()
	w.lights()
	slices.Sort(w.doc.ExtensionsUsed)
	return w.doc, nil
}

// check makes sure that nothing below can step outside a slice, and that glTF can express all texture transforms.
func check(s *scene.Scene) error {
	for i, f := range s.Faces {
		if int(f.Material) >= len(s.Materials) {
			return fmt.Errorf("face %d has material %d of %d", i, f.Material, len(s.Materials))
		}
		for _, v := range f.V {
			if int(v) >= len(s.Vertices) {
				return fmt.Errorf("face %d has vertex %d of %d", i, v, len(s.Vertices))
			}
		}
	}
	for i, t := range s.Textures {
		if t.Image < 0 || t.Image >= len(s.Images) {
			return fmt.Errorf("texture %d has image %d of %d", i, t.Image, len(s.Images))
		}
	}
	for i, img := range s.Images {
		if img.Width <= 0 || img.Height <= 0 || len(img.Pixels) != 4*img.Width*img.Height {
			return fmt.Errorf("image %d (%s) has %d bytes for %d×%d texels", i, img.Name, len(img.Pixels), img.Width, img.Height)
		}
	}
	for i := range s.Materials {
		for _, t := range s.Materials[i].Textures {
			err := error(nil)
			if t.Texture >= len(s.Textures) {
				err = fmt.Errorf("texture %d of %d", t.Texture, len(s.Textures))
			} else if t.Texture >= 0 {
				_, err = splitTransform(t.Transform)
			}
			if err != nil {
				return fmt.Errorf("material %d (%s): %w", i, s.Materials[i].Name, err)
			}
		}
	}
	return nil
}

// extension records that the file uses an extension and returns its name.
func (w *glbWriter) extension(name string) string {
	if !slices.Contains(w.doc.ExtensionsUsed, name) {
		w.doc.ExtensionsUsed = append(w.doc.ExtensionsUsed, name)
	}
	return name
}

// node adds a node to the scene.
func (w *glbWriter) node(n *gltf.Node) {
	w.doc.Nodes = append(w.doc.Nodes, n)
	w.doc.Scenes[0].Nodes = append(w.doc.Scenes[0].Nodes, len(w.doc.Nodes)-1)
}

// images encodes the images side by side and adds a texture and a sampler for each texture of the scene.
func (w *glbWriter) images() error {
	files := make([]bytes.Buffer, len(w.s.Images))
	failed := make([]error, len(w.s.Images))
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	var wg sync.WaitGroup
	for i, img := range w.s.Images {
		wg.Go(func() {
			failed[i] = encoder.Encode(&files[i], &image.NRGBA{
				Pix: img.Pixels, Stride: 4 * img.Width, Rect: image.Rect(0, 0, img.Width, img.Height),
			})
		})
	}
	wg.Wait()
	for i, img := range w.s.Images {
		if failed[i] != nil {
			return fmt.Errorf("image %d (%s): %w", i, img.Name, failed[i])
		}
		if _, err := modeler.WriteImage(w.doc, img.Name, "image/png", &files[i]); err != nil {
			return fmt.Errorf("image %d (%s): %w", i, img.Name, err)
		}
	}
	wraps := map[scene.Wrap]gltf.WrappingMode{
		scene.WrapRepeat: gltf.WrapRepeat, scene.WrapMirror: gltf.WrapMirroredRepeat, scene.WrapClamp: gltf.WrapClampToEdge,
	}
	for i, t := range w.s.Textures {
		filter := gltf.MagLinear
		if t.Nearest {
			filter = gltf.MagNearest
		}
		w.doc.Samplers = append(w.doc.Samplers, &gltf.Sampler{MagFilter: filter, WrapS: wraps[t.WrapS], WrapT: wraps[t.WrapT]})
		w.doc.Textures = append(w.doc.Textures, &gltf.Texture{Sampler: gltf.Index(i), Source: gltf.Index(t.Image)})
	}
	return nil
}

// textureTransform is KHR_texture_transform.
type textureTransform struct {
	Offset   [2]float32 `json:"offset"`
	Rotation float64    `json:"rotation,omitempty"`
	Scale    [2]float64 `json:"scale"`
}

// textureInfo refers to a texture; nil when there is none.
func (w *glbWriter) textureInfo(t scene.TextureRef) *gltf.TextureInfo {
	if t.Texture < 0 {
		return nil
	}
	info := &gltf.TextureInfo{Index: t.Texture, TexCoord: t.UVSet}
	if t.Transform != scene.IdentityTransform {
		transform, _ := splitTransform(t.Transform) // which check has looked at
		info.Extensions = gltf.Extensions{w.extension("KHR_texture_transform"): transform}
	}
	return info
}

// splitTransform finds offset, rotation and scale: u' = cos r·sx·u + sin r·sy·v + ox, v' = −sin r·sx·u + cos r·sy·v + oy.
func splitTransform(m scene.UVTransform) (textureTransform, error) {
	a, b, c, d := float64(m[0]), float64(m[1]), float64(m[3]), float64(m[4])
	sx, sy := math.Hypot(a, c), math.Hypot(b, d)
	if math.Abs(a*b+c*d) > 1e-5*sx*sy {
		return textureTransform{}, errors.New("a texture transform shears, which KHR_texture_transform cannot express")
	}
	rotation := math.Atan2(-c, a)
	if sx == 0 {
		rotation = math.Atan2(b, d)
	}
	if a*d-b*c < 0 {
		sy = -sy
	}
	return textureTransform{[2]float32{m[2], m[5]}, rotation, [2]float64{sx, sy}}, nil
}

// materials writes each extension of a material whose values differ from glTF's defaults.
func (w *glbWriter) materials() {
	alpha := map[scene.AlphaMode]gltf.AlphaMode{
		scene.AlphaOpaque: gltf.AlphaOpaque, scene.AlphaMask: gltf.AlphaMask, scene.AlphaBlend: gltf.AlphaBlend,
	}
	for i := range w.s.Materials {
		m := &w.s.Materials[i]
		color := [4]float64{float64(m.BaseColor[0]), float64(m.BaseColor[1]), float64(m.BaseColor[2]), float64(m.BaseColor[3])}
		out := &gltf.Material{
			Name: m.Name, AlphaMode: alpha[m.AlphaMode], DoubleSided: m.DoubleSided,
			PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
				BaseColorFactor: &color, MetallicFactor: gltf.Float(float64(m.Metallic)), RoughnessFactor: gltf.Float(float64(m.Roughness)),
				BaseColorTexture:         w.textureInfo(m.Textures[scene.TextureBaseColor]),
				MetallicRoughnessTexture: w.textureInfo(m.Textures[scene.TextureMetallicRoughness]),
			},
			EmissiveFactor: doubles(m.Emission.Mul(1 / m.EmissiveStrength())), EmissiveTexture: w.textureInfo(m.Textures[scene.TextureEmissive]),
			Extras: m.Extras(), Extensions: m.Extensions(w.textureInfo),
		}
		if m.AlphaMode == scene.AlphaMask {
			out.AlphaCutoff = gltf.Float(float64(m.AlphaCutoff))
		}
		if normal := w.textureInfo(m.Textures[scene.TextureNormal]); normal != nil {
			out.NormalTexture = &gltf.NormalTexture{
				Extensions: normal.Extensions, Index: gltf.Index(normal.Index), TexCoord: normal.TexCoord,
				Scale: gltf.Float(float64(m.NormalScale)),
			}
		}
		for name := range out.Extensions {
			w.extension(name)
		}
		w.doc.Materials = append(w.doc.Materials, out)
	}
}

func doubles(v mgl32.Vec3) [3]float64 { return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])} }

// mesh writes one primitive for each material that has faces.
func (w *glbWriter) mesh() {
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
	if slices.ContainsFunc(vertices, func(v scene.Vertex) bool { return v.Color != mgl32.Vec4{1, 1, 1, 1} }) {
		attributes[gltf.COLOR_0] = modeler.WriteColor(w.doc, column(vertices, func(v scene.Vertex) [4]float32 { return v.Color }))
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

// Clip planes of the cameras written, m: glTF demands them, glint ignores them.
const zNear, zFar = 0.01, 1000

func (w *glbWriter) cameras() {
	for i, c := range w.s.Cameras {
		camera := &gltf.Camera{Name: c.Name}
		if half := float64(c.Orthographic); half > 0 {
			camera.Orthographic = &gltf.Orthographic{Xmag: half, Ymag: half, Znear: zNear, Zfar: zFar}
		} else {
			camera.Perspective = &gltf.Perspective{Yfov: float64(mgl32.DegToRad(c.VFov)), Znear: zNear}
		}
		w.doc.Cameras = append(w.doc.Cameras, camera)
		w.node(&gltf.Node{Name: c.Name, Camera: gltf.Index(i), Matrix: facing(w.s.ToFile(c.Eye), c.Sight(), c.Up)})
	}
}

// facing is the matrix of a node at eye whose −Z points forward, column by column.
func facing(eye mgl64.Vec3, forward, up mgl32.Vec3) [16]float64 {
	z := forward.Mul(-1).Normalize()
	x := tangentAlong(z, up.Cross(z)) // any direction across when up is parallel
	y := z.Cross(x)
	var m [16]float64
	for column, v := range []mgl64.Vec4{scene.Wide(x).Vec4(0), scene.Wide(y).Vec4(0), scene.Wide(z).Vec4(0), eye.Vec4(1)} {
		copy(m[4*column:], v[:])
	}
	return m
}

// lights writes KHR_lights_punctual.
func (w *glbWriter) lights() {
	if len(w.s.Lights) == 0 {
		return
	}
	kinds := map[scene.LightKind]string{scene.LightPoint: "point", scene.LightSpot: "spot", scene.LightDirectional: "directional"}
	name := w.extension("KHR_lights_punctual")
	var list []map[string]any
	for i, l := range w.s.Lights {
		intensity := max(l.Intensity[0], l.Intensity[1], l.Intensity[2])
		color := mgl32.Vec3{1, 1, 1}
		if intensity > 0 {
			color = l.Intensity.Mul(1 / intensity)
		}
		light := map[string]any{"name": l.Name, "type": kinds[l.Kind], "color": color, "intensity": intensity}
		if l.Range > 0 && l.Kind != scene.LightDirectional {
			light["range"] = l.Range
		}
		node := &gltf.Node{Name: l.Name, Extensions: gltf.Extensions{name: map[string]any{"light": i}}}
		direction := mgl32.Vec3{0, 0, -1}
		if l.Kind != scene.LightPoint {
			direction = l.Direction
		}
		node.Matrix = facing(w.s.ToFile(scene.Wide(l.Position)), direction, mgl32.Vec3{0, 1, 0})
		if l.Kind == scene.LightSpot {
			light["spot"] = map[string]any{"innerConeAngle": l.InnerCone, "outerConeAngle": l.OuterCone}
		}
		list = append(list, light)
		w.node(node)
	}
	w.doc.Extensions = gltf.Extensions{name: map[string]any{"lights": list}}
}
