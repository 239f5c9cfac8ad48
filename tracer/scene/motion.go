package scene

import (
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Motion is how a scene moves, and changes its looks: the clips of its file, and what they and edits act on. Nobody writes it once it is
// loaded, so that poses can be made on any goroutine.
//
//	pose := s.Motion.Pose(0, 1.5)   // of the first clip, at 1.5 s
type Motion struct {
	Clips     []Clip
	Materials []int // indices into Scene.Materials: those that clips or edits change

	start    moment     // the file at rest
	origin   mgl64.Vec3 // of the scene
	relights bool       // how bright a light is changes
	skins    map[int]*skin
	rest     Pose
	parts    []part
	changing []int                  // as Materials, in the file
	bounds   map[int]materialBounds // of them, by their index into Scene.Materials
	cameras  []seat                 // as Scene.Cameras
	lights   []seat                 // as Scene.Lights
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

// materialBounds are what a material comes to in any pose.
type materialBounds struct {
	needs    Feature
	emission mgl32.Vec3 // nits, in clips
	glows    bool       // edits may have it glow
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

// own are the clips of the file, without the one that addAll has added.
func (m *Motion) own() []Clip {
	if len(m.Clips) < 2 {
		return m.Clips
	}
	return m.Clips[:len(m.Clips)-1]
}

// boundsOf are those of a material; none where no clip changes it.
func (m *Motion) boundsOf(material uint32) materialBounds {
	if m == nil {
		return materialBounds{}
	}
	return m.bounds[int(material)]
}

// Relights tells whether clips or edits change how bright some light is.
func (m *Motion) Relights() bool { return m != nil && m.relights }

// Pose is the scene at a time of a clip, s, or at rest where there is no such clip, and with edits, of which those count that the scene
// was read for (Options.Edits). It depends on nothing else.
func (m *Motion) Pose(clip int, seconds float64, edits ...Edit) *Pose {
	now := m.start.clone()
	if clip >= 0 && clip < len(m.Clips) {
		for i := range m.Clips[clip].channels {
			m.Clips[clip].channels[i].apply(now, seconds)
		}
	}
	Edits(edits).apply(now)
	nodes, hidden := now.nodes, now.nodes.spread(now.hidden)
	world := nodes.worlds()
	for i := range world {
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

// What is looked at to know where things come as they move.
const (
	framedClips    = 8
	framedMoments  = 8   // of a clip
	framedVertices = 128 // of a mesh that deforms
)

// points are some that moving things pass, m.
func (m *Motion) points(meshes []Mesh) (out []mgl32.Vec3) {
	if m == nil {
		return nil
	}
	boxes := map[int]Bounds{}
	for i := range m.parts {
		if mesh := m.rest.Instances[m.parts[i].instance].Mesh; !m.parts[i].deforms {
			boxes[mesh] = meshes[mesh].Bounds()
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
					corners := boxes[in.Mesh].corners(in.World)
					out = append(out, corners[:]...)
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
