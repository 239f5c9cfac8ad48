package scene

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

// split takes out what moves.
func (a *assembly) split(placements []placement) (resting, moving []placement) {
	for _, p := range placements {
		if a.changes != nil && a.takes(p) {
			moving = append(moving, p)
		} else {
			resting = append(resting, p)
		}
	}
	return resting, moving
}

func (a *assembly) takes(p placement) bool {
	in := a.nodes.instances[p.instance]
	movers := []int{in.node}
	if p.joints != nil {
		movers = a.rig.skins[in.skin].nodes
	}
	return slices.ContainsFunc(movers, func(node int) bool { return a.nodes.moves[node] }) || a.changes.morphs[in.node]
}

// keepMoving makes an instance of everything that moves. What only turns and shifts shares its mesh with its like; what deforms or
// glows has one of its own, in the world.
func (a *assembly) keepMoving(moving []placement) error {
	meshes := map[repeatKey]int{}
	for _, p := range moving {
		in := a.nodes.instances[p.instance]
		piece := part{instance: len(a.out.instances), of: in, shape: p.shape, weights: a.doc.Meshes[in.mesh].Weights}
		piece.deforms = p.joints != nil || p.shape.targets != nil || a.looks.glows(p.shape.material)
		drawn := Instance{Mesh: len(a.out.meshes), World: mgl32.Ident4()}
		var err error
		if piece.deforms {
			err = a.keepDeforming(p, &piece)
		} else {
			drawn.World = p.to.matrix()
			drawn.Mesh, err = a.sharedMesh(p.key(), meshes)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.doc.nodeLabel(in.node), err)
		}
		if len(a.out.meshes[drawn.Mesh].Faces) == 0 {
			continue
		}
		a.addInstance(&p, drawn)
		a.out.parts = append(a.out.parts, piece)
	}
	return nil
}

// keepDeforming adds the mesh of a part that deforms.
func (a *assembly) keepDeforming(p placement, piece *part) error {
	bytes := int64(len(p.shape.vertices))*vertexBytes + int64(len(p.shape.faces))*faceBytes
	if b := p.shape.binding; b != nil {
		bytes += int64(len(b.joints)) * 8
	}
	if err := a.doc.memory.Take("a mesh that moves", bytes); err != nil {
		return err
	}
	p.shape = p.shape.morphed(piece.weightsOf(&a.nodes.tree))
	mesh, err := a.layOut([]placement{p}, true)
	a.out.meshes = append(a.out.meshes, mesh)
	return err
}
