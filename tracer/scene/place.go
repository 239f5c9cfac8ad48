package scene

import (
	"errors"
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
	instance    int // index into the loader's
}

const (
	placementBytes = 160 + 2*24 // with its span of vertices and of faces
	faceBytes      = 16
	shapeBytes     = 512 // beside its vertices and faces
)

// meshKey names the shapes of a mesh: nodes share them unless they bring morph weights of their own.
type meshKey struct {
	mesh int
	node int // -1 when the mesh's weights apply
}

// loadGeometry places each instance's copy of its shapes in the world.
func (l *loader) loadGeometry(shapes map[meshKey][]*shape) error {
	placements, err := l.plan(shapes)
	if err != nil {
		return err
	}
	placements, moving := l.motion.split(placements, l.instances)
	if uses := l.repeats(placements); l.weighRepeats(placements, uses) {
		if placements, err = l.keepRepeats(placements, uses); err != nil {
			return err
		}
	}
	world, err := l.layOut(placements, false)
	if err != nil {
		return err
	}
	l.out.Vertices, l.out.Faces, l.out.Objects = world.Vertices, world.Faces, world.objects
	if err := l.keepMoving(moving); err != nil {
		return err
	}
	l.reportDropped()
	return orElse(l.checkDrawn(), checkIDs(l.out.instanced()))
}

// key of the shapes that in draws.
func (l *loader) key(in instance) meshKey {
	k := meshKey{in.mesh, -1}
	if len(l.Nodes[in.node].Weights) > 0 || l.motion.changesWeights(in.node) {
		k.node = in.node
	}
	return k
}

// buildShapes gives the shapes of each mesh, of those primitives that have area.
func (l *loader) buildShapes() (map[meshKey][]*shape, error) {
	type task struct {
		key       meshKey
		primitive int
	}
	out := map[meshKey][]*shape{}
	var tasks []task
	for _, in := range l.instances {
		key := l.key(in)
		if _, known := out[key]; known {
			continue
		}
		primitives := l.Meshes[in.mesh].Primitives
		if err := l.scratch.Take("a mesh for each node with weights", int64(len(primitives))*shapeBytes); err != nil {
			return nil, err
		}
		out[key] = make([]*shape, len(primitives))
		if len(primitives) == 0 {
			if err := l.leaveOut(l.meshLabel(in.mesh), nil, orElse(l.broken("meshes[%d]", in.mesh), errors.New("has no primitives"))); err != nil {
				return nil, err
			}
		}
		for p, primitive := range primitives {
			if !drawable(primitive.Mode) {
				l.warn.about(l.meshLabel(in.mesh), []subject{{meshSubject, in.mesh}}, "primitive %d is made of %v: left out", p, primitive.Mode)
				continue
			}
			tasks = append(tasks, task{key, p})
		}
	}
	broken := make([]error, len(tasks))
	err := guard.Each(l.ctx, len(tasks), func(i int) error {
		t := tasks[i]
		out[t.key][t.primitive], broken[i] = l.buildShape(t.key, t.primitive)
		return nil
	})
	for i, t := range tasks {
		if broken[i] == nil || err != nil {
			continue
		}
		out[t.key][t.primitive] = nil
		err = l.leaveOut(l.partLabel(t.key.mesh, t.primitive), []subject{{meshSubject, t.key.mesh}}, broken[i])
	}
	for key, shapes := range out { // many nodes will go through each list
		out[key] = slices.DeleteFunc(shapes, func(s *shape) bool { return s == nil })
	}
	return out, err
}

// checkRoom refuses geometry for which there is no room, before any of it is placed: what becomes no instance for certain.
func (l *loader) checkRoom(shapes map[meshKey][]*shape) error {
	type size struct{ placements, vertices, faces int64 }
	sizes := map[meshKey]size{}
	for key, list := range shapes {
		var one size
		for _, s := range list {
			one.placements++
			if len(s.faces) < fewestFaces {
				one.vertices += int64(len(s.vertices))
				one.faces += int64(len(s.faces))
			}
		}
		sizes[key] = one
	}
	var all size
	for _, in := range l.instances {
		one := sizes[l.key(in)]
		all.placements += one.placements
		all.vertices += one.vertices
		all.faces += one.faces
	}
	what := fmt.Sprintf("%d primitives with %d triangles or more", all.placements, all.faces)
	return l.memory.Check(what, all.placements*placementBytes+all.vertices*(vertexBytes+deviceVertex)+all.faces*(faceBytes+deviceFace))
}

func (l *loader) buildShape(key meshKey, primitive int) (*shape, error) {
	mesh := l.Meshes[key.mesh]
	weights := mesh.Weights
	if key.node >= 0 && len(l.Nodes[key.node].Weights) > 0 {
		weights = l.Nodes[key.node].Weights
	}
	if err := l.broken("meshes[%d].primitives[%d]", key.mesh, primitive); err != nil {
		return nil, err
	}
	where := place{name: l.partLabel(key.mesh, primitive), shown: []subject{{meshSubject, key.mesh}}}
	return l.shape(mesh.Primitives[primitive], where, weights, l.motion.changesWeights(key.node))
}

// plan lists every shape of every instance.
func (l *loader) plan(shapes map[meshKey][]*shape) (out []placement, err error) {
	count := 0
	for _, in := range l.instances {
		count += len(shapes[l.key(in)])
	}
	out = make([]placement, 0, count)
	for i, in := range l.instances {
		if err := l.ctx.Err(); err != nil {
			return nil, err
		}
		to := newTransform(in.world)
		for _, s := range shapes[l.key(in)] {
			place := placement{shape: s, to: to, instance: i, joints: l.pose(in, s)}
			if err := l.scratch.Take("placed meshes", placementBytes); err != nil {
				return nil, fmt.Errorf("%s: %w", label("node", in.node, l.Nodes[in.node].Name), err)
			}
			out = append(out, place)
		}
	}
	return out, nil
}

// layOut places shapes side by side in one mesh, having checked that all of them fit, without the faces that cannot be drawn.
func (l *loader) layOut(placements []placement, deforms bool) (Mesh, error) {
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
	if err := l.memory.Take(what, int64(vertices)*vertexBytes+int64(faces)*faceBytes); err != nil {
		return Mesh{}, err
	}
	if faces == 0 {
		return Mesh{}, nil
	}
	out.Vertices, out.Faces = guard.MakeLarge[Vertex](vertices), guard.MakeLarge[Face](faces)
	if err := l.placeAll(placements); err != nil {
		return Mesh{}, err
	}
	out.objects = objects(placements, out.Faces)
	l.dropFaces(&out)
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

// pose finds the joint matrices of a skinned shape, nil when the shape moves with its node.
func (l *loader) pose(in instance, s *shape) []mgl64.Mat4 {
	node := label("node", in.node, l.Nodes[in.node].Name)
	if in.skin < 0 || s.binding == nil {
		if in.skin >= 0 || s.binding != nil {
			l.warn.about(node, []subject{{nodeSubject, in.node}}, "only one of skin and joint attributes is there: drawn without skinning")
		}
		return nil
	}
	joints := l.joints[in.skin]
	if err := s.binding.bound(len(joints)); err != nil {
		l.warn.about(node, []subject{{nodeSubject, in.node}}, "%v: joints that are missing move nothing", err)
	}
	return joints
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

func (l *loader) placeAll(placements []placement) error {
	vertices := spans(placements, func(s *shape) int { return len(s.vertices) })
	if err := guard.Each(l.ctx, len(vertices), func(i int) error { l.placeVertices(vertices[i]); return nil }); err != nil {
		return err
	}
	faces := spans(placements, func(s *shape) int { return len(s.faces) })
	return guard.Each(l.ctx, len(faces), func(i int) error { l.placeFaces(faces[i]); return nil })
}

func (l *loader) placeVertices(s span) {
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

func (l *loader) placeFaces(s span) {
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
func (l *loader) dropFaces(m *Mesh) {
	m.Faces = slices.DeleteFunc(m.Faces, func(f Face) bool {
		if f.Material == noMaterial {
			l.dropped[m.state(f)]++
		}
		return f.Material == noMaterial
	})
}

func (l *loader) reportDropped() {
	if n := l.dropped[degenerate]; n > 0 {
		l.warn.addf("%d triangles without area are left out", n)
	}
	if n := l.dropped[nonFinite]; n > 0 {
		l.warn.addf("%d triangles with corners that are not finite or beyond %g m are left out", n, float64(largest))
	}
}
