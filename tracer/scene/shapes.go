package scene

import (
	"cmp"
	"errors"
	"slices"

	"glint/tracer/guard"
)

// shapeBuilder makes the shapes of the meshes that the scene draws.
type shapeBuilder struct {
	doc      *document
	nodes    *placedNodes
	looks    *looks
	variants variants
	changes  *changes
}

const shapeBytes = 512 // beside its vertices and faces

// build gives the shapes of each mesh, of those primitives that have area.
func (b *shapeBuilder) build() (map[meshKey][]*shape, error) {
	type task struct {
		key       meshKey
		primitive int
	}
	out := map[meshKey][]*shape{}
	var tasks []task
	for _, in := range b.nodes.instances {
		key := in.key
		if _, known := out[key]; known {
			continue
		}
		primitives := b.doc.Meshes[in.mesh].Primitives
		if err := b.doc.scratch.Take("a mesh for each node with weights", int64(len(primitives))*shapeBytes); err != nil {
			return nil, err
		}
		out[key] = make([]*shape, len(primitives))
		if len(primitives) == 0 {
			if err := b.doc.leaveOut(b.doc.meshLabel(in.mesh), nil, cmp.Or(b.doc.broken("meshes[%d]", in.mesh), errors.New("has no primitives"))); err != nil {
				return nil, err
			}
		}
		for p, primitive := range primitives {
			if !drawable(primitive.Mode) {
				b.doc.warn.about(b.doc.meshLabel(in.mesh), []subject{{meshSubject, in.mesh}}, "primitive %d is made of %v: left out", p, primitive.Mode)
				continue
			}
			tasks = append(tasks, task{key, p})
		}
	}
	broken := make([]error, len(tasks))
	err := guard.Each(b.doc.ctx, len(tasks), func(i int) error {
		t := tasks[i]
		out[t.key][t.primitive], broken[i] = b.one(t.key, t.primitive)
		return nil
	})
	for i, t := range tasks {
		if broken[i] == nil || err != nil {
			continue
		}
		out[t.key][t.primitive] = nil
		err = b.doc.leaveOut(b.doc.partLabel(t.key.mesh, t.primitive), []subject{{meshSubject, t.key.mesh}}, broken[i])
	}
	for key, shapes := range out { // many nodes will go through each list
		out[key] = slices.DeleteFunc(shapes, func(s *shape) bool { return s == nil })
	}
	return out, err
}

// one builds a primitive of a mesh.
func (b *shapeBuilder) one(key meshKey, at int) (*shape, error) {
	mesh := b.doc.Meshes[key.mesh]
	weights := mesh.Weights
	if key.node >= 0 && len(b.doc.Nodes[key.node].Weights) > 0 {
		weights = b.doc.Nodes[key.node].Weights
	}
	if err := b.doc.broken("meshes[%d].primitives[%d]", key.mesh, at); err != nil {
		return nil, err
	}
	p := primitive{Primitive: mesh.Primitives[at], doc: b.doc, name: b.doc.partLabel(key.mesh, at), shown: []subject{{meshSubject, key.mesh}}}
	return b.shape(&p, weights, key.node >= 0 && b.changes.changesWeights(key.node))
}

// shape builds a primitive with the morph weights of one node, or with its morph targets where weights change.
func (b *shapeBuilder) shape(p *primitive, weights []float64, morphs bool) (*shape, error) {
	p.looks = weights
	if morphs {
		weights = nil
	}
	material, err := b.variants.material(p.Primitive, len(b.doc.Materials))
	if err != nil {
		return nil, err
	}
	s := &shape{material: b.looks.slots[-1]}
	if material != nil {
		s.material = b.looks.slots[*material]
	}
	var has present
	if s.vertices, has, err = p.vertices(weights, b.looks.uvSets[s.material]); err != nil {
		return nil, err
	}
	if s.faces, err = p.faces(len(s.vertices)); err != nil {
		return nil, err
	}
	s.binding, err = readBinding(p.doc, p.Primitive, len(s.vertices))
	if err := p.spare(err, "drawn without skinning"); err != nil {
		return nil, err
	}
	if morphs {
		if s.targets, err = p.morphTargets(len(s.vertices)); err != nil {
			return nil, err
		}
	}
	b.reportUnread(p, s.material)
	if !has.normal {
		if err := b.doc.scratch.Take("flat normals", 3*int64(len(s.faces))*vertexBytes); err != nil {
			return nil, err
		}
		s.flatten()
		s.flat = true
	} else if has.lost {
		b.doc.warn.addf("normals without direction are replaced by those of the faces")
		s.repairNormals()
	}
	along, needed := b.looks.tangents(s.material)
	if needed && (!has.tangent || !has.normal) {
		if err := b.doc.scratch.Take("tangents", 3*int64(len(s.faces))*vertexBytes); err != nil {
			return nil, err
		}
		s.computeTangents(along)
	}
	s.box = boundsOf(s.vertices)
	return s, nil
}

// reportUnread warns of coordinates that a material needs and a primitive lacks.
func (b *shapeBuilder) reportUnread(p *primitive, material uint32) {
	m, sets := &b.looks.materials[material], b.looks.uvSets[material]
	for _, ref := range m.Textures {
		name := texCoord(sets[ref.UVSet])
		if _, ok := p.Attributes[name]; !ok && ref.Texture >= 0 {
			b.doc.warn.about("material "+guard.Quoted(m.Name), []subject{{materialSubject, int(material)}}, "is textured by %s, which a primitive lacks: one texel covers it", name)
		}
	}
}
