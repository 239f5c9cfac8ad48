package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// shape is one primitive in its mesh's space, ready to be placed.
type shape struct {
	vertices []Vertex
	faces    [][3]uint32
	material uint32
	binding  *binding // nil when nothing is skinned
	box      Bounds
	targets  []MorphTarget // kept where weights change; then vertices are those at weight 0
	flat     bool          // faces have normals of their own, which follow the morphs
}

// MorphTarget is what a vertex moves by at weight 1, for each vertex; nil where it does not.
type MorphTarget struct{ Positions, Normals, Tangents []mgl32.Vec3 }

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

// faceNormal is the unit normal of a face, +Y when it has none.
func faceNormal(vertices []Vertex, f [3]uint32) mgl32.Vec3 {
	n := cross64(vertices[f[0]].Position, vertices[f[1]].Position, vertices[f[2]].Position)
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if !(length > 0) || math.IsInf(length, 0) {
		return mgl32.Vec3{0, 1, 0}
	}
	return mgl32.Vec3{float32(n[0] / length), float32(n[1] / length), float32(n[2] / length)}
}

func (s *shape) deviceBytes() int64 {
	return int64(len(s.faces))*deviceFace + int64(len(s.vertices))*deviceVertex
}
