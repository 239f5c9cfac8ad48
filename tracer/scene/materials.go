package scene

import (
	"encoding/json"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// looks are the materials that the scene draws with, and their textures.
type looks struct {
	materials []Material
	uvSets    []uvSets       // of the vertices of each
	slots     map[int]uint32 // index of a used material in the file (-1 is glTF's default) → in materials
	textures  *textureTable
	sources   map[int]*materialSource // of used materials, by their index in the file
	changing  changingMaterials
}

// readMaterials converts every material that the meshes are drawn with, with the textures they need.
func readMaterials(doc *document, meshes []int, v variants, c *changes) (*looks, error) {
	l := &looks{
		slots: map[int]uint32{}, textures: newTextureTable(doc),
		sources: map[int]*materialSource{}, changing: changingMaterials{sources: map[int]*materialSource{}, bounds: map[int]materialBounds{}},
	}
	for _, mesh := range meshes {
		for _, p := range doc.Meshes[mesh].Primitives {
			if !drawable(p.Mode) {
				continue
			}
			material, err := v.material(p, len(doc.Materials))
			if err == nil {
				err = l.use(doc, material, c)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// use gives a material of the file its place in the scene; nil is glTF's default material.
func (l *looks) use(doc *document, index *int, c *changes) error {
	key := -1
	if index != nil {
		key = *index
	}
	if _, done := l.slots[key]; done {
		return nil
	}
	slot, m, sets := len(l.materials), NewMaterial("default"), uvSets{0, 1}
	if index != nil {
		src, name, shown := doc.Materials[key], label("material", key, doc.Materials[key].Name), []subject{{materialSubject, slot}}
		source, err := readMaterial(src, &textureReader{l.textures, shown})
		sets = chooseUVSets(&source.Material, doc.warn, shown)
		if err == nil {
			err = source.readTransforms(src)
		}
		l.sources[key] = &source
		if err == nil && c.changesMaterial(key) {
			err = l.changing.add(doc.job, key, slot, src, source, c)
		}
		if err := doc.spare(name, shown, err, "drawn as far as it is read"); err != nil {
			return err
		}
		m = source.material()
		if src.OcclusionTexture != nil {
			doc.warn.about(name, shown, "its occlusion texture is not applied: a path tracer computes occlusion")
		}
	}
	l.slots[key] = uint32(slot)
	l.materials, l.uvSets = append(l.materials, m), append(l.uvSets, sets)
	return nil
}

// readMaterial reads a material as far as it can be read.
func readMaterial(src *gltf.Material, textures *textureReader) (materialSource, error) {
	m := materialSource{Material: NewMaterial(src.Name), emissiveStrength: 1}
	m.AlphaMode = AlphaMode(src.AlphaMode)
	m.AlphaCutoff = finite32(src.AlphaCutoffOrDefault())
	m.DoubleSided = src.DoubleSided
	var uses []textureUse
	if p := src.PBRMetallicRoughness; p != nil {
		m.BaseColor = vec4(p.BaseColorFactorOrDefault())
		m.Metallic = unit32(p.MetallicFactorOrDefault())
		m.Roughness = unit32(p.RoughnessFactorOrDefault())
		uses = append(uses, textureUse{TextureBaseColor, p.BaseColorTexture}, textureUse{TextureMetallicRoughness, p.MetallicRoughnessTexture})
	}
	normal, scale := normalInfo(src.NormalTexture)
	m.NormalScale = scale
	uses = append(uses, textureUse{TextureNormal, normal}, textureUse{TextureEmissive, src.EmissiveTexture})
	m.Emission = vec3(src.EmissiveFactor)
	m.Priority = readPriority(src.Extras)
	if err := textures.read(&m.Material, uses...); err != nil {
		return m, err
	}
	for _, row := range materialExtensions {
		if _, there := src.Extensions[row.name]; there {
			if err := row.take(textures, src.Extensions, &m); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// take reads the extension into a material of a file that has it.
func (row *materialExtension) take(t *textureReader, ext gltf.Extensions, m *materialSource) error {
	var fields map[string]json.RawMessage
	if err := decodeExtension(ext, row.name, &fields); err != nil {
		return err
	}
	if row.begin != nil {
		row.begin(m)
	}
	var uses []textureUse
	for i := range row.properties {
		p := &row.properties[i]
		first, rest, _ := strings.Cut(p.name, "/")
		said, err := lookJSON(fields[first], rest)
		if err != nil {
			return err
		}
		if p.of == nil && p.use < TextureUses {
			uses = append(uses, textureUse{use: p.use})
			if said == nil {
				continue
			}
			uses[len(uses)-1].info = new(gltf.TextureInfo)
			err = json.Unmarshal(said, uses[len(uses)-1].info)
		} else if p.of != nil && said != nil {
			err = p.takeNumbers(said, m)
		}
		if err != nil {
			return jsonError("extension "+row.name, err)
		}
	}
	if err := t.read(&m.Material, uses...); row.read == nil || err != nil {
		return err
	}
	return row.read(ext, m, func(format string, args ...any) {
		t.doc.warn.about("material "+guard.Quoted(m.Name), t.shown, format, args...)
	})
}

// glows tells whether a material emits light in any pose.
func (l *looks) glows(material uint32) bool {
	most := l.changing.bounds[int(material)]
	return l.materials[material].Emission != mgl32.Vec3{} || most.emission != mgl32.Vec3{} || most.glows
}

// tangents is Material.Tangents in any pose.
func (l *looks) tangents(material uint32) (along TextureRef, needed bool) {
	along, needed = l.materials[material].Tangents()
	return along, needed || l.changing.bounds[int(material)].needs&FeatureAnisotropy != 0
}

// dropImages takes out the images of the file that could not be decoded: the factors of the materials alone remain. It gives the new
// indices of the scene's images, −1 for none.
func (l *looks) dropImages(failed map[int]bool) (images []int) {
	images, textures := l.textures.drop(failed)
	for i := range l.materials {
		refs := &l.materials[i].Textures
		for use := range refs {
			if at := refs[use].Texture; at >= 0 {
				refs[use].Texture = textures[at]
			}
		}
	}
	return images
}
