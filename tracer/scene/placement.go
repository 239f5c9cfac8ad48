package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/guard"
)

// placement is one shape of one instance with its room in the flat arrays.
type placement struct {
	shape       *shape
	to          transform
	joints      []mgl64.Mat4 // nil when it moves with its node
	rigid       bool         // it can be an instance
	into        *Mesh
	firstVertex int
	firstFace   int
	instance    int // index into placedNodes.instances
}

const placementBytes = 160 + 2*24 // with its span of vertices and of faces

// geometry is what the scene draws.
type geometry struct {
	world     Mesh // what stands there for good
	meshes    []Mesh
	instances []Instance
	parts     []part // of the instances: those that move
	by        drawers
	repeats   Repeats
}

// assembly places shapes in the world.
type assembly struct {
	doc     *document
	nodes   *placedNodes
	looks   *looks
	rig     *rig
	changes *changes
	opts    Options
	dropped [nonFinite + 1]int // triangles that are not drawn, by why not; of a mesh with instances once
	out     geometry
}

// layOut places shapes side by side in one mesh, having checked that all of them fit, without the faces that cannot be drawn.
func (a *assembly) layOut(placements []placement, deforms bool) (Mesh, error) {
	out := Mesh{deforms: deforms}
	vertices, faces := 0, 0
	for i := range placements {
		p := &placements[i]
		p.into, p.firstVertex, p.firstFace = &out, vertices, faces
		vertices += len(p.shape.vertices)
		faces += len(p.shape.faces)
	}
	if err := checkCounts(vertices, faces); err != nil {
		return Mesh{}, err
	}
	what := fmt.Sprintf("%d triangles with %d vertices", faces, vertices)
	if err := a.doc.memory.Take(what, int64(vertices)*vertexBytes+int64(faces)*faceBytes); err != nil {
		return Mesh{}, err
	}
	if faces == 0 {
		return Mesh{}, nil
	}
	out.Vertices, out.Faces = guard.MakeLarge[Vertex](vertices), guard.MakeLarge[Face](faces)
	if err := a.placeAll(placements); err != nil {
		return Mesh{}, err
	}
	out.objects = objects(placements, out.Faces)
	a.dropFaces(&out)
	return out, nil
}

// maxFaces is what a leaf of the tree can address (cuda/kernels/params/bvh.h, BvhNode).
const maxFaces = 1 << 27

func checkCounts(vertices, faces int) error {
	if faces > maxFaces || vertices > math.MaxUint32 {
		return fmt.Errorf("%d triangles with %d vertices: at most %d triangles can be drawn", faces, vertices, maxFaces)
	}
	return nil
}

// chunk is how many vertices or faces one task places.
const chunk = 1 << 15

// span is a run of one placement's vertices or faces.
type span struct {
	*placement
	begin, end int
}

func spans(placements []placement, count func(*shape) int) []span {
	all := 0
	for i := range placements {
		all += (count(placements[i].shape) + chunk - 1) / chunk
	}
	out := make([]span, 0, all)
	for i := range placements {
		p := &placements[i]
		n := count(p.shape)
		for begin := 0; begin < n; begin += chunk {
			out = append(out, span{p, begin, min(begin+chunk, n)})
		}
	}
	return out
}

func (a *assembly) placeAll(placements []placement) error {
	vertices := spans(placements, func(s *shape) int { return len(s.vertices) })
	if err := guard.Each(a.doc.ctx, len(vertices), func(i int) error { a.placeVertices(vertices[i]); return nil }); err != nil {
		return err
	}
	faces := spans(placements, func(s *shape) int { return len(s.faces) })
	return guard.Each(a.doc.ctx, len(faces), func(i int) error { a.placeFaces(faces[i]); return nil })
}

func (a *assembly) placeVertices(s span) {
	out := s.into.Vertices[s.firstVertex:]
	for i := s.begin; i < s.end; i++ {
		v, to := s.shape.vertices[i], s.to
		if s.joints != nil {
			to = s.shape.binding.blend(i, s.joints)
		}
		to.apply(&v)
		// Faces with corners beyond numbers are left out, but in another pose they may be there: until then they are where kernels
		// place them (motion/deform.cuh).
		if s.into.deforms && !finite(v.Position[:]) {
			v.Position = mgl32.Vec3{}
		}
		out[i] = v
	}
}

// noMaterial marks a face to be dropped.
const noMaterial = math.MaxUint32

func (a *assembly) placeFaces(s span) {
	out := s.into.Faces[s.firstFace+s.begin:]
	for i, f := range s.shape.faces[s.begin:s.end] {
		mirror := s.to.mirror
		if s.joints != nil {
			mirror = s.shape.binding.blend(int(f[0]), s.joints).mirror
		}
		if mirror {
			f[1], f[2] = f[2], f[1]
		}
		first := uint32(s.firstVertex)
		face := Face{V: [3]uint32{first + f[0], first + f[1], first + f[2]}, Material: s.shape.material}
		if !s.into.deforms && s.into.state(face) != sound {
			face.Material = noMaterial
		}
		out[i] = face
	}
}

type faceState int

const (
	sound faceState = iota
	degenerate
	nonFinite
)

// state judges a face.
func (m *Mesh) state(f Face) faceState {
	a, b, c := m.Vertices[f.V[0]].Position, m.Vertices[f.V[1]].Position, m.Vertices[f.V[2]].Position
	if !finite(a[:]) || !finite(b[:]) || !finite(c[:]) {
		return nonFinite
	}
	if cross64(a, b, c) == [3]float64{} {
		return degenerate
	}
	return sound
}

// dropFaces removes the marked faces and counts how many there were of each kind.
func (a *assembly) dropFaces(m *Mesh) {
	m.Faces = slices.DeleteFunc(m.Faces, func(f Face) bool {
		if f.Material == noMaterial {
			a.dropped[m.state(f)]++
		}
		return f.Material == noMaterial
	})
}

// addInstance draws a placement as an instance.
func (a *assembly) addInstance(p *placement, drawn Instance) {
	a.out.instances = append(a.out.instances, drawn)
	a.out.by.instances = append(a.out.by.instances, a.nodes.instances[p.instance].node)
}

// noteWorld notes which nodes draw the objects of the world.
func (a *assembly) noteWorld(placements []placement) {
	by := make([]int, 0, len(a.out.world.objects))
	for i, p := range placements {
		if len(by) < cap(by) && (i == 0 || p.instance != placements[i-1].instance) {
			by = append(by, a.nodes.instances[p.instance].node)
		}
	}
	a.out.by.world = by
}

// objects finds where the faces of each instance begin once marked faces are dropped.
func objects(placements []placement, faces []Face) []uint32 {
	var first []uint32
	kept, face := uint32(0), 0
	for i, p := range placements {
		if i == 0 || p.instance != placements[i-1].instance {
			first = append(first, kept)
		}
		for ; face < p.firstFace+len(p.shape.faces); face++ {
			if faces[face].Material != noMaterial {
				kept++
			}
		}
	}
	return first
}
