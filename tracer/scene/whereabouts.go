package scene

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// skinnedPoints is how many vertices of a skinned shape stand for all: its size need not be known well.
const skinnedPoints = 64

// whereabouts are the boxes around what is drawn at rest, of all and of each object of the file, in the file's coordinates.
type whereabouts struct {
	all     bounds64
	objects [materialSubject + 1][]bounds64
	origin  mgl64.Vec3 // of the scene
}

// drawers are the nodes that draw the objects of a scene: those of its world, and its instances.
type drawers struct{ world, instances []int }

// findWhereabouts takes a time that grows with the shapes of all instances, for which there is room, not with their triangles.
func findWhereabouts(doc *document, r *rig, instances []instance, shapes map[meshKey][]*shape, materials int) (*whereabouts, error) {
	w := &whereabouts{all: noBounds64()}
	for kind, count := range map[subjectKind]int{meshSubject: len(doc.Meshes), nodeSubject: len(doc.Nodes), materialSubject: materials} {
		w.objects[kind] = slices.Repeat([]bounds64{noBounds64()}, count)
	}
	for _, in := range instances {
		if err := doc.ctx.Err(); err != nil {
			return nil, err
		}
		for _, s := range shapes[in.key] {
			box := r.boxOf(in, s)
			w.all.join(box)
			w.objects[meshSubject][in.mesh].join(box)
			w.objects[nodeSubject][in.node].join(box)
			w.objects[materialSubject][s.material].join(box)
		}
	}
	return w, nil
}

// boxOf is the box around a shape where an instance draws it.
func (r *rig) boxOf(in instance, s *shape) bounds64 {
	box := noBounds64()
	if in.skin < 0 || s.binding == nil {
		if finite(s.box.Min[:]) && finite(s.box.Max[:]) {
			for _, p := range s.box.corners(mgl32.Ident4()) {
				box.add(in.world, p)
			}
		}
		return box
	}
	joints := r.pose(in, s)
	for v := 0; v < len(s.vertices); v += (len(s.vertices) + skinnedPoints - 1) / skinnedPoints {
		box.add(s.binding.matrix(v, joints), s.vertices[v].Position)
	}
	return box
}

// of is the box around objects in the scene, nil where nothing of them is drawn.
func (w *whereabouts) of(objects ...subject) *Bounds {
	box := noBounds64()
	for _, o := range objects {
		box.join(w.objects[o.kind][o.index])
	}
	if box.empty() {
		return nil
	}
	return &Bounds{Single(box.min.Sub(w.origin)), Single(box.max.Sub(w.origin))}
}
