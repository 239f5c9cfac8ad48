package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"glint/tracer"
	"glint/tracer/guard"
	"glint/tracer/replay"
	"glint/tracer/scene"
)

// ScenePage is where the user searches the file on the screen, and changes what is in it.
type ScenePage struct {
	frames   *Frames
	stage    *Stage
	tree     *SceneTree
	pixel    func(x, y float64) (px, py int) // of a point of the window: Window.pixelAt
	canWrite func(of *ShownScene) bool
	search   string
	selected string // pointer of an object; empty: none

	of      *scene.Editable
	objects []string // of it
}

// Model is what the page shows.
func (p *ScenePage) Model() *ScenePageModel {
	all, err := p.stage.editable()
	if err != nil {
		if p.stage.Shown != nil && p.canWrite(p.stage.Shown) {
			return &ScenePageModel{Why: "This scene is built in, and only files can be edited.", CanWrite: true}
		}
		return &ScenePageModel{Why: err.Error()}
	}
	if p.of != all {
		p.of, p.objects = all, slices.DeleteFunc(all.Objects(), func(object string) bool { return strings.HasPrefix(object, "/nodes/") })
		if p.selected != "" && len(all.Properties(p.selected, nil)) == 0 {
			p.selected = ""
		}
	}
	m := &ScenePageModel{Search: p.search, Selected: p.selected, Nodes: p.tree.Rows(p.search), Edits: len(p.stage.Edits)}
	if n := len(p.stage.Shown.With); n > 0 {
		m.Merged = fmt.Sprintf("Only %s is edited here, and not the %s merged into it.", guard.Name(filepath.Base(p.stage.Shown.Path)), strings.TrimPrefix(Count(n, "file"), "1 "))
	}
	var uses []string
	for _, n := range m.Nodes {
		if n.Object == p.selected {
			uses = n.Uses
		}
	}
	search := strings.ToLower(strings.TrimSpace(p.search))
	for _, object := range p.objects {
		if label := all.Label(object); strings.Contains(strings.ToLower(label), search) {
			m.Objects = append(m.Objects, ObjectRow{object, label, p.edited(object + "/"), slices.Contains(uses, object)})
		}
	}
	if p.selected == "" {
		return m
	}
	m.Label = all.Label(p.selected)
	for _, row := range all.Properties(p.selected, p.stage.Edits) {
		path, edited := row.Pointer[len(p.selected)+1:], p.edited(row.Pointer)
		more := strings.HasPrefix(path, "extensions/KHR_materials_") && !edited
		m.Properties = append(m.Properties, PropertyRow{row, nameOf(path), isColor(&row), edited, more})
	}
	return m
}

// outlined is what is outlined in the image: what is selected, while the page is shown.
func (p *ScenePage) outlined(shown bool) string {
	if !shown {
		return ""
	}
	return p.selected
}

// edited tells whether there is an edit whose pointer begins so.
func (p *ScenePage) edited(pointer string) bool {
	return slices.ContainsFunc(p.stage.Edits, func(e scene.Edit) bool { return strings.HasPrefix(e.Pointer, pointer) })
}

// nameOf is what a property is called, given its path in the object: pbrMetallicRoughness/roughnessFactor is roughness.
func nameOf(path string) string {
	parts := strings.Split(path, "/")
	name := words(strings.TrimSuffix(parts[len(parts)-1], "Factor"))
	for _, part := range parts[:len(parts)-1] {
		if strings.HasSuffix(part, "Texture") {
			name = words(part) + " " + name
		}
	}
	return name
}

// words writes camelCase in words.
func words(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// isColor tells whether a property is one.
func isColor(p *scene.Property) bool {
	name := strings.ToLower(p.Pointer[strings.LastIndexByte(p.Pointer, '/')+1:])
	return (len(p.Value) == 3 || len(p.Value) == 4) && (strings.Contains(name, "color") || strings.Contains(name, "emissive"))
}

// SelectAt selects the material that is seen at a point of the window, screen coordinates.
func (p *ScenePage) SelectAt(x, y float64) {
	side := p.frames.Active
	all, err := p.stage.editable()
	if err != nil || side.Device == nil {
		return
	}
	px, py := p.pixel(x, y)
	paths, err := side.Device.Replay(side.View, side.Used, []tracer.PixelSample{{X: px, Y: py}}, 1)
	p.selected = ""
	if err != nil || len(paths) == 0 || len(paths[0].Vertices) == 0 {
		return
	}
	seen := &paths[0].Vertices[0]
	if replay.Left(seen) || replay.InMedium(seen) {
		return
	}
	if p.selected = all.Material(int(seen.Material)); p.selected == "" {
		p.frames.Messages.Say("this is not of the file")
	}
}

// do does what a command asks of the page.
func (p *ScenePage) do(c Command) {
	switch c := c.(type) {
	case SelectObject:
		p.selected = c.Object
	case SearchScene:
		p.search = c.Text
	}
}
