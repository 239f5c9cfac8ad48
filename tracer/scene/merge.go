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
		Name: a.Name + " + " + b.Name, Origin: a.Origin, Editable: a.Editable, Edits: a.Edits, Environment: cmp.Or(a.Environment, b.Environment), ImageLight: a.ImageLight,
		Vertices:  both(a.Vertices, b.Vertices, m.place),
		Faces:     both(a.Faces, b.Faces, m.behind(len(a.Vertices))),
		Objects:   m.objects(),
		Materials: both(a.Materials, b.Materials, func(of *Material) { of.Textures = texturesFrom(of.Textures, len(a.Textures)) }),
		Images:    slices.Concat(a.Images, b.Images),
		Textures:  both(a.Textures, b.Textures, func(t *Texture) { t.Image += len(a.Images) }),
		Meshes: both(a.Meshes, b.Meshes, func(of *Mesh) {
			if of.Faces = both(nil, of.Faces, m.behind(0)); of.deforms {
				of.Vertices = both(nil, of.Vertices, m.place)
			}
		}),
		Instances: both(a.Instances, b.Instances, func(in *Instance) {
			if !b.Meshes[in.Mesh].deforms { // which stands in the world by itself
				in.World.SetCol(3, m.moved(in.World.Col(3).Vec3()).Vec4(1))
			}
			in.Mesh += len(a.Meshes)
		}),
		Cameras: both(a.Cameras, b.Cameras, func(c *Camera) { c.Eye, c.Target = c.Eye.Add(m.by), c.Target.Add(m.by) }),
		Lights:  both(a.Lights, b.Lights, func(l *Light) { l.Position = m.moved(l.Position) }),
	}
	switch {
	case a.ImageLight != nil:
		out.Environment = a.Environment
	case a.Environment == "" && b.ImageLight != nil:
		light := *b.ImageLight
		light.Faces = both(nil, light.Faces, func(image *int) { *image += len(a.Images) })
		out.ImageLight = &light
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
	faces := len(m.a.Faces) + len(m.b.Faces)
	err := cmp.Or(checkCounts(len(m.a.Vertices)+len(m.b.Vertices), faces), checkIDs(m.a.Triangles()+m.b.Triangles()-faces))
	if err != nil {
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

func (m *merger) place(v *Vertex) { v.Position = m.moved(v.Position) }

// behind has a face of b use its materials behind a's, and its vertices behind as many.
func (m *merger) behind(vertices int) func(f *Face) {
	return func(f *Face) {
		for k := range f.V {
			f.V[k] += uint32(vertices)
		}
		f.Material += uint32(len(m.a.Materials))
	}
}

// both is a list with another behind it, whose elements are changed.
func both[T any](a, b []T, change func(*T)) []T {
	out := slices.Concat(a, b)
	for i := len(a); i < len(out); i++ {
		change(&out[i])
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
	behind := func(node *int) {
		if *node >= 0 {
			*node += nodes
		}
	}
	tree := &m.start.nodes
	tree.nodes = append(tree.nodes, from.start.nodes.nodes...)
	tree.order = both(tree.order, from.start.nodes.order, behind)
	tree.parents = both(tree.parents, from.start.nodes.parents, behind)
	m.start.hidden, m.relights = append(m.start.hidden, from.start.hidden...), m.relights || from.relights
	for at, light := range from.start.lights {
		m.start.lights[lights+at] = light
	}
	for at, lens := range from.start.cameras {
		m.start.cameras[cameras+at] = lens
	}
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
		m.skins[skins+at] = &skin{both(nil, k.nodes, behind), k.inverse}
	}
	m.parts = both(m.parts, from.parts, func(p *part) {
		p.instance += instances
		p.of.node += nodes
		if p.of.skin >= 0 {
			p.of.skin += skins
		}
	})
	first := map[*animated]int{&animatedNode: nodes, &animatedMaterial: sources, &animatedLight: lights, &animatedCamera: cameras}
	m.Clips = both(m.Clips, from.own(), func(clip *Clip) {
		clip.Number += clips
		clip.channels = both(nil, clip.channels, func(c *channel) { c.at += first[c.property.of] })
	})
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

// seatsBehind are the seats of so many cameras or lights, of which those that somebody has put before the file's own belong to no node.
func seatsBehind(of []seat, count, nodes, first int) []seat {
	return both(slices.Repeat([]seat{{resting, 0}}, count-len(of)), of, func(at *seat) {
		if at.of += first; at.node != resting {
			at.node += nodes
		}
	})
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
		out.Notes = both(out.Notes, s.Report.Notes, func(n *Note) { n.Object, n.At = s.inFile(n.Object), n.At.moved(by) })
		for _, e := range s.Report.Extensions {
			all := extensions[e.Name]
			e.Required = e.Required || all.Required
			e.Places = both(all.Places, e.Places, func(p *Place) { p.Name, p.At = s.inFile(p.Name), p.At.moved(by) })
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
