package scene

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/guard"
)

// mostCompared is how many pairs of a shape that may be inside out and anything else are looked at: where a file has more, all stay as
// they are.
const mostCompared = 1 << 26

// inward is the share of its box that a shape must enclose from within to count as inside out. What is flat encloses nothing.
const inward = 0.01

// turnOutward turns shapes over that are inside out, as files have them where somebody mirrored a mesh: of one closed piece, around
// nothing, and with faces that look inward. From outside nothing would be seen of them but their dark insides (setting cull). A closed
// shape with anything inside is a room, and stays as it is.
func (l *loader) turnOutward(shapes map[meshKey][]*shape) error {
	var suspects []*shape
	meshes := map[*shape]int{}
	for key, list := range shapes {
		for _, s := range list {
			if l.mayTurn(s) && s.isInsideOut() {
				suspects = append(suspects, s)
				meshes[s] = key.mesh
			}
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	boxes, copies := map[*shape][]bounds64{}, 0
	var things []mgl64.Vec3 // the middle of all that is drawn, and where lamps and cameras are
	for _, in := range l.instances {
		for _, s := range shapes[l.key(in)] {
			box := l.boxOf(in, s)
			if _, suspect := meshes[s]; suspect {
				boxes[s] = append(boxes[s], box)
				copies++
			}
			things = append(things, box.min.Add(box.max).Mul(0.5))
		}
	}
	for _, c := range l.out.Cameras {
		things = append(things, c.Eye)
	}
	for _, eye := range l.opts.Eyes {
		things = append(things, l.out.FromFile(eye))
	}
	things = append(things, l.movingEyes()...)
	for _, light := range l.out.Lights {
		if light.Kind != LightDirectional {
			things = append(things, Wide(light.Position))
		}
	}
	if copies > mostCompared/max(len(things), 1) {
		return nil
	}
	for _, s := range suspects {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if encloses(boxes[s], things) {
			continue
		}
		s.turnOver()
		l.warn.about(l.meshLabel(meshes[s]), []subject{{meshSubject, meshes[s]}}, "its faces look inward, around nothing: turned outward")
	}
	return nil
}

// movingEyes are places where clips bring cameras.
func (l *loader) movingEyes() (out []mgl64.Vec3) {
	const moments = 32 // of a clip
	m := l.motion
	if m == nil || !slices.ContainsFunc(m.cameras, func(at seat) bool { return m.moves[at.node] }) {
		return nil
	}
	for i := range m.Clips[:min(len(m.Clips), framedClips)] {
		for k := range moments + 1 {
			now := m.start.clone()
			for c := range m.Clips[i].channels {
				if channel := &m.Clips[i].channels[c]; channel.property.of == &animatedNode {
					channel.apply(now, m.Clips[i].Seconds*float64(k)/moments)
				}
			}
			world := now.nodes.worlds()
			for _, at := range m.cameras {
				if eye := world[at.node].Col(3).Vec3(); m.moves[at.node] && placeable(world[at.node]) {
					out = append(out, l.out.FromFile(eye))
				}
			}
		}
	}
	return out
}

// mayTurn tells whether a shape's sides matter, and stay where they are.
func (l *loader) mayTurn(s *shape) bool {
	m := &l.out.Materials[s.material]
	return !m.DoubleSided && !m.Unlit && m.Emission == (mgl32.Vec3{}) && s.binding == nil && len(s.targets) == 0
}

// encloses tells whether any of the boxes holds one of the things besides what it is the box of.
func encloses(boxes []bounds64, things []mgl64.Vec3) bool {
	for _, b := range boxes {
		within := 0
		for _, at := range things {
			if b.holds(at) {
				within++
			}
		}
		if within > 1 {
			return true
		}
	}
	return false
}

// isInsideOut tells whether a shape is of one piece, closed, and its faces look inward.
func (s *shape) isInsideOut() bool {
	size := s.box.Max.Sub(s.box.Min)
	if !finite(size[:]) || !(s.volume() < -inward*float64(size[0])*float64(size[1])*float64(size[2])) {
		return false
	}
	for _, open := range openFaces(s.vertices, len(s.faces), func(i int) [3]uint32 { return s.faces[i] }) {
		if open {
			return false
		}
	}
	return s.isOnePiece()
}

// isOnePiece tells whether all faces hang together.
func (s *shape) isOnePiece() bool {
	leader := pointsOf(s.vertices) // of the points that hang together: the last one leads itself
	lead := func(v uint32) uint32 {
		for leader[v] != v {
			leader[v] = leader[leader[v]]
			v = leader[v]
		}
		return v
	}
	for _, f := range s.faces {
		leader[lead(f[0])] = lead(f[1])
		leader[lead(f[1])] = lead(f[2])
	}
	for _, f := range s.faces {
		if lead(f[0]) != lead(s.faces[0][0]) {
			return false
		}
	}
	return true
}

// volume is what the faces enclose, negative where they look inward.
func (s *shape) volume() float64 {
	middle := s.box.Center()
	at := func(v uint32) mgl32.Vec3 { return s.vertices[v].Position.Sub(middle) }
	sum := 0.0
	for _, part := range guard.OfChunks(len(s.faces), func(begin, end int) (part float64) {
		for _, f := range s.faces[begin:end] {
			part += float64(at(f[0]).Dot(at(f[1]).Cross(at(f[2]))))
		}
		return part
	}) {
		sum += part
	}
	return sum / 6
}

// turnOver has the faces look the other way, and with them the normals, if these look where the faces do.
func (s *shape) turnOver() {
	agree := float32(0)
	for i, f := range s.faces {
		a, b, c := &s.vertices[f[0]], &s.vertices[f[1]], &s.vertices[f[2]]
		agree += b.Position.Sub(a.Position).Cross(c.Position.Sub(a.Position)).Dot(a.Normal.Add(b.Normal).Add(c.Normal))
		s.faces[i][1], s.faces[i][2] = f[2], f[1]
	}
	if agree <= 0 {
		return
	}
	for i := range s.vertices {
		v := &s.vertices[i]
		v.Normal, v.Tangent[3] = v.Normal.Mul(-1), -v.Tangent[3]
	}
}
