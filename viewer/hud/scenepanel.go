package hud

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/scene"
	"glint/viewer/session"
)

const (
	treeIndent  = 14  // of a level, at a content scale of 1
	mostRows    = 400 // of a list: who has more searches
	finest      = 0.005
	relative    = 0.01
	bounded     = 1e4 // a longer range has no slider
	revertWidth = 26
)

// drawScenePage shows what is in the file, and lets the user change it.
func drawScenePage(d *drawing, m *session.ScenePageModel) {
	d.scrolling("##scene", d.At.Page, func() {
		d.pageTitle("Scene", "scene")
		if m.Why != "" {
			imgui.PushTextWrapPos()
			imgui.TextUnformatted(m.Why)
			imgui.PopTextWrapPos()
			if m.CanWrite {
				d.buttonRow([]button{{
					name: "write it to a file, and open that", help: "Write the scene as a .glb in the working directory, and show it from here with the settings as they are.", do: session.WriteScene{},
				}})
			}
			return
		}
		d.buttonRow([]button{
			{name: "undo", help: d.keyed("Take the last change back%s.", "undo"), do: session.Undo{}},
			{name: "redo", help: d.keyed("Make it again%s.", "redo"), do: session.Redo{}},
			{name: "save as .glb", help: d.keyed("Write the file with its edits next to it%s.", "save-scene"), do: session.SaveScene{}},
		})
		if m.Merged != "" {
			imgui.PushTextWrapPos()
			d.faint(m.Merged)
			imgui.PopTextWrapPos()
		}
		drawSelected(d, m)
		imgui.SetNextItemWidth(-1)
		search := m.Search
		if imgui.InputTextWithHint("##find", "search the scene", &search, 0, nil) || search != m.Search {
			d.act(session.SearchScene{Text: search})
		}
		drawObjects(d, m)
		drawNodes(d, m)
	})
}

// drawOutline draws around what is selected. The image's first row is the texture's last.
func drawOutline(m *session.ScenePageModel) {
	if m.Outline == 0 {
		return
	}
	texture := imgui.NewTextureRefTextureID(imgui.TextureID(m.Outline))
	defer texture.Destroy()
	imgui.BackgroundDrawList().AddImageV(*texture, imgui.Vec2{}, imgui.MainViewport().Size(), imgui.NewVec2(0, 1), imgui.NewVec2(1, 0), imgui.ColorU32Vec4(Colors().brighterA))
}

// drawSelected shows the properties of the object that is selected.
func drawSelected(d *drawing, m *session.ScenePageModel) {
	if m.Selected == "" {
		d.faint("click a thing in the image, or a name below")
		return
	}
	imgui.TextColored(Colors().Accent, m.Label)
	drawProperties(d, m, false)
	if slices.ContainsFunc(m.Properties, func(p session.PropertyRow) bool { return p.More }) &&
		imgui.CollapsingHeaderTreeNodeFlagsV("more", 0) {
		drawProperties(d, m, true)
	}
	imgui.Spacing()
}

// drawProperties shows those that many materials have, or the others.
func drawProperties(d *drawing, m *session.ScenePageModel, more bool) {
	if !d.beginPairs(fmt.Sprint("properties", more)) {
		return
	}
	for i := range m.Properties {
		if p := &m.Properties[i]; p.More == more {
			d.pair(p.Name, func() { drawProperty(d, p) })
		}
	}
	imgui.EndTable()
}

// drawProperty edits a property.
func drawProperty(d *drawing, p *session.PropertyRow) {
	width := imgui.ContentRegionAvail().X
	if p.Edited {
		width -= revertWidth * d.Scale
	}
	value := slices.Clone(p.Value)
	var changed bool
	switch {
	case p.Effect == scene.Blinks:
		on := value[0] != 0
		changed = imgui.Checkbox("##"+p.Pointer, &on)
		value[0] = map[bool]float64{true: 1}[on]
	case p.Color:
		changed = editColor(p, value, width)
	default:
		changed = editNumbers(p, value, width)
	}
	if changed {
		d.act(session.EditScene{Edit: scene.Edit{Pointer: p.Pointer, Value: value}})
	}
	d.tip(p.Pointer + "\n" + p.Limits())
	if p.Edited {
		imgui.SameLineV(0, 2)
		if imgui.ButtonV("←##"+p.Pointer, imgui.NewVec2((revertWidth-2)*d.Scale, 0)) {
			d.act(session.RevertEdit{Pointer: p.Pointer})
		}
		d.tip("As the file has it.")
	}
}

// editColor edits three or four numbers as a colour, linear and without an end.
func editColor(p *session.PropertyRow, value []float64, width float32) bool {
	const flags = imgui.ColorEditFlagsFloat | imgui.ColorEditFlagsHDR | imgui.ColorEditFlagsNoInputs
	imgui.SetNextItemWidth(width)
	c := [4]float32{3: 1}
	for k := range value {
		c[k] = float32(value[k])
	}
	var changed bool
	if len(value) == 3 {
		rgb := [3]float32(c[:3])
		changed = imgui.ColorEdit3V("##"+p.Pointer, &rgb, flags)
		copy(c[:], rgb[:])
	} else {
		changed = imgui.ColorEdit4V("##"+p.Pointer, &c, flags|imgui.ColorEditFlagsAlphaPreviewHalf)
	}
	for k := range value {
		if changed {
			value[k] = min(max(float64(c[k]), p.Least), p.Most)
		}
	}
	return changed
}

// editNumbers edits each number by itself.
func editNumbers(p *session.PropertyRow, value []float64, width float32) (changed bool) {
	gap := imgui.CurrentStyle().ItemInnerSpacing().X
	each := (width - gap*float32(len(value)-1)) / float32(max(len(value), 1))
	for k := range value {
		if k > 0 {
			imgui.SameLineV(0, gap)
		}
		imgui.SetNextItemWidth(each)
		x, id := float32(value[k]), fmt.Sprintf("##%s%d", p.Pointer, k)
		least, most := float32(max(p.Least, -math.MaxFloat32)), float32(min(p.Most, math.MaxFloat32))
		var edited bool
		if p.Most-p.Least < bounded {
			edited = imgui.SliderFloatV(id, &x, least, most, "%.3g", imgui.SliderFlagsAlwaysClamp)
		} else {
			speed := float32(max(math.Abs(value[k])*relative, finest))
			edited = imgui.DragFloatV(id, &x, speed, least, most, "%.4g", imgui.SliderFlagsAlwaysClamp)
		}
		if edited {
			value[k], changed = float64(x), true
		}
	}
	return changed
}

// drawObjects lists materials, lights and cameras.
func drawObjects(d *drawing, m *session.ScenePageModel) {
	kind := ""
	for i, row := range m.Objects {
		if of := kindOf(row.Object); of != kind {
			kind = of
			imgui.Spacing()
			imgui.TextColored(Colors().Accent, kind)
		}
		if i == mostRows {
			d.faint("… search for more")
			return
		}
		name := row.Label
		if row.Edited {
			name += " *"
		}
		if row.Used {
			imgui.PushStyleColorVec4(imgui.ColText, Colors().Accent)
		}
		if imgui.SelectableBoolV(name+"###"+row.Object, row.Object == m.Selected, 0, imgui.Vec2{}) {
			d.act(session.SelectObject{Object: row.Object})
		}
		if row.Used {
			imgui.PopStyleColor()
		}
	}
}

// kindOf is the heading that an object stands under.
func kindOf(object string) string {
	switch {
	case strings.HasPrefix(object, "/materials/"):
		return "Materials"
	case strings.HasPrefix(object, "/cameras/"):
		return "Cameras"
	}
	return "Lights"
}

// drawNodes is the tree. A click selects a node, a second one looks at it.
func drawNodes(d *drawing, m *session.ScenePageModel) {
	if len(m.Nodes) == 0 {
		return
	}
	imgui.Spacing()
	imgui.TextColored(Colors().Accent, "Nodes")
	d.tip("The box shows and hides. A double click looks there; with Ctrl all others are hidden.")
	for i, row := range m.Nodes {
		if i == mostRows {
			d.faint("… search for more")
			return
		}
		imgui.SetCursorPosX(imgui.CursorPosX() + float32(row.Depth)*treeIndent*d.Scale)
		visible := row.Visible
		if imgui.Checkbox("##show"+row.Object, &visible) {
			d.act(session.ShowNode{Object: row.Object, Visible: visible})
		}
		imgui.SameLineV(0, 4*d.Scale)
		ink := Colors().ink
		if !row.Seen || !row.Found {
			ink = Colors().faint
		}
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		clicked := imgui.SelectableBoolV(row.Label+"###"+row.Object, row.Object == m.Selected, imgui.SelectableFlagsAllowDoubleClick, imgui.Vec2{})
		imgui.PopStyleColor()
		switch {
		case clicked && imgui.CurrentIO().KeyCtrl():
			d.act(session.SoloNode{Object: row.Object})
		case clicked && imgui.IsMouseDoubleClicked(imgui.MouseButtonLeft):
			d.act(session.FrameNode{Object: row.Object})
		case clicked:
			d.act(session.SelectObject{Object: row.Object})
		}
	}
}
