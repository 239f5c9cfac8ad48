package scene

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

// Tangents as MikkTSpace defines them (Mikkelsen, Simulation of Wrinkled Surfaces Revisited, 2008), so that normal maps
// baked against them look as meant: corners of one vertex are grouped across shared edges while the texture keeps its
// handedness, and each group takes the mean of its faces' tangents weighted by the corner's angle. Groups begin in the order of
// faces, on which it depends with whom a face goes whose texture coordinates span no area.

// frame is the tangent space that one face's texture coordinates span.
type frame struct {
	tangent mgl32.Vec3 // unit, along increasing u
	w       int8       // handedness ±1, 0 when the texture coordinates span no area and no group has taken it in
	blank   bool       // they span none: it begins no group, and adds nothing
	dead    bool       // two of its corners are in one place: it takes no part
}

// tangentBuilder holds the working arrays of one shape. A corner is 3·face + 0…2.
type tangentBuilder struct {
	s      *shape
	weld   []uint32 // per vertex: the first vertex with equal position, normal and texture coordinates
	frames []frame
	start  []uint32 // corners of welded vertex v are corner[start[v]:start[v+1]]
	corner []uint32
	// Per corner: the one across the edge that leaves its vertex, and across that which enters it, −1 at a border.
	next, previous []int32
	group          []int32      // per corner, -1 for none yet
	result         []mgl32.Vec4 // per group
}

// computeTangents gives every vertex the tangent of the normal map's texture coordinates; vertices whose corners
// disagree are split.
func (s *shape) computeTangents(normal TextureRef) {
	uv := s.mappedUVs(normal)
	b := &tangentBuilder{s: s, weld: weldVertices(s.vertices, uv)}
	b.frames = make([]frame, len(s.faces))
	for i, f := range s.faces {
		b.frames[i] = newFrame(s.vertices, uv, f)
	}
	b.collectCorners()
	none := slices.Repeat([]int32{-1}, 3*len(s.faces))
	b.next, b.previous, b.group = none, slices.Clone(none), slices.Clone(none)
	var edges []edge
	for v := range s.vertices {
		if corners := b.corner[b.start[v]:b.start[v+1]]; len(corners) > 0 {
			edges = b.joinCorners(corners, edges[:0])
		}
	}
	for c := range b.group {
		if f := &b.frames[c/3]; b.group[c] < 0 && !f.blank && !f.dead {
			b.flood(int32(c))
		}
	}
	b.assign()
}

// mappedUVs are the texture coordinates after the normal map's transform.
func (s *shape) mappedUVs(ref TextureRef) []mgl32.Vec2 {
	out, m := make([]mgl32.Vec2, len(s.vertices)), ref.Transform
	for i := range out {
		u, v := s.vertices[i].UV[ref.UVSet][0], s.vertices[i].UV[ref.UVSet][1]
		out[i] = mgl32.Vec2{m[0]*u + m[1]*v + m[2], m[3]*u + m[4]*v + m[5]}
	}
	return out
}

// newFrame derives a face's tangent. v grows downwards in glTF and upwards in a normal map's green channel: hence the
// handedness is that of (u, 1 − v).
func newFrame(vertices []Vertex, uv []mgl32.Vec2, f [3]uint32) frame {
	p, t := vertices[f[0]].Position, uv[f[0]]
	d1, d2 := vertices[f[1]].Position.Sub(p), vertices[f[2]].Position.Sub(p)
	t1, t2 := uv[f[1]].Sub(t), uv[f[2]].Sub(t)
	out := frame{blank: true, dead: d1 == mgl32.Vec3{} || d2 == mgl32.Vec3{} || d1 == d2}
	area := float64(t1[0])*float64(t2[1]) - float64(t2[0])*float64(t1[1])
	if !(math.Abs(area) > 0) || math.IsInf(area, 0) {
		return out
	}
	direction := d1.Mul(t2[1]).Sub(d2.Mul(t1[1]))
	w := int8(-1)
	if area < 0 {
		direction, w = direction.Mul(-1), 1
	}
	if out.tangent = unitOr(direction, mgl32.Vec3{}); out.tangent != (mgl32.Vec3{}) {
		out.w, out.blank = w, false
	}
	return out
}

// collectCorners sorts the corners of living faces by welded vertex.
func (b *tangentBuilder) collectCorners() {
	b.start = make([]uint32, len(b.s.vertices)+2)
	each := func(visit func(v, corner uint32)) {
		for i, f := range b.s.faces {
			for c, v := range f {
				if !b.frames[i].dead {
					visit(b.weld[v], uint32(3*i+c))
				}
			}
		}
	}
	each(func(v, _ uint32) { b.start[v+2]++ })
	for i := 2; i < len(b.start); i++ {
		b.start[i] += b.start[i-1]
	}
	b.corner = make([]uint32, b.start[len(b.start)-1])
	each(func(v, corner uint32) {
		b.corner[b.start[v+1]] = corner
		b.start[v+1]++
	})
}

// at is the welded vertex of the corner that lies turn corners after c in its face.
func (b *tangentBuilder) at(c, turn uint32) uint32 {
	return b.weld[b.s.faces[c/3][(c+turn)%3]]
}

// edge is the edge that enters a vertex in one face.
type edge struct {
	from   uint32 // welded vertex at its other end
	corner int32
	taken  int32 // at the head of a run of equal from: how many are matched
}

// joinCorners finds the neighbours of the corners of one vertex.
func (b *tangentBuilder) joinCorners(corners []uint32, edges []edge) []edge {
	for _, c := range corners {
		edges = append(edges, edge{from: b.at(c, 2), corner: int32(c)})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.corner, b.corner))
	})
	for _, c := range corners {
		if across := match(edges, b.at(c, 1)); across >= 0 {
			b.next[c], b.previous[across] = across, int32(c)
		}
	}
	return edges
}

// match takes the next free edge that comes from vertex from, -1 when there is none.
func match(edges []edge, from uint32) int32 {
	head, found := slices.BinarySearchFunc(edges, from, func(e edge, from uint32) int { return cmp.Compare(e.from, from) })
	if !found {
		return -1
	}
	at := head + int(edges[head].taken)
	if at >= len(edges) || edges[at].from != from {
		return -1
	}
	edges[head].taken++
	return edges[at].corner
}

// flood gathers the corners joined to seed by edges while the handedness stays, walking both ways around the vertex.
func (b *tangentBuilder) flood(seed int32) {
	id, w := int32(len(b.result)), b.frames[seed/3].w
	var sum mgl32.Vec3
	take := func(c int32) bool {
		if b.group[c] >= 0 || !b.joins(uint32(c)/3, w) {
			return false
		}
		b.group[c] = id
		sum = sum.Add(b.weighted(uint32(c)))
		return true
	}
	take(seed)
	for c := b.next[seed]; c >= 0 && take(c); c = b.next[c] {
	}
	for c := b.previous[seed]; c >= 0 && take(c); c = b.previous[c] {
	}
	n := b.s.vertices[b.at(uint32(seed), 0)].Normal
	b.result = append(b.result, safeTangent(sum.Vec4(float32(w)), n))
}

// joins reports whether a face may enter a group of handedness w; a face without handedness takes it on.
func (b *tangentBuilder) joins(face uint32, w int8) bool {
	f := &b.frames[face]
	if f.w == 0 {
		f.w = w
	}
	return f.w == w
}

// weighted is the face's tangent in the vertex's tangent plane, at unit length times the corner's angle there.
func (b *tangentBuilder) weighted(c uint32) mgl32.Vec3 {
	f := b.s.faces[c/3]
	v := b.s.vertices[f[c%3]]
	flat := func(d mgl32.Vec3) mgl32.Vec3 {
		return unitOr(d.Sub(v.Normal.Mul(v.Normal.Dot(d))), mgl32.Vec3{})
	}
	to := flat(b.s.vertices[f[(c+1)%3]].Position.Sub(v.Position))
	from := flat(b.s.vertices[f[(c+2)%3]].Position.Sub(v.Position))
	angle := math.Acos(float64(max(-1, min(1, to.Dot(from)))))
	return flat(b.frames[c/3].tangent).Mul(float32(angle))
}

// assign writes the groups' tangents to the vertices and copies a vertex for each further tangent that it needs. Vertices without any,
// of faces that take no part, get that of an equal one.
func (b *tangentBuilder) assign() {
	s := b.s
	type split struct {
		vertex uint32
		group  int32
	}
	owner := make([]int32, len(s.vertices))
	for i := range owner {
		owner[i] = -1
		s.vertices[i].Tangent = safeTangent(mgl32.Vec4{0, 0, 0, 1}, s.vertices[i].Normal)
	}
	from := make([]uint32, len(s.vertices))
	for i := range from {
		from[i] = uint32(i)
	}
	copies := map[split]uint32{}
	for i := range b.group {
		v, g := s.faces[i/3][i%3], b.group[i]
		if g < 0 || owner[v] == g {
			continue
		}
		if owner[v] < 0 {
			owner[v] = g
			s.vertices[v].Tangent = b.result[g]
			continue
		}
		to, made := copies[split{v, g}]
		if !made {
			to = uint32(len(s.vertices))
			copies[split{v, g}] = to
			s.vertices = append(s.vertices, s.vertices[v])
			s.vertices[to].Tangent = b.result[g]
			from = append(from, v)
		}
		s.faces[i/3][i%3] = to
	}
	for v, equal := range b.weld {
		if corners := b.corner[b.start[equal]:b.start[equal+1]]; owner[v] < 0 && len(corners) > 0 && b.group[corners[0]] >= 0 {
			s.vertices[v].Tangent = b.result[b.group[corners[0]]]
		}
	}
	s.rearrange(from)
}
