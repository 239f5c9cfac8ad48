package scene

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// uvSets are the numbers that a vertex's texture coordinates have in the file.
type uvSets [2]int

// chooseUVSets has the textures of the material that is being converted use the sets of coordinates that its vertices get. A file may
// have any number of sets, but vertices have room for two, which is enough for nearly all materials.
func (l *loader) chooseUVSets(m *Material) {
	var used []int
	for _, ref := range m.Textures {
		if ref.Texture >= 0 && !slices.Contains(used, ref.UVSet) {
			used = append(used, ref.UVSet)
		}
	}
	if len(used) == 0 || slices.Max(used) < len(uvSets{}) {
		return
	}
	used = used[:min(len(used), len(uvSets{}))] // the base colour's is the first
	slices.Sort(used)
	sets := uvSets{0, 1}
	copy(sets[:], used)
	l.uvSets[uint32(len(l.out.Materials))] = sets
	for i := range m.Textures {
		ref := &m.Textures[i]
		at := slices.Index(sets[:], ref.UVSet)
		if ref.Texture >= 0 && at < 0 {
			l.warn.about("material "+guard.Quoted(m.Name), []subject{l.nextMaterial()},
				"has textures by more than two sets of coordinates: those by TEXCOORD_%d are left out", ref.UVSet)
			*ref = NoTexture()
		}
		ref.UVSet = max(at, 0)
	}
}

// uvSetsOf are those of a material's vertices.
func (l *loader) uvSetsOf(material uint32) uvSets {
	if sets, chosen := l.uvSets[material]; chosen {
		return sets
	}
	return uvSets{0, 1}
}

// readUVs reads the texture coordinates of a primitive.
func (l *loader) readUVs(p *gltf.Primitive, where place, out []Vertex, sets uvSets) error {
	for at, set := range sets {
		v, err := l.attribute(p, where, texCoord(set), len(out), where.looks)
		if err != nil {
			if err := l.spare(where.name, where.shown, err, "drawn without it"); err != nil {
				return err
			}
		}
		guard.InChunks(len(v)/2, func(_, begin, end int) {
			for i := begin; i < end; i++ {
				uv := mgl32.Vec2(v[2*i : 2*i+2])
				if finite(uv[:]) {
					out[i].UV[at] = uv
				}
			}
		})
	}
	return nil
}

// reportUnread warns of coordinates that a material needs and a primitive lacks.
func (l *loader) reportUnread(p *gltf.Primitive, material uint32) {
	m, sets := &l.out.Materials[material], l.uvSetsOf(material)
	for _, ref := range m.Textures {
		name := texCoord(sets[ref.UVSet])
		if _, ok := p.Attributes[name]; !ok && ref.Texture >= 0 {
			l.warn.about("material "+guard.Quoted(m.Name), []subject{{materialSubject, int(material)}}, "is textured by %s, which a primitive lacks: one texel covers it", name)
		}
	}
}

// texCoord is the attribute that has a set.
func texCoord(set int) string { return fmt.Sprintf("TEXCOORD_%d", set) }
