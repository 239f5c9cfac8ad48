package scene

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// morphTargets reads those of a primitive.
func (p *primitive) morphTargets(count int) ([]MorphTarget, error) {
	out := make([]MorphTarget, len(p.Targets))
	for i, src := range p.Targets {
		for name := range src {
			if kind, _, _ := strings.Cut(name, "_"); kind == "COLOR" || kind == "TEXCOORD" {
				p.doc.warn.about(p.name, p.shown, "the clips do not change %s of its morph targets, which keeps the weights at rest", guard.Name(name))
			}
		}
		for _, row := range []struct {
			name string
			to   *[]mgl32.Vec3
		}{{gltf.POSITION, &out[i].Positions}, {gltf.NORMAL, &out[i].Normals}, {gltf.TANGENT, &out[i].Tangents}} {
			at, there := src[row.name]
			if !there {
				continue
			}
			v, components, err := readAttribute(p.doc, row.name, at, count)
			if err == nil {
				err = p.doc.memory.Take("morph targets", int64(count)*12)
			}
			if err != nil {
				if err := p.spare(fmt.Errorf("morph target %d: %w", i, err), "left out"); err != nil {
					return nil, err
				}
				continue
			}
			*row.to = make([]mgl32.Vec3, count)
			for k := range *row.to {
				(*row.to)[k] = mgl32.Vec3(v[components*k:][:3])
			}
		}
	}
	return out, nil
}
