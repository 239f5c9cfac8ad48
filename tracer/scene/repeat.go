package scene

import (
	"cmp"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// fewestFaces of a mesh that is worth an instance: below, an instance takes as much memory as the copy.
const fewestFaces = 16

// repeatKey names a mesh of which there may be instances.
type repeatKey struct {
	shape  *shape
	mirror bool
}

// repeats counts the placements that may become instances, by mesh.
func (a *assembly) repeats(placements []placement) map[repeatKey]int {
	uses := map[repeatKey]int{}
	for i := range placements {
		p := &placements[i]
		if p.rigid = a.repeatable(p); p.rigid {
			uses[p.key()]++
		}
	}
	for key, n := range uses {
		if n < 2 {
			delete(uses, key)
		}
	}
	return uses
}

func (p *placement) key() repeatKey { return repeatKey{p.shape, p.to.mirror} }

// repeatable tells whether a placement can be drawn as an instance: it is rigid, of some size, no light, and rays find back.
func (a *assembly) repeatable(p *placement) bool {
	if p.joints != nil || len(p.shape.faces) < fewestFaces || a.looks.glows(p.shape.material) {
		return false
	}
	if _, err := Inverse(p.to.matrix()); err != nil {
		return false
	}
	box := p.shape.box.Moved(p.to.matrix())
	return finite(box.Min[:]) && finite(box.Max[:])
}

// weighRepeats reports what instances would save, and whether they are wanted.
func (a *assembly) weighRepeats(placements []placement, uses map[repeatKey]int) (wanted bool) {
	r := &a.out.repeats
	var copies int64 // bytes while loading
	for i := range placements {
		s := placements[i].shape
		r.Baked += s.deviceBytes()
		copies += int64(len(s.vertices))*vertexBytes + int64(len(s.faces))*faceBytes
	}
	r.Meshes, r.Instanced = len(uses), r.Baked
	for key, n := range uses {
		r.Instances += n
		r.Instanced += int64(n)*deviceInstance - int64(n-1)*key.shape.deviceBytes()
	}
	needed := r.Baked > cmp.Or(a.opts.BakedBytes, DefaultBakedBytes) || copies > a.doc.memory.Left()
	switch {
	case len(uses) == 0 || a.opts.Instancing == InstanceNever:
		return false
	case needed || a.opts.Instancing == InstanceAlways:
		return true
	}
	return a.opts.Instancing == InstanceWhereItSaves && r.Baked-r.Instanced >= muchSaved && crowding(placements, uses) <= mostCrowded
}

const (
	muchSaved   = 32 << 20 // bytes: about what a processor's caches hold
	mostCrowded = 4
)

// crowding is how many instances' boxes a ray meets on its way through the scene, on average: the ratio of areas. In a crowd a ray enters
// mesh after mesh only to find nothing there, where one tree over all copies would lead past most.
func crowding(placements []placement, uses map[repeatKey]int) float64 {
	all, instances := NoBounds(), 0.0
	for i := range placements {
		p := &placements[i]
		box := p.shape.box.Moved(p.to.matrix())
		if all.join(box); p.rigid && uses[p.key()] > 0 {
			instances += box.area()
		}
	}
	return instances / all.area()
}

// keepRepeats makes meshes and instances of the placements that repeat, and returns the others.
func (a *assembly) keepRepeats(placements []placement, uses map[repeatKey]int) (rest []placement, err error) {
	index := map[repeatKey]int{}
	for _, p := range placements {
		key := p.key()
		if uses[key] == 0 || !p.rigid {
			rest = append(rest, p)
			continue
		}
		mesh, err := a.sharedMesh(key, index)
		if err != nil {
			return nil, err
		}
		if len(a.out.meshes[mesh].Faces) > 0 {
			a.addInstance(&p, Instance{Mesh: mesh, World: p.to.matrix()})
		}
	}
	return rest, nil
}

// sharedMesh is the mesh of a shape that is drawn several times, as if it stood in the world unmoved; index has those that are there.
func (a *assembly) sharedMesh(key repeatKey, index map[repeatKey]int) (int, error) {
	if mesh, known := index[key]; known {
		return mesh, nil
	}
	p := placement{shape: key.shape, to: newTransform(mgl64.Ident4())}
	p.to.mirror = key.mirror
	m, err := a.layOut([]placement{p}, false)
	if err != nil {
		return 0, fmt.Errorf("repeated mesh: %w", err)
	}
	index[key] = len(a.out.meshes)
	a.out.meshes = append(a.out.meshes, m)
	return index[key], nil
}

// maxIDs is how many triangles of instances can be told apart (cuda/kernels/params/bvh.h, FIRST_INSTANCED).
const maxIDs = math.MaxUint32 - maxFaces

func checkIDs(n int) error {
	if n > maxIDs {
		return fmt.Errorf("instances have %d triangles: at most %d can be drawn", n, maxIDs)
	}
	return nil
}
