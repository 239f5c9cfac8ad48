package scene

import (
	"fmt"

	"glint/tracer/guard"
)

// place places each instance's copy of its shapes.
func (a *assembly) place(shapes map[meshKey][]*shape) (*geometry, error) {
	placements, err := a.plan(shapes)
	if err != nil {
		return nil, err
	}
	placements, moving := a.split(placements)
	if uses := a.repeats(placements); a.weighRepeats(placements, uses) {
		if placements, err = a.keepRepeats(placements, uses); err != nil {
			return nil, err
		}
	}
	if a.out.world, err = a.layOut(placements, false); err != nil {
		return nil, err
	}
	a.noteWorld(placements)
	if err := a.keepMoving(moving); err != nil {
		return nil, err
	}
	a.reportDropped()
	return &a.out, nil
}

// plan lists every shape of every instance.
func (a *assembly) plan(shapes map[meshKey][]*shape) (out []placement, err error) {
	count := 0
	for _, in := range a.nodes.instances {
		count += len(shapes[in.key])
	}
	out = make([]placement, 0, count)
	for i, in := range a.nodes.instances {
		if err := a.doc.ctx.Err(); err != nil {
			return nil, err
		}
		to := newTransform(in.world)
		for _, s := range shapes[in.key] {
			place := placement{shape: s, to: to, instance: i, joints: a.rig.pose(in, s)}
			if err := a.doc.scratch.Take("placed meshes", placementBytes); err != nil {
				return nil, fmt.Errorf("%s: %w", a.doc.nodeLabel(in.node), err)
			}
			out = append(out, place)
		}
	}
	return out, nil
}

func (a *assembly) reportDropped() {
	if n := a.dropped[degenerate]; n > 0 {
		a.doc.warn.addf("%d triangles without area are left out", n)
	}
	if n := a.dropped[nonFinite]; n > 0 {
		a.doc.warn.addf("%d triangles with corners that are not finite or beyond %g m are left out", n, float64(largest))
	}
}

// checkRoom refuses geometry for which there is no room, before any of it is placed: what becomes no instance for certain.
func checkRoom(memory *guard.Memory, instances []instance, shapes map[meshKey][]*shape) error {
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
	for _, in := range instances {
		one := sizes[in.key]
		all.placements += one.placements
		all.vertices += one.vertices
		all.faces += one.faces
	}
	what := fmt.Sprintf("%d primitives with %d triangles or more", all.placements, all.faces)
	return memory.Check(what, all.placements*placementBytes+all.vertices*(vertexBytes+deviceVertex)+all.faces*(faceBytes+deviceFace))
}
