package scene

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// writeTo puts the values of edits where their pointers lead in the JSON of a file. All else stays as it is.
func (e Edits) writeTo(root map[string]any) error {
	for _, edit := range e {
		if err := edit.writeTo(root); err != nil {
			return fmt.Errorf("edit %s: %w", guard.Quoted(edit.Pointer), err)
		}
	}
	return nil
}

func (e Edit) writeTo(root map[string]any) error {
	at, p := followPointer(e.Pointer)
	if p == nil {
		return errors.New("it leads to nothing that can be edited")
	}
	object, err := objectAt(root, p.of.prefix+strconv.Itoa(at))
	if err != nil {
		return err
	}
	if p.of == &animatedNode && (p.effect == Moves || p.effect == Turns) {
		if err := replaceMatrix(object); err != nil {
			return err
		}
	}
	names := strings.Split(p.path, "/")
	last := len(names) - 1
	for i, name := range names[:last] {
		next, there := object[name].(map[string]any)
		if !there {
			next = map[string]any{}
			object[name] = next
		}
		if name == "extensions" {
			useExtension(root, names[i+1])
		}
		object = next
	}
	switch {
	case p.effect == Blinks:
		object[names[last]] = e.Value[0] != 0
	case p.width == 1:
		object[names[last]] = e.Value[0]
	default:
		object[names[last]] = e.Value
	}
	if p.row != nil {
		for i := range p.row.properties { // what would overrule it
			if draft := &p.row.properties[i]; draft.draft && draft.name == names[last]+"Factor" {
				delete(object, draft.name)
			}
		}
	}
	return nil
}

// objectAt is the object that a pointer leads to.
func objectAt(root map[string]any, pointer string) (map[string]any, error) {
	var at any = root
	for name := range strings.SplitSeq(pointer[1:], "/") {
		switch of := at.(type) {
		case map[string]any:
			at = of[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(of) {
				return nil, fmt.Errorf("%s does not exist", pointer)
			}
			at = of[i]
		default:
			return nil, fmt.Errorf("%s does not exist", pointer)
		}
	}
	object, ok := at.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s does not exist", pointer)
	}
	return object, nil
}

// replaceMatrix gives a node translation, rotation and scale in the place of its matrix: glTF lets it have one of both.
func replaceMatrix(node map[string]any) error {
	numbers, there := node["matrix"].([]any)
	if !there {
		return nil
	}
	n := gltf.Node{Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
	for i, v := range numbers {
		x, _, ok := asNumber(v)
		if !ok || len(numbers) != len(n.Matrix) {
			return errors.New("the node's matrix cannot be read")
		}
		n.Matrix[i] = x
	}
	if withoutMatrix(&n); n.Matrix != gltf.DefaultMatrix {
		return errors.New("the node's matrix is no translation, rotation and scale")
	}
	delete(node, "matrix")
	node["translation"], node["rotation"], node["scale"] = n.Translation, n.Rotation, n.Scale
	return nil
}

// useExtension says that the file uses an extension.
func useExtension(root map[string]any, name string) {
	used, _ := root["extensionsUsed"].([]any)
	if !slices.Contains(used, any(name)) {
		root["extensionsUsed"] = append(used, name)
	}
}

// alignedTo is n, rounded up to a multiple.
func alignedTo(n, multiple int64) int64 { return (n + multiple - 1) / multiple * multiple }

// mostGLB is what the header of a .glb can count, bytes.
const mostGLB = math.MaxUint32
