package scene

import (
	"cmp"
	"fmt"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// mark is something that edits change and that a scene must be read for: nodes that move, are drawn or not, or have another shape, a
// material that glows, or has an extension that its file does not give it. Number −1 stands for all: what they cost is little.
type mark struct {
	of     *animated
	at     int
	effect Effect
	adds   *materialExtension
}

// markOf is what an edit of a property needs, of an object that has these extensions.
func markOf(p *property, at int, said map[string]bool) mark {
	switch m := (mark{of: p.of, at: at, effect: p.effect}); {
	case p.effect == Turns:
		m.effect = Moves
		return m
	case p.of == &animatedNode:
		return m
	case p.of == &animatedMaterial && p.effect == Relights:
		return m
	case p.of == &animatedMaterial && p.row != nil && !said[p.row.name] && cmp.Or(p.row.feature != 0, p.row.begin != nil):
		m.adds = p.row
		return m
	default:
		m.at = -1
		return m
	}
}

// noteMark notes that edits change something.
func (c *changes) noteMark(doc *document, m mark) error {
	switch m.of {
	case &animatedNode:
		withoutMatrix(doc.Nodes[m.at])
		return c.noteNode(doc, m.at, &property{effect: m.effect})
	case &animatedMaterial:
		for at := range doc.Materials {
			c.materials[at] = true
		}
		if m.effect == Relights {
			c.glows[m.at], c.relights = true, true
		}
		if m.adds != nil {
			c.adds[m.at] = append(c.adds[m.at], m.adds)
		}
	case &animatedLight:
		c.relights = c.relights || m.effect == Relights
		for at, light := range lightsOf(doc) {
			if light == nil {
				continue
			}
			if s, err := sourceOf(light); err == nil {
				c.lights[at] = &s
			}
		}
	case &animatedCamera:
		for at, camera := range doc.Cameras {
			lens := lensOf(camera)
			c.cameras[at] = &lens
		}
	}
	return nil
}

// noteEdits notes all that edits change. An error says which of them cannot be.
func (c *changes) noteEdits(doc *document, edits Edits) error {
	for _, e := range edits {
		at, p := followPointer(e.Pointer)
		if p == nil {
			return fmt.Errorf("edit %s: it leads to nothing that can be edited", guard.Quoted(e.Pointer))
		}
		if _, _, err := checkTarget(doc, at, p); err != nil {
			return fmt.Errorf("edit %s: %w", guard.Quoted(e.Pointer), err)
		}
	}
	for m := range marksOf(edits, func(at int) map[string]bool { return saidExtensions(doc.Materials[at]) }) {
		if err := c.noteMark(doc, m); err != nil {
			return err
		}
	}
	return nil
}

// marksOf are what edits need, of materials whose extensions are said.
func marksOf(edits Edits, said func(material int) map[string]bool) map[mark]bool {
	out := map[mark]bool{}
	for _, e := range edits {
		at, p := followPointer(e.Pointer)
		if p == nil {
			continue
		}
		var extensions map[string]bool
		if p.of == &animatedMaterial {
			extensions = said(at)
		}
		out[markOf(p, at, extensions)] = true
	}
	return out
}

// saidExtensions are those that a material has in its file.
func saidExtensions(src *gltf.Material) map[string]bool {
	out := map[string]bool{}
	for name := range src.Extensions {
		out[name] = true
	}
	return out
}
