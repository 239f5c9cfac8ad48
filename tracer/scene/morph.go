package scene

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// MorphTarget is what a vertex moves by at weight 1, for each vertex; nil where it does not.
type MorphTarget struct{ Positions, Normals, Tangents []mgl32.Vec3 }

// morphTargets reads those of a primitive.
func (p *primitive) morphTargets(count int) ([]MorphTarget, error) {
	out := make([]MorphTarget, len(p.Targets))
	for i, src := range p.Targets {
		for name := range src {
			if kind, _, _ := strings.Cut(name, "_"); kind == "COLOR" || kind == "TEXCOORD" {
				p.doc.warn.about(p.name, p.shown, "the clips do not change %s of its morph targets, which keeps the weights at rest", guard.Name(name))
			}
		}
		for _, row := range []struct {
			name string
			to   *[]mgl32.Vec3
		}{{gltf.POSITION, &out[i].Positions}, {gltf.NORMAL, &out[i].Normals}, {gltf.TANGENT, &out[i].Tangents}} {
			at, there := src[row.name]
			if !there {
				continue
			}
			v, components, err := readElements(p.doc, row.name, at, count)
			if err == nil {
				err = p.doc.memory.Take("morph targets", int64(count)*12)
			}
			if err != nil {
				if err := p.spare(fmt.Errorf("morph target %d: %w", i, err), "left out"); err != nil {
					return nil, err
				}
				continue
			}
			*row.to = make([]mgl32.Vec3, count)
			for k := range *row.to {
				(*row.to)[k] = mgl32.Vec3(v[components*k:][:3])
			}
		}
	}
	return out, nil
}

// rearrange follows vertices that were copied: new vertex i was from[i].
func (s *shape) rearrange(from []uint32) {
	s.binding.rearrange(from)
	for i := range s.targets {
		t := &s.targets[i]
		for _, deltas := range []*[]mgl32.Vec3{&t.Positions, &t.Normals, &t.Tangents} {
			if *deltas == nil {
				continue
			}
			moved := make([]mgl32.Vec3, len(from))
			for k, v := range from {
				moved[k] = (*deltas)[v]
			}
			*deltas = moved
		}
	}
}

// morphed is the shape with its targets at these weights.
func (s *shape) morphed(weights []float64) *shape {
	if s.targets == nil {
		return s
	}
	out := *s
	out.vertices = append([]Vertex(nil), s.vertices...)
	for i, t := range s.targets {
		if i >= len(weights) || weights[i] == 0 {
			continue
		}
		w := float32(weights[i])
		for k := range t.Positions {
			out.vertices[k].Position = out.vertices[k].Position.Add(t.Positions[k].Mul(w))
		}
		for k := range t.Normals {
			out.vertices[k].Normal = out.vertices[k].Normal.Add(t.Normals[k].Mul(w))
		}
		for k := range t.Tangents {
			v := &out.vertices[k]
			v.Tangent = v.Tangent.Vec3().Add(t.Tangents[k].Mul(w)).Vec4(v.Tangent[3])
		}
	}
	if out.flat {
		for _, f := range out.faces {
			n := faceNormal(out.vertices, f)
			for _, v := range f {
				out.vertices[v].Normal = n
			}
		}
	}
	for k := range out.vertices {
		out.vertices[k].Normal = unitOr(out.vertices[k].Normal, s.vertices[k].Normal)
	}
	return &out
}
