package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

const materialVariants = "KHR_materials_variants"

// variants are the sets of materials that a file has.
type variants struct {
	names  []string
	chosen int    // −1 for the file's default
	word   string // by which it was chosen
}

// chooseVariant finds a variant by its name or number, empty for the default, among those that the file names.
func chooseVariant(doc *gltf.Document, word string) (variants, error) {
	v, ext := variants{chosen: -1, word: word}, struct{ Variants []struct{ Name string } }{}
	if err := decodeExtension(doc.Extensions, materialVariants, &ext); err != nil {
		return v, err
	}
	for _, row := range ext.Variants {
		v.names = append(v.names, row.Name)
	}
	if word == "" {
		return v, nil
	}
	if v.chosen = slices.Index(v.names, word); v.chosen >= 0 {
		return v, nil
	}
	if len(v.names) == 0 {
		return v, fmt.Errorf("has no variants, and %s was asked for", guard.Name(word))
	}
	if i, err := strconv.Atoi(word); err == nil && i >= 0 && i < len(v.names) {
		v.chosen = i
		return v, nil
	}
	names := make([]string, len(v.names))
	for i, name := range v.names {
		names[i] = guard.Name(name)
	}
	return v, fmt.Errorf("has no variant %s: it has %s", guard.Name(word), strings.Join(names, ", "))
}

// material is that of a primitive in the chosen variant, of so many in the file; nil is glTF's default material.
func (v variants) material(p *gltf.Primitive, count int) (*int, error) {
	if v.chosen < 0 {
		return p.Material, nil
	}
	ext := struct {
		Mappings []struct {
			Material *int
			Variants []int
		}
	}{}
	if err := decodeExtension(p.Extensions, materialVariants, &ext); err != nil {
		return nil, err
	}
	for _, row := range ext.Mappings {
		if row.Material == nil || !slices.Contains(row.Variants, v.chosen) {
			continue
		}
		if *row.Material < 0 || *row.Material >= count {
			return nil, fmt.Errorf("variant %s has material %d: the file has %d", guard.Name(v.word), *row.Material, count)
		}
		return row.Material, nil
	}
	return p.Material, nil
}
