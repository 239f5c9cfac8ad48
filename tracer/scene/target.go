package scene

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

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
	at, p = followPointer(pointed.Pointer)
	if p == nil {
		return 0, nil, fmt.Errorf("pointer %s leads to what glint does not animate", guard.Quoted(pointed.Pointer))
	}
	return checkTarget(doc, at, p)
}

// followPointer is the property that a pointer leads to, and the number of its object; nil for none.
func followPointer(pointer string) (at int, p *property) {
	for _, kind := range []*animated{&animatedNode, &animatedMaterial, &animatedLight, &animatedCamera} {
		rest, ok := strings.CutPrefix(pointer, kind.prefix)
		if !ok {
			continue
		}
		number, path, _ := strings.Cut(rest, "/")
		if at, err := strconv.Atoi(number); err == nil && strconv.Itoa(at) == number {
			return at, findProperty(kind, path)
		}
	}
	return 0, nil
}

// findProperty is nil where there is none.
func findProperty(of *animated, path string) *property { return propertiesByPath[of.prefix+path] }

// propertiesByPath has them by pointers without the number of the object.
var propertiesByPath = sortProperties()

func sortProperties() map[string]*property {
	out := map[string]*property{}
	for i := range properties {
		out[properties[i].of.prefix+properties[i].path] = &properties[i]
	}
	return out
}

// checkTarget checks that the object is there whose property is meant.
func checkTarget(doc *document, at int, p *property) (int, *property, error) {
	switch {
	case p == nil:
		return 0, nil, errors.New("its path is unknown")
	case at < 0 || at >= p.of.count(doc):
		return 0, nil, fmt.Errorf("%s %d does not exist", p.of.name, at)
	}
	return at, p, nil
}
