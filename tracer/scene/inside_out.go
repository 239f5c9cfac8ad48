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
//
// Points are where lamps are, and what may look at the scene.
func turnOutward(doc *document, instances []instance, shapes map[meshKey][]*shape, r *rig, materials []Material, points []mgl64.Vec3) error {
	var suspects []*shape
	meshes := map[*shape]int{}
	for key, list := range shapes {
		for _, s := range list {
			if s.mayTurn(&materials[s.material]) && s.isInsideOut() {
				suspects = append(suspects, s)
				meshes[s] = key.mesh
			}
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	boxes, copies := map[*shape][]bounds64{}, 0
	things := slices.Clone(points) // with the middle of all that is drawn
	for _, in := range instances {
		for _, s := range shapes[in.key] {
			box := r.boxOf(in, s)
			if _, suspect := meshes[s]; suspect {
				boxes[s] = append(boxes[s], box)
				copies++
			}
			things = append(things, box.min.Add(box.max).Mul(0.5))
		}
	}
	if copies > mostCompared/max(len(things), 1) {
		return nil
	}
	for _, s := range suspects {
		if err := doc.ctx.Err(); err != nil {
			return err
		}
		if encloses(boxes[s], things) {
			continue
		}
		s.turnOver()
		doc.warn.about(doc.meshLabel(meshes[s]), []subject{{meshSubject, meshes[s]}}, "its faces look inward, around nothing: turned outward")
	}
	return nil
}

// eyesAndLamps are the places that a scene is seen from or lit from: cameras, wherever clips bring them, and lights of some place. Eyes
// are in the coordinates of the file.
func eyesAndLamps(v *viewpoints, eyes []mgl64.Vec3, c *changes, nodes *placedNodes, origin mgl64.Vec3) (out []mgl64.Vec3) {
	for _, camera := range v.cameras {
		out = append(out, camera.Eye)
	}
	for _, eye := range append(slices.Clone(eyes), movingEyes(c, nodes, v.cameraSeats)...) {
		out = append(out, eye.Sub(origin))
	}
	for _, light := range v.lights {
		if light.Kind != LightDirectional {
			out = append(out, Wide(light.Position))
		}
	}
	return out
}

// movingEyes are places where clips bring cameras, in the coordinates of the file.
func movingEyes(c *changes, nodes *placedNodes, cameras []seat) (out []mgl64.Vec3) {
	const moments = 32 // of a clip
	if c == nil || !slices.ContainsFunc(cameras, func(at seat) bool { return nodes.moves[at.node] }) {
		return nil
	}
	rest := moment{nodes: nodes.tree, hidden: nodes.hidden}
	for i := range c.clips[:min(len(c.clips), framedClips)] {
		for k := range moments + 1 {
			now := rest.clone()
			for at := range c.clips[i].channels {
				if channel := &c.clips[i].channels[at]; channel.property.of == &animatedNode {
					channel.apply(now, c.clips[i].Seconds*float64(k)/moments)
				}
			}
			world := now.nodes.worlds()
			for _, at := range cameras {
				if eye := world[at.node].Col(3).Vec3(); nodes.moves[at.node] && placeable(world[at.node]) {
					out = append(out, eye)
				}
			}
		}
	}
	return out
}

// mayTurn tells whether a shape's sides matter, and stay where they are.
func (s *shape) mayTurn(m *Material) bool {
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
