package scene

import (
	"strings"
	"testing"
)

// A primitive has the material of the variant that was asked for, and its own where the variant names none.
func TestVariantsChooseMaterials(t *testing.T) {
	b := newBuilder()
	b.mesh(b.triangle(jsonObject{"name": "day"}))
	b.add("materials", jsonObject{"name": "night"})
	b.doc["extensions"] = jsonObject{materialVariants: jsonObject{"variants": []any{jsonObject{"name": "noon"}, jsonObject{"name": "midnight"}}}}
	primitive := b.doc["meshes"].([]any)[0].(jsonObject)["primitives"].([]any)[0].(jsonObject)
	primitive["extensions"] = jsonObject{materialVariants: jsonObject{"mappings": []any{jsonObject{"material": 1, "variants": []any{1}}}}}
	for variant, want := range map[string]string{"": "day", "noon": "day", "midnight": "night", "0": "day", "1": "night"} {
		s := b.loadBy(t, Options{Scene: -1, Variant: variant})
		if got := s.Materials[s.Faces[0].Material].Name; got != want {
			t.Errorf("variant %q: material %q, want %q", variant, got, want)
		}
		if got := strings.Join(s.Report.Variants, ", "); got != "noon, midnight" {
			t.Errorf("variants %q", got)
		}
	}
}
