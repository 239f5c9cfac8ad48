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

// chooseVariant finds the variant that was asked for among those that the file names (KHR_materials_variants), and lists them.
func (l *loader) chooseVariant() error {
	v := struct{ Variants []struct{ Name string } }{}
	if err := decodeExtension(l.Extensions, materialVariants, &v); err != nil {
		return err
	}
	for _, row := range v.Variants {
		l.out.Report.Variants = append(l.out.Report.Variants, row.Name)
	}
	l.variant = -1
	if l.opts.Variant == "" {
		return nil
	}
	if l.variant = slices.Index(l.out.Report.Variants, l.opts.Variant); l.variant >= 0 {
		return nil
	}
	if len(v.Variants) == 0 {
		return fmt.Errorf("has no variants, and %s was asked for", guard.Name(l.opts.Variant))
	}
	names := make([]string, len(v.Variants))
	for i, row := range v.Variants {
		names[i] = guard.Name(row.Name)
	}
	if i, err := strconv.Atoi(l.opts.Variant); err == nil && i >= 0 && i < len(names) {
		l.variant = i
		return nil
	}
	return fmt.Errorf("has no variant %s: it has %s", guard.Name(l.opts.Variant), strings.Join(names, ", "))
}

// materialOf is the material that a primitive has in the variant that is drawn; nil is glTF's default material.
func (l *loader) materialOf(p *gltf.Primitive) (*int, error) {
	if l.variant < 0 {
		return p.Material, nil
	}
	v := struct {
		Mappings []struct {
			Material *int
			Variants []int
		}
	}{}
	if err := decodeExtension(p.Extensions, materialVariants, &v); err != nil {
		return nil, err
	}
	for _, row := range v.Mappings {
		if row.Material == nil || !slices.Contains(row.Variants, l.variant) {
			continue
		}
		if *row.Material < 0 || *row.Material >= len(l.Materials) {
			return nil, fmt.Errorf("variant %s has material %d: the file has %d", guard.Name(l.opts.Variant), *row.Material, len(l.Materials))
		}
		return row.Material, nil
	}
	return p.Material, nil
}
