package gpuscene

import (
	"cmp"
	"fmt"

	"glint/cuda"
	"glint/tracer/guard"
)

// MaterialName is what a material is called that kernels know by its number.
func (p *Prepared) MaterialName(material uint32) string {
	if int(material) >= len(p.drawn.Materials) {
		return "no material"
	}
	return cmp.Or(guard.Name(p.drawn.Materials[material].Name), fmt.Sprintf("material %d", material))
}

// Node is the pointer of the node that draws an object that kernels know by its number; empty where that is unknown.
func (p *Prepared) Node(object int32) string {
	if p.Scene.Editable == nil {
		return ""
	}
	return p.Scene.Editable.Node(int(object), len(p.drawn.Objects))
}

// ObjectName is what an object is called that kernels know by its number: the node that draws it.
func (p *Prepared) ObjectName(object int32) string {
	if node := p.Node(object); node != "" {
		return p.Scene.Editable.Label(node)
	}
	return fmt.Sprintf("object %d", object)
}

// LightName is what a light is called that kernels know by its number: a lamp of the file, the material of a triangle that emits, or the
// environment.
func (p *Prepared) LightName(light uint32) string {
	l := &p.lights
	if int(light) >= len(l.table) {
		return "no light"
	}
	switch row := l.table[light]; row.Kind {
	case cuda.LightEnvironment:
		return "the environment"
	case cuda.LightTriangle:
		return p.MaterialName(row.Material&^cuda.LightMarks) + ", which glows"
	}
	at := int(light) - l.firstPunctual
	return cmp.Or(guard.Name(p.drawn.Lights[at].Name), fmt.Sprintf("lamp %d", at))
}

// LitFromAround tells whether the environment is the only light.
func (p *Prepared) LitFromAround() bool { return len(p.lights.table) == 1 && p.lights.environment == 0 }
