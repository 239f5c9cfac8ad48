package scene

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/guard"
)

// Merge is a scene that holds what two scenes hold, each at the coordinates of its file, about the origin of the first. Neither is
// changed, and the pixels of images are shared. The environment is the first's, unless it has none.
func Merge(a, b *Scene) (*Scene, error) {
	m := merger{a: a, b: b, by: b.Origin.Sub(a.Origin)}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("merge %s into %s: %w", guard.Name(b.Name), guard.Name(a.Name), err)
	}
	out := &Scene{
		Name: a.Name + " + " + b.Name, Origin: a.Origin, Environment: cmp.Or(a.Environment, b.Environment), ImageLight: a.ImageLight,
		Vertices:  append(slices.Clone(a.Vertices), m.vertices(b.Vertices)...),
		Faces:     append(slices.Clone(a.Faces), m.faces(b.Faces, len(a.Vertices))...),
		Objects:   m.objects(),
		Materials: slices.Clone(a.Materials),
		Images:    slices.Concat(a.Images, b.Images),
		Textures:  slices.Clone(a.Textures),
		Meshes:    slices.Clone(a.Meshes),
		Instances: slices.Clone(a.Instances),
		Cameras:   slices.Clone(a.Cameras),
		Lights:    slices.Clone(a.Lights),
	}
	switch {
	case a.ImageLight != nil:
		out.Environment = a.Environment
	case a.Environment == "" && b.ImageLight != nil:
		light := *b.ImageLight
		light.Faces = slices.Clone(light.Faces)
		for i := range light.Faces {
			light.Faces[i] += len(a.Images)
		}
		out.ImageLight = &light
	}
	for _, t := range b.Textures {
		t.Image += len(a.Images)
		out.Textures = append(out.Textures, t)
	}
	for _, material := range b.Materials {
		material.Textures = texturesFrom(material.Textures, len(a.Textures))
		out.Materials = append(out.Materials, material)
	}
	for _, mesh := range b.Meshes {
		mesh.Faces = m.faces(mesh.Faces, 0)
		if mesh.deforms {
			mesh.Vertices = m.vertices(mesh.Vertices)
		}
		out.Meshes = append(out.Meshes, mesh)
	}
	for _, in := range b.Instances {
		if !b.Meshes[in.Mesh].deforms { // which stands in the world by itself
			in.World.SetCol(3, m.moved(in.World.Col(3).Vec3()).Vec4(1))
		}
		in.Mesh += len(a.Meshes)
		out.Instances = append(out.Instances, in)
	}
	for _, c := range b.Cameras {
		c.Eye, c.Target = c.Eye.Add(m.by), c.Target.Add(m.by)
		out.Cameras = append(out.Cameras, c)
	}
	for _, light := range b.Lights {
		light.Position = m.moved(light.Position)
		out.Lights = append(out.Lights, light)
	}
	if a.Hidden != nil || b.Hidden != nil {
		out.Hidden = make([]bool, len(out.Instances))
		copy(out.Hidden, a.Hidden)
		copy(out.Hidden[len(a.Instances):], b.Hidden)
	}
	out.Motion = m.motion(out)
	out.Report = m.report()
	return out, nil
}

// merger is one run of Merge.
type merger struct {
	a, b *Scene
	by   mgl64.Vec3 // from where b has its origin to where a has it
}

// check tells why two scenes cannot be one.
func (m *merger) check() error {
	if err := checkCounts(len(m.a.Vertices)+len(m.b.Vertices), len(m.a.Faces)+len(m.b.Faces)); err != nil {
		return err
	}
	if err := checkIDs(m.a.instanced() + m.b.instanced()); err != nil {
		return err
	}
	box := m.b.Bounds()
	for axis, by := range m.by {
		if far := max(math.Abs(float64(box.Min[axis])+by), math.Abs(float64(box.Max[axis])+by)); !(far < largest) {
			return fmt.Errorf("it lies %.4g m away, where numbers overflow", far)
		}
	}
	return nil
}

// moved is where a point of b is in the merged scene.
func (m *merger) moved(p mgl32.Vec3) mgl32.Vec3 {
	if m.by == (mgl64.Vec3{}) {
		return p
	}
	return Single(Wide(p).Add(m.by))
}

func (m *merger) vertices(of []Vertex) []Vertex {
	out := slices.Clone(of)
	for i := range out {
		out[i].Position = m.moved(out[i].Position)
	}
	return out
}

// faces are those of b with its materials behind a's, and its vertices behind as many.
func (m *merger) faces(of []Face, vertices int) []Face {
	out := slices.Clone(of)
	for i := range out {
		for k := range out[i].V {
			out[i].V[k] += uint32(vertices)
		}
		out[i].Material += uint32(len(m.a.Materials))
	}
	return out
}

// objects begin at the first face where a scene does not say where its own do.
func (m *merger) objects() (out []uint32) {
	if len(m.a.Objects)+len(m.b.Objects) == 0 {
		return nil
	}
	first := uint32(0)
	for _, s := range []*Scene{m.a, m.b} {
		own := s.Objects
		if len(own) == 0 && len(s.Faces) > 0 {
			own = []uint32{0}
		}
		for _, face := range own {
			out = append(out, first+face)
		}
		first += uint32(len(s.Faces))
	}
	return out
}

// motion is how both move: each clip plays what it played, and a last one all of them.
func (m *merger) motion(out *Scene) *Motion {
	if m.a.Motion == nil && m.b.Motion == nil {
		return nil
	}
	motion := &Motion{
		origin: out.Origin, skins: map[int]*skin{}, bounds: map[int]materialBounds{},
		start: moment{materials: map[int]*materialSource{}, lights: map[int]*lightSource{}, cameras: map[int]*lens{}},
		rest:  Pose{Instances: out.Instances, Cameras: out.Cameras, Lights: out.Lights},
	}
	motion.add(m.a, 0, 0, 0, 0)
	motion.add(m.b, len(m.a.Report.Clips), len(m.a.Instances), len(m.a.Materials), len(m.a.Textures))
	motion.Clips = withAll(motion.Clips, len(m.a.Report.Clips)+len(m.b.Report.Clips))
	return motion
}

// add adds how a scene moves whose animations, instances, materials and textures are from these numbers on.
func (m *Motion) add(s *Scene, clips, instances, materials, textures int) {
	from := s.Motion
	if from == nil {
		from = &Motion{}
	}
	// Objects of the files go by numbers, of which each kind begins behind those that are there.
	nodes, skins := len(m.start.nodes.nodes), behindAll(m.skins)
	sources, lights, cameras := behindAll(m.start.materials), behindAll(m.start.lights), behindAll(m.start.cameras)
	for _, at := range m.lights {
		lights = max(lights, at.of+1)
	}
	for _, at := range m.cameras {
		cameras = max(cameras, at.of+1)
	}
	behind := func(list []int) []int {
		out := slices.Clone(list)
		for i := range out {
			if out[i] >= 0 {
				out[i] += nodes
			}
		}
		return out
	}
	tree := &m.start.nodes
	tree.nodes = append(tree.nodes, from.start.nodes.nodes...)
	tree.order = append(tree.order, behind(from.start.nodes.order)...)
	tree.parents = append(tree.parents, behind(from.start.nodes.parents)...)
	m.start.hidden, m.relights = append(m.start.hidden, from.start.hidden...), m.relights || from.relights
	addBehind(m.start.lights, from.start.lights, lights)
	addBehind(m.start.cameras, from.start.cameras, cameras)
	for at, source := range from.start.materials {
		if source != nil {
			own := *source
			own.Textures = texturesFrom(own.Textures, textures)
			source = &own
		}
		m.start.materials[sources+at] = source
	}
	for i, at := range from.changing {
		m.changing, m.Materials = append(m.changing, sources+at), append(m.Materials, materials+from.Materials[i])
	}
	for at, most := range from.bounds {
		m.bounds[materials+at] = most
	}
	for at, k := range from.skins {
		m.skins[skins+at] = &skin{behind(k.nodes), k.inverse}
	}
	for _, p := range from.parts {
		p.instance += instances
		p.of.node += nodes
		if p.of.skin >= 0 {
			p.of.skin += skins
		}
		m.parts = append(m.parts, p)
	}
	first := map[*animated]int{&animatedNode: nodes, &animatedMaterial: sources, &animatedLight: lights, &animatedCamera: cameras}
	for _, clip := range from.own() {
		clip.Number += clips
		clip.channels = slices.Clone(clip.channels)
		for i := range clip.channels {
			clip.channels[i].at += first[clip.channels[i].property.of]
		}
		m.Clips = append(m.Clips, clip)
	}
	m.cameras = append(m.cameras, seatsBehind(from.cameras, len(s.Cameras), nodes, cameras)...)
	m.lights = append(m.lights, seatsBehind(from.lights, len(s.Lights), nodes, lights)...)
}

// behindAll is the first number that no object has, nor any after it.
func behindAll[T any](of map[int]T) (next int) {
	for at := range of {
		next = max(next, at+1)
	}
	return next
}

func addBehind[T any](to, of map[int]T, first int) {
	for at, v := range of {
		to[first+at] = v
	}
}

// seatsBehind are the seats of so many cameras or lights, of which those that somebody has put before the file's own belong to no node.
func seatsBehind(of []seat, count, nodes, first int) []seat {
	out := slices.Repeat([]seat{{resting, 0}}, count-len(of))
	for _, at := range of {
		if at.of += first; at.node != resting {
			at.node += nodes
		}
		out = append(out, at)
	}
	return out
}

// texturesFrom are uses of textures that are from that number on.
func texturesFrom(of [TextureUses]TextureRef, first int) [TextureUses]TextureRef {
	for i := range of {
		if of[i].Texture >= 0 {
			of[i].Texture += first
		}
	}
	return of
}

// report is what both say, with the names of their files in front.
func (m *merger) report() Report {
	a, b := m.a.Report, m.b.Report
	out := Report{
		Generator: a.Generator, Files: slices.Concat(a.Files, b.Files), Unread: slices.Concat(a.Unread, b.Unread),
		Nodes: a.Nodes + b.Nodes, Meshes: a.Meshes + b.Meshes, Animations: a.Animations + b.Animations, Skins: a.Skins + b.Skins,
		Clips: slices.Concat(a.Clips, b.Clips), Variants: slices.Clone(a.Variants), HasLight: a.HasLight || b.HasLight,
		Repeats: Repeats{
			a.Repeats.Meshes + b.Repeats.Meshes, a.Repeats.Instances + b.Repeats.Instances,
			a.Repeats.Baked + b.Repeats.Baked, a.Repeats.Instanced + b.Repeats.Instanced,
		},
	}
	extensions := map[string]ExtensionReport{}
	for _, s := range []*Scene{m.a, m.b} {
		by := mgl64.Vec3{}
		if s == m.b {
			by = m.by
		}
		out.Merged = append(out.Merged, s.Report.paths()...)
		for _, n := range s.Report.Notes {
			n.Object, n.At = s.inFile(n.Object), n.At.moved(by)
			out.Notes = append(out.Notes, n)
		}
		for _, e := range s.Report.Extensions {
			all := extensions[e.Name]
			e.Required = e.Required || all.Required
			places := slices.Clone(all.Places)
			for _, p := range e.Places {
				places = append(places, Place{s.inFile(p.Name), p.At.moved(by)})
			}
			e.Places = places
			extensions[e.Name] = e
		}
	}
	if distance := m.by.Len(); distance > farOff*2*float64(m.b.Bounds().Radius()) {
		out.Notes = append(out.Notes, Note{Object: m.b.inFile(""), Text: fmt.Sprintf(
			"lies %.4g m from where the first file is drawn: its points are rounded to %.1g m", distance, distance/(1<<24))})
	}
	slices.SortFunc(out.Notes, func(a, b Note) int { return strings.Compare(a.String(), b.String()) })
	for _, name := range slices.Sorted(maps.Keys(extensions)) {
		out.Extensions = append(out.Extensions, extensions[name])
	}
	return out
}

// inFile is the name of an object with its file's in front, where that is not there yet.
func (s *Scene) inFile(object string) string {
	switch name := guard.Name(s.Name); {
	case len(s.Report.Merged) > 0:
		return object
	case object == "":
		return name
	default:
		return name + ": " + object
	}
}
