package scene

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"

	"glint/tracer/guard"
)

// findTarget is the object and its property that a channel changes; a nil property for none, which glTF allows.
func findTarget(doc *document, src *gltf.AnimationChannel) (at int, p *property, err error) {
	to := src.Target
	if _, pointed := to.Extensions[animationPointer]; pointed {
		return pointedTarget(doc, to.Extensions)
	}
	if to.Node == nil {
		return 0, nil, nil
	}
	return checkTarget(doc, *to.Node, findProperty(&animatedNode, to.Path.String()))
}

const animationPointer = "KHR_animation_pointer"

// pointedTarget reads KHR_animation_pointer.
func pointedTarget(doc *document, ext gltf.Extensions) (at int, p *property, err error) {
	var pointed struct{ Pointer string }
	if err := decodeExtension(ext, animationPointer, &pointed); err != nil {
		return 0, nil, err
	}
	for _, kind := range []*animated{&animatedNode, &animatedMaterial, &animatedLight, &animatedCamera} {
		rest, ok := strings.CutPrefix(pointed.Pointer, kind.prefix)
		if !ok {
			continue
		}
		number, path, _ := strings.Cut(rest, "/")
		if at, err = strconv.Atoi(number); err == nil && strconv.Itoa(at) == number {
			if p = findProperty(kind, path); p != nil {
				return checkTarget(doc, at, p)
			}
		}
	}
	return 0, nil, fmt.Errorf("pointer %s leads to what glint does not animate", guard.Quoted(pointed.Pointer))
}

// findProperty is nil where there is none.
func findProperty(of *animated, path string) *property {
	i := slices.IndexFunc(properties, func(p property) bool { return p.of == of && p.path == path })
	if i < 0 {
		return nil
	}
	return &properties[i]
}

// checkTarget checks that the object is there whose property is meant.
func checkTarget(doc *document, at int, p *property) (int, *property, error) {
	switch {
	case p == nil:
		return 0, nil, errors.New("its path is unknown")
	case at < 0 || at >= countAnimated(doc, p.of):
		return 0, nil, fmt.Errorf("%s %d does not exist", p.of.name, at)
	}
	return at, p, nil
}

// countAnimated is how many objects of a kind the file has.
func countAnimated(doc *document, of *animated) int {
	switch of {
	case &animatedNode:
		return len(doc.Nodes)
	case &animatedMaterial:
		return len(doc.Materials)
	case &animatedLight:
		return len(lightsOf(doc))
	default:
		return len(doc.Cameras)
	}
}

// note notes that a property of an object changes. An error says why it does not.
func (c *changes) note(doc *document, at int, p *property) error {
	switch p.of {
	case &animatedNode:
		return c.noteNode(doc, at, p)
	case &animatedMaterial:
		return c.noteMaterial(doc, at, p)
	case &animatedLight:
		return c.noteLight(doc, at, p)
	}
	lens := lensOf(doc.Cameras[at])
	c.cameras[at] = &lens
	return nil
}

func (c *changes) noteNode(doc *document, at int, p *property) error {
	switch p.effect {
	case morphs:
		c.morphs[at] = true
	case blinks:
		c.blinks[at], c.moves[at] = true, true
	default:
		if doc.Nodes[at].Matrix != gltf.DefaultMatrix {
			return fmt.Errorf("%s has a matrix, which glTF does not let animations move", doc.nodeLabel(at))
		}
		c.moves[at] = true
	}
	return nil
}

func (c *changes) noteMaterial(doc *document, at int, p *property) error {
	const metallic, glossy = "pbrMetallicRoughness/", "KHR_materials_pbrSpecularGlossiness"
	if _, there := doc.Materials[at].Extensions[glossy]; there && strings.HasPrefix(p.path, metallic) {
		return fmt.Errorf("%s is drawn as %s describes it, not by %s", label("material", at, doc.Materials[at].Name), glossy, p.path)
	}
	c.materials[at] = true
	c.relights = c.relights || p.effect == relights
	return nil
}

func (c *changes) noteLight(doc *document, at int, p *property) error {
	light := lightsOf(doc)[at]
	if light == nil {
		return fmt.Errorf("light %d does not exist", at)
	}
	s, err := sourceOf(light)
	c.relights = c.relights || p.effect == relights
	c.lights[at] = &s
	return err
}

// lightsOf are those of KHR_lights_punctual.
func lightsOf(doc *document) lightspunctual.Lights {
	lights, _ := doc.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights)
	return lights
}
