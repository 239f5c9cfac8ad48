package scene

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"glint/tracer/guard"
)

// Edit is a new value for a property of an object of the file. The property goes by its pointer in the object model of glTF, as
// KHR_animation_pointer has it: /materials/0/pbrMetallicRoughness/roughnessFactor.
type Edit struct {
	Pointer string
	Value   []float64
}

// ParseEdit reads POINTER=VALUE. A value is a number, several with commas, or true or false.
func ParseEdit(text string) (e Edit, err error) {
	pointer, value, found := strings.Cut(text, "=")
	if !found || !strings.HasPrefix(pointer, "/") {
		return e, fmt.Errorf("edit %s: want POINTER=VALUE, such as /materials/0/pbrMetallicRoughness/roughnessFactor=0.3", guard.Quoted(text))
	}
	e.Pointer = pointer
	for _, part := range strings.Split(value, ",") {
		x := 0.0
		switch part = strings.TrimSpace(part); part {
		case "true":
			x = 1
		case "false":
		default:
			if x, err = strconv.ParseFloat(part, 64); err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return e, fmt.Errorf("edit %s: %s is no number", guard.Quoted(pointer), guard.Quoted(part))
			}
		}
		e.Value = append(e.Value, x)
	}
	return e, nil
}

// String is what ParseEdit reads, to the last bit.
func (e Edit) String() string {
	var parts []string
	for _, x := range e.Value {
		parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return e.Pointer + "=" + strings.Join(parts, ",")
}

// Edits are what is changed in a file: each property once, in the order of their pointers. They are copied, never written.
type Edits []Edit

// ParseEdits reads several; of those with one pointer the last counts.
func ParseEdits(texts []string) (out Edits, err error) {
	for _, text := range texts {
		e, err := ParseEdit(text)
		if err != nil {
			return nil, err
		}
		out = out.With(e)
	}
	return out, nil
}

// Texts are what ParseEdits reads.
func (e Edits) Texts() (out []string) {
	for _, edit := range e {
		out = append(out, edit.String())
	}
	return out
}

// With are the edits and one more, which replaces that of its pointer.
func (e Edits) With(edit Edit) Edits {
	at, there := e.find(edit.Pointer)
	out := slices.Clone(e)
	if !there {
		return slices.Insert(out, at, edit)
	}
	out[at] = edit
	return out
}

// Without are the edits but that of a pointer.
func (e Edits) Without(pointer string) Edits {
	at, there := e.find(pointer)
	if !there {
		return e
	}
	return slices.Delete(slices.Clone(e), at, at+1)
}

// Of are those of one pointer: one, or none.
func (e Edits) Of(pointer string) Edits {
	at, there := e.find(pointer)
	if !there {
		return nil
	}
	return e[at : at+1]
}

// Equal tells whether both are the same.
func (e Edits) Equal(other Edits) bool {
	return slices.EqualFunc(e, other, func(a, b Edit) bool { return a.Pointer == b.Pointer && slices.Equal(a.Value, b.Value) })
}

func (e Edits) find(pointer string) (at int, there bool) {
	return slices.BinarySearchFunc(e, pointer, func(a Edit, pointer string) int { return strings.Compare(a.Pointer, pointer) })
}

// apply writes the values into the objects that are there.
func (e Edits) apply(now *moment) {
	for _, edit := range e {
		at, p := followPointer(edit.Pointer)
		if p == nil || p.width > 0 && len(edit.Value) != p.width || p.of == &animatedNode && at >= len(now.nodes.nodes) {
			continue // nobody has checked it
		}
		p.set(now, at, edit.Value)
	}
}
