package scene

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Motion is how a scene moves, and changes its looks: the clips of its file, and what they act on. Nobody writes it once it is loaded,
// so that poses can be made on any goroutine.
//
//	pose := s.Motion.Pose(0, 1.5)   // of the first clip, at 1.5 s
type Motion struct {
	Clips     []Clip
	Materials []int // indices into Scene.Materials: those that clips change

	start    moment     // the file at rest
	origin   mgl64.Vec3 // of the scene
	blinks   []bool     // nodes whose visibility a clip changes
	moves    []bool     // nodes that a clip moves, by themselves or with an ancestor
	morphs   []bool     // nodes whose weights a clip changes
	relights bool       // a clip changes how bright a light is
	skins    map[int]*skin
	rest     Pose
	parts    []part
	changing []int          // as Materials, in the file
	bounds   map[int]bounds // of them, by their index into Scene.Materials
	cameras  []seat         // as Scene.Cameras
	lights   []seat         // as Scene.Lights
}

// resting stands for the node of what belongs to none, and never moves.
const resting = -1

// seat is the node where a camera or a light of the file is; or resting.
type seat struct{ node, of int }

// part is one instance that moves.
type part struct {
	instance int // index into Scene.Instances
	of       instance
	shape    *shape
	weights  []float64 // of the mesh, where its node has none
	deforms  bool      // its mesh's vertices are placed in the world; otherwise its instance is
}

// DeformingMesh is what the vertices of a mesh are made of in each pose. Meshes may share all but the first two fields.
type DeformingMesh struct {
	Mesh       int      // index into Scene.Meshes, which has it at rest in the world
	Instance   int      // index into Scene.Instances: the only one that draws it
	Vertices   []Vertex // in the space of the mesh, without morphs
	Influences int      // for each vertex; 0: it moves by one matrix alone
	Joints     []uint32 // of each influence
	Weights    []float32
	Targets    []MorphTarget
	Flat       bool // faces have three vertices of their own, with the face's normal
	Mirrored   bool // at rest, where its faces are in the order that has their fronts outside
}

// Pose is a scene at one moment.
type Pose struct {
	Instances []Instance    // as Scene.Instances
	Hidden    []bool        // those that are not drawn
	Deformed  []Deformation // as Motion.Deforming
	Cameras   []Camera      // as Scene.Cameras
	Lights    []Light       // as Scene.Lights
	Materials []Material    // as Motion.Materials
}

// Deformation is what moves the vertices of a mesh: morphs first, then joints.
type Deformation struct {
	Joints  []mgl64.Mat4 // of its skin, into the world; of a mesh without influences its only one
	Weights []float64    // of its targets; those that are missing are 0
}

// Mirrors tells whether fronts of faces turn over. The joints of a skin are taken to agree.
func (d *Deformation) Mirrors() bool { return newTransform(d.Joints[0]).mirror }

// Find is the index of the clip of that name, or number in the file; −1 where there is none. No name is the first clip.
func (m *Motion) Find(name string) int {
	if name == "" {
		return 0
	}
	if i := slices.IndexFunc(m.Clips, func(c Clip) bool { return c.Name == name }); i >= 0 {
		return i
	}
	if n, err := strconv.Atoi(name); err == nil {
		return slices.IndexFunc(m.Clips, func(c Clip) bool { return c.Number == n })
	}
	return -1
}

// Word is what Find knows a clip by: its name, or its number where another clip has that name.
func (m *Motion) Word(clip int) string {
	if name := m.Clips[clip].Name; name != "" && m.Find(name) == clip {
		return name
	}
	return strconv.Itoa(m.Clips[clip].Number)
}

// findMoving notes what moves with its ancestors, once the hierarchy is known.
func (m *Motion) findMoving() {
	for _, i := range m.start.nodes.order {
		if parent := m.start.nodes.parents[i]; parent >= 0 && m.moves[parent] {
			m.moves[i] = true
		}
	}
}

// changesWeights tells whether a clip morphs what a node draws. Nothing moves in a nil Motion.
func (m *Motion) changesWeights(node int) bool { return m != nil && node >= 0 && m.morphs[node] }

// split takes out what moves.
func (m *Motion) split(placements []placement, of []instance) (resting, moving []placement) {
	if m == nil {
		return placements, nil
	}
	for _, p := range placements {
		if m.takes(p, of[p.instance]) {
			moving = append(moving, p)
		} else {
			resting = append(resting, p)
		}
	}
	return resting, moving
}

func (m *Motion) takes(p placement, in instance) bool {
	if p.joints != nil {
		return slices.ContainsFunc(m.skins[in.skin].nodes, func(joint int) bool { return m.moves[joint] }) || m.morphs[in.node]
	}
	return m.moves[in.node] || m.morphs[in.node]
}

// keepMoving makes an instance of everything that moves. What only turns and shifts shares its mesh with its like; what deforms or
// glows has one of its own, in the world.
func (l *loader) keepMoving(moving []placement) error {
	m := l.motion
	if m == nil {
		return nil
	}
	meshes := map[repeatKey]int{}
	for _, p := range moving {
		in := l.instances[p.instance]
		piece := part{instance: len(l.out.Instances), of: in, shape: p.shape, weights: l.Meshes[in.mesh].Weights}
		piece.deforms = p.joints != nil || p.shape.targets != nil || l.glows(p.shape.material)
		drawn := Instance{Mesh: len(l.out.Meshes), World: mgl32.Ident4()}
		var err error
		if piece.deforms {
			err = l.keepDeforming(p, &piece)
		} else {
			drawn.World = p.to.matrix()
			mesh, known := meshes[p.key()]
			if !known {
				mesh = len(l.out.Meshes)
				meshes[p.key()] = mesh
				var own Mesh
				own, err = l.ownSpace(p.key())
				l.out.Meshes = append(l.out.Meshes, own)
			}
			drawn.Mesh = mesh
		}
		if err != nil {
			return fmt.Errorf("%s: %w", label("node", in.node, l.Nodes[in.node].Name), err)
		}
		if len(l.out.Meshes[drawn.Mesh].Faces) == 0 {
			continue
		}
		l.out.Instances = append(l.out.Instances, drawn)
		m.parts = append(m.parts, piece)
	}
	m.origin = l.out.Origin
	return nil
}

// keepDeforming adds the mesh of a part that deforms.
func (l *loader) keepDeforming(p placement, piece *part) error {
	bytes := int64(len(p.shape.vertices))*vertexBytes + int64(len(p.shape.faces))*faceBytes
	if b := p.shape.binding; b != nil {
		bytes += int64(len(b.joints)) * 8
	}
	if err := l.memory.Take("a mesh that moves", bytes); err != nil {
		return err
	}
	weights := piece.weights
	if own := l.motion.start.nodes.nodes[piece.of.node].Weights; len(own) > 0 {
		weights = own
	}
	p.shape = p.shape.morphed(weights)
	mesh, err := l.layOut([]placement{p}, true)
	l.out.Meshes = append(l.out.Meshes, mesh)
	return err
}

// Pose is the scene at a time of a clip, s; at rest where there is no such clip. It depends on nothing else.
func (m *Motion) Pose(clip int, seconds float64) *Pose {
	now := m.start.clone()
	if clip >= 0 && clip < len(m.Clips) {
		for i := range m.Clips[clip].channels {
			m.Clips[clip].channels[i].apply(now, seconds)
		}
	}
	nodes, hidden := now.nodes, now.hidden
	world := nodes.worlds()
	for _, i := range nodes.order {
		if parent := nodes.parents[i]; parent >= 0 && hidden[parent] {
			hidden[i] = true
		}
		for axis, by := range m.origin {
			world[i][12+axis] -= by
		}
	}
	out := &Pose{Instances: slices.Clone(m.rest.Instances), Hidden: make([]bool, len(m.rest.Instances)), Cameras: slices.Clone(m.rest.Cameras), Lights: slices.Clone(m.rest.Lights)}
	joints := map[int][]mgl64.Mat4{}
	for at, skin := range m.skins {
		joints[at] = skin.joints(world)
	}
	for _, p := range m.parts {
		in := &out.Instances[p.instance]
		out.Hidden[p.instance] = hidden[p.of.node]
		if p.deforms {
			bent := Deformation{Weights: p.weightsOf(&nodes)}
			if bent.Joints = joints[p.of.skin]; !p.skinned() {
				bent.Joints = []mgl64.Mat4{world[p.of.node].Mul4(p.of.local)}
			}
			out.Deformed = append(out.Deformed, bent)
			continue
		}
		to := world[p.of.node].Mul4(p.of.local)
		in.World = newTransform(to).matrix()
		if _, err := Inverse(in.World); err != nil || !placeable(to) {
			out.Hidden[p.instance] = true
		}
	}
	for i, at := range m.cameras {
		if at.node == resting {
			continue
		}
		out.Cameras[i].stand(world[at.node])
		if lens := now.cameras[at.of]; lens != nil {
			lens.fit(&out.Cameras[i])
		}
	}
	for i, at := range m.lights {
		if at.node == resting {
			continue
		}
		out.Lights[i].stand(world[at.node])
		if source := now.lights[at.of]; source != nil {
			source.fit(&out.Lights[i])
		}
		if hidden[at.node] {
			out.Lights[i].Intensity = mgl32.Vec3{}
		}
	}
	for _, at := range m.changing {
		out.Materials = append(out.Materials, now.materials[at].material())
	}
	return out
}

// skinned tells whether joints move a part.
func (p *part) skinned() bool { return p.of.skin >= 0 && p.shape.binding != nil }

// Deforming are the meshes that deform.
func (m *Motion) Deforming() (out []DeformingMesh) {
	rest := m.Pose(-1, 0)
	for _, p := range m.parts {
		if !p.deforms {
			continue
		}
		mesh := DeformingMesh{Mesh: m.rest.Instances[p.instance].Mesh, Instance: p.instance, Vertices: p.shape.vertices, Targets: p.shape.targets, Flat: p.shape.flat}
		if b := p.shape.binding; p.skinned() {
			mesh.Influences, mesh.Joints, mesh.Weights = b.per, b.joints, b.weights
		}
		mesh.Mirrored = rest.Deformed[len(out)].Mirrors()
		out = append(out, mesh)
	}
	return out
}

// weightsOf are the weights of what a part draws.
func (p *part) weightsOf(h *hierarchy) []float64 {
	if own := h.nodes[p.of.node].Weights; len(own) > 0 {
		return own
	}
	return p.weights
}

// finishMotion completes what poses are made of, once everything is placed.
func (l *loader) finishMotion() {
	m := l.motion
	if m == nil || len(m.parts)+len(m.cameras)+len(m.lights)+len(m.changing) == 0 {
		return
	}
	for i, at := range m.changing { // textures that cannot be read have been dropped since
		m.start.materials[at].Textures = l.out.Materials[m.Materials[i]].Textures
	}
	m.rest = Pose{Instances: l.out.Instances, Cameras: l.out.Cameras, Lights: l.out.Lights}
	l.out.Motion = m
	l.out.Hidden = m.Pose(-1, 0).Hidden
}

// Relights tells whether clips change how bright some light is.
func (m *Motion) Relights() bool { return m != nil && m.relights }

// Time is where a clip is after so many seconds of playing it, s.
func (c *Clip) Time(played float64, loop bool) float64 {
	if c.Seconds <= 0 {
		return 0
	}
	if loop {
		return played - c.Seconds*math.Floor(played/c.Seconds)
	}
	return min(max(played, 0), c.Seconds)
}

// What is looked at to know where things come as they move.
const (
	framedClips    = 8
	framedMoments  = 8   // of a clip
	framedVertices = 128 // of a mesh that deforms
)

// points are some that moving things pass, m.
func (m *Motion) points(s *Scene) (out []mgl32.Vec3) {
	if m == nil {
		return nil
	}
	boxes := map[int]Bounds{}
	for i := range m.parts {
		if mesh := m.rest.Instances[m.parts[i].instance].Mesh; !m.parts[i].deforms {
			boxes[mesh] = s.Meshes[mesh].Bounds()
		}
	}
	for clip := range min(len(m.Clips), framedClips) {
		for k := range framedMoments {
			pose, deformed := m.Pose(clip, m.Clips[clip].Seconds*float64(k)/framedMoments), 0
			for i := range m.parts {
				p := &m.parts[i]
				in := pose.Instances[p.instance]
				if p.deforms {
					out = p.passed(out, &pose.Deformed[deformed])
					deformed++
				} else if !pose.Hidden[p.instance] {
					for _, p := range boxes[in.Mesh].corners(in.World) {
						out = append(out, p)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(p mgl32.Vec3) bool { return !finite(p[:]) })
}

// passed adds where some vertices of a part are, without its morphs.
func (p *part) passed(out []mgl32.Vec3, now *Deformation) []mgl32.Vec3 {
	for v := 0; v < len(p.shape.vertices); v += len(p.shape.vertices)/framedVertices + 1 {
		to := now.Joints[0]
		if p.skinned() {
			to = p.shape.binding.matrix(v, now.Joints)
		}
		out = append(out, newTransform(to).matrix().Mul4x1(p.shape.vertices[v].Position.Vec4(1)).Vec3())
	}
	return out
}
