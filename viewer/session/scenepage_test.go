package session

import (
	"strings"
	"testing"

	"glint/tracer/scene"
)

// TestScenePage: a click on the image selects what is seen, its properties are changed and given back, and lists hold what is searched.
func TestScenePage(t *testing.T) {
	s := opened(t, shelfFile(t), headless(48, 32), nil)
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples > 0 })
	page := s.ScenePage
	var found []string
	for y := range 32 {
		for x := range 48 {
			if page.SelectAt(float64(x), float64(y)); page.selected != "" && !strings.Contains(strings.Join(found, " "), page.selected) {
				found = append(found, page.selected)
			}
		}
	}
	if len(found) != 2 || page.Model().Why != "" {
		t.Fatalf("clicks select %v, want both materials", found)
	}
	s.Do(SelectObject{Object: "/materials/1"})
	m := page.Model()
	row := func(name string) (out PropertyRow) {
		for _, p := range page.Model().Properties {
			if p.Name == name {
				out = p
			}
		}
		return out
	}
	if m.Label != `material 1 "china"` || !row("base color").Color || row("roughness").More || !row("clearcoat").More {
		t.Errorf("selected is %s, %+v", m.Label, m.Properties)
	}
	s.Do(EditScene{Edit: scene.Edit{Pointer: row("clearcoat").Pointer, Value: []float64{0.5}}})
	if p := row("clearcoat"); !p.Edited || p.More || p.Value[0] != 0.5 || page.Model().Edits != 1 {
		t.Errorf("edited it is %+v", p)
	}
	s.Do(RevertEdit{Pointer: row("clearcoat").Pointer})
	if p := row("clearcoat"); p.Edited || p.Value[0] != 0 {
		t.Errorf("given back it is %+v", p)
	}
	s.Do(SelectObject{Object: "/nodes/1"})
	s.Do(SearchScene{Text: "china"})
	m = page.Model()
	if len(m.Objects) != 1 || !m.Objects[0].Used || len(m.Nodes) != 3 {
		t.Errorf("found are %+v and %+v", m.Objects, m.Nodes)
	}
	if nameOf("pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset") != "base color texture offset" {
		t.Error(nameOf("pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"))
	}
}
