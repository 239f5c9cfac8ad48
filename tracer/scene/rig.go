package scene

import (
	"errors"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// rig is the skins that are in use, and where their joints are at rest.
type rig struct {
	doc    *document
	skins  map[int]*skin
	joints map[int][]mgl64.Mat4
}

// readRig reads the skins of instances. What has a broken one loses it, and is drawn as it stands in its mesh.
func readRig(doc *document, nodes *placedNodes) (*rig, error) {
	r := &rig{doc: doc, skins: map[int]*skin{}, joints: map[int][]mgl64.Mat4{}}
	broken := map[int]bool{}
	for i := range nodes.instances {
		in := &nodes.instances[i]
		if in.skin >= 0 && r.skins[in.skin] == nil && !broken[in.skin] {
			skin, err := readSkin(doc, in.skin)
			if err != nil {
				if err := doc.spare(label("skin", in.skin, doc.Skins[in.skin].Name), []subject{{nodeSubject, in.node}}, err, "drawn without it"); err != nil {
					return nil, err
				}
				broken[in.skin] = true
			} else {
				r.skins[in.skin], r.joints[in.skin] = skin, skin.joints(nodes.world)
			}
		}
		if broken[in.skin] {
			in.skin = -1
		}
	}
	return r, nil
}

// readSkin reads a skin of the file.
func readSkin(doc *document, at int) (*skin, error) {
	src := doc.Skins[at]
	if err := doc.broken("skins[%d]", at); err != nil {
		return nil, err
	}
	out := &skin{nodes: src.Joints}
	if src.InverseBindMatrices == nil {
		return out, nil
	}
	a, err := doc.accessor(*src.InverseBindMatrices)
	if err != nil {
		return nil, fmt.Errorf("inverseBindMatrices: %w", err)
	}
	if doc.Accessors[*src.InverseBindMatrices].Type != gltf.AccessorMat4 || a.kind != gltf.ComponentFloat {
		return nil, errors.New("inverseBindMatrices must be 4 × 4 matrices of floats")
	}
	if a.count < len(out.nodes) {
		return nil, fmt.Errorf("has %d inverseBindMatrices for %d joints", a.count, len(out.nodes))
	}
	if err := doc.reserve(a); err != nil {
		return nil, fmt.Errorf("inverseBindMatrices: %w", err)
	}
	values := a.floats()
	out.inverse = make([]mgl64.Mat4, len(out.nodes))
	for i := range out.inverse {
		for c := range out.inverse[i] {
			out.inverse[i][c] = float64(values[16*i+c])
		}
	}
	return out, nil
}

// pose finds the joint matrices of a skinned shape, nil when the shape moves with its node.
func (r *rig) pose(in instance, s *shape) []mgl64.Mat4 {
	if in.skin < 0 || s.binding == nil {
		if in.skin >= 0 || s.binding != nil {
			r.doc.warn.about(r.doc.nodeLabel(in.node), []subject{{nodeSubject, in.node}}, "only one of skin and joint attributes is there: drawn without skinning")
		}
		return nil
	}
	joints := r.joints[in.skin]
	if err := s.binding.bound(len(joints)); err != nil {
		r.doc.warn.about(r.doc.nodeLabel(in.node), []subject{{nodeSubject, in.node}}, "%v: joints that are missing move nothing", err)
	}
	return joints
}
