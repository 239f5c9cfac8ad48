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

// target is the object and its property that a channel changes; a nil property for none, which glTF allows.
func (l *loader) target(src *gltf.AnimationChannel) (at int, p *property, err error) {
	to := src.Target
	if _, pointed := to.Extensions[animationPointer]; pointed {
		return l.pointedTarget(to.Extensions)
	}
	if to.Node == nil {
		return 0, nil, nil
	}
	return l.object(*to.Node, findProperty(&animatedNode, to.Path.String()))
}

const animationPointer = "KHR_animation_pointer"

// pointedTarget reads KHR_animation_pointer.
func (l *loader) pointedTarget(ext gltf.Extensions) (at int, p *property, err error) {
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
				return l.object(at, p)
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

// object checks that the object is there whose property is meant.
func (l *loader) object(at int, p *property) (int, *property, error) {
	switch {
	case p == nil:
		return 0, nil, errors.New("its path is unknown")
	case at < 0 || at >= p.of.count(l):
		return 0, nil, fmt.Errorf("%s %d does not exist", p.of.name, at)
	}
	return at, p, nil
}

func (l *loader) noteNode(at int, p *property) error {
	n, m := l.Nodes[at], l.motion
	switch p.effect {
	case morphs:
		m.morphs[at] = true
	case blinks:
		m.blinks[at], m.moves[at] = true, true
	default:
		if n.Matrix != gltf.DefaultMatrix {
			return fmt.Errorf("%s has a matrix, which glTF does not let animations move", label("node", at, n.Name))
		}
		m.moves[at] = true
	}
	return nil
}

func (l *loader) noteMaterial(at int, p *property) error {
	const metallic, glossy = "pbrMetallicRoughness/", "KHR_materials_pbrSpecularGlossiness"
	if _, there := l.Materials[at].Extensions[glossy]; there && strings.HasPrefix(p.path, metallic) {
		return fmt.Errorf("%s is drawn as %s describes it, not by %s", label("material", at, l.Materials[at].Name), glossy, p.path)
	}
	l.motion.start.materials[at] = nil // useMaterial has it
	l.motion.relights = l.motion.relights || p.effect == relights
	return nil
}

func (l *loader) countLights() int {
	lights, _ := l.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights)
	return len(lights)
}

func (l *loader) noteLight(at int, p *property) error {
	lights, _ := l.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights)
	if lights[at] == nil {
		return fmt.Errorf("light %d does not exist", at)
	}
	s, err := sourceOf(lights[at])
	l.motion.relights = l.motion.relights || p.effect == relights
	l.motion.start.lights[at] = &s
	return err
}

func (l *loader) noteCamera(at int, _ *property) error {
	c := lensOf(l.Cameras[at])
	l.motion.start.cameras[at] = &c
	return nil
}
