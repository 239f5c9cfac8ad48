package scene

import (
	"errors"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// present says which attributes a primitive came with.
type present struct {
	normal, tangent bool
	lost            bool // a normal has no direction
}

// vertices reads all attributes that glint uses, morphed.
func (p *primitive) vertices(weights []float64, uv uvSets) ([]Vertex, present, error) {
	var has present
	at, ok := p.Attributes[gltf.POSITION]
	if !ok {
		return nil, has, errNoPosition
	}
	count := p.doc.Accessors[at].Count
	position, err := p.attribute(gltf.POSITION, count, weights)
	if err != nil {
		return nil, has, err
	}
	if err := p.doc.scratch.Take("vertices", int64(count)*vertexBytes); err != nil {
		return nil, has, err
	}
	out := guard.MakeLarge[Vertex](count)
	guard.All(count, func(i int) {
		out[i].Position = mgl32.Vec3(position[3*i : 3*i+3])
		out[i].Color = mgl32.Vec4{1, 1, 1, 1}
	})
	for _, read := range []func([]Vertex, []float64, *present) error{
		p.readNormals, p.readTangents, p.readColors,
	} {
		if err := p.spare(read(out, weights, &has), "drawn without it"); err != nil {
			return nil, has, err
		}
	}
	return out, has, p.readUVs(out, uv)
}

func (p *primitive) readNormals(out []Vertex, weights []float64, has *present) error {
	v, err := p.attribute(gltf.NORMAL, len(out), weights)
	if err != nil || v == nil {
		return err
	}
	has.normal = true
	lost := guard.OfChunks(len(out), func(begin, end int) (lost bool) {
		for i := begin; i < end; i++ {
			out[i].Normal = unitOr(mgl32.Vec3(v[3*i:3*i+3]), mgl32.Vec3{})
			lost = lost || out[i].Normal == mgl32.Vec3{}
		}
		return lost
	})
	has.lost = slices.Contains(lost, true)
	return nil
}

func (p *primitive) readTangents(out []Vertex, weights []float64, has *present) error {
	v, err := p.attribute(gltf.TANGENT, len(out), weights)
	if err != nil || v == nil || !has.normal { // without normals, tangents must be ignored (§3.7.2.1)
		return err
	}
	if len(v) != 4*len(out) {
		return errors.New("TANGENT must have 4 components")
	}
	has.tangent = true
	guard.All(len(out), func(i int) {
		out[i].Tangent = mgl32.Vec4(v[4*i : 4*i+4])
	})
	return nil
}

func (p *primitive) readColors(out []Vertex, _ []float64, _ *present) error {
	v, err := p.attribute(gltf.COLOR_0, len(out), p.looks)
	if err != nil || v == nil {
		return err
	}
	n := len(v) / len(out)
	guard.All(len(out), func(i int) {
		for c, x := range v[i*n : i*n+n] {
			out[i].Color[c] = max(0, min(1, x))
			if x != x {
				out[i].Color[c] = 1
			}
		}
	})
	return nil
}

// readUVs reads the texture coordinates of a primitive.
func (p *primitive) readUVs(out []Vertex, sets uvSets) error {
	for at, set := range sets {
		v, err := p.attribute(texCoord(set), len(out), p.looks)
		if err := p.spare(err, "drawn without it"); err != nil {
			return err
		}
		guard.All(len(v)/2, func(i int) {
			uv := mgl32.Vec2(v[2*i : 2*i+2])
			if finite(uv[:]) {
				out[i].UV[at] = uv
			}
		})
	}
	return nil
}
