package session

import (
	"slices"
	"strings"

	"glint/tracer/scene"
)

// SceneTree are the nodes of the file on the screen, to be searched, hidden and looked at. What it changes are edits.
type SceneTree struct {
	stage *Stage
	frame func(camera func(aspect float32) scene.Camera)
}

// Rows are the nodes whose names, or the names of what hangs on them, hold a text, and those above them; all where the text is empty.
func (t *SceneTree) Rows(search string) []TreeRow {
	all, err := t.stage.editable()
	if err != nil {
		return nil
	}
	search = strings.ToLower(strings.TrimSpace(search))
	holds := func(object string) bool { return strings.Contains(strings.ToLower(all.Label(object)), search) }
	rows := make([]TreeRow, len(all.Nodes))
	keep := make([]bool, len(rows))
	for i, n := range all.Nodes {
		visible := all.Visible(n.Object, t.stage.Edits)
		rows[i] = TreeRow{n, visible, visible && (n.Parent < 0 || rows[n.Parent].Seen), search == "" || holds(n.Object) || slices.ContainsFunc(n.Uses, holds)}
		if rows[i].Found {
			for at := i; at >= 0 && !keep[at]; at = rows[at].Parent {
				keep[at] = true
			}
		}
	}
	if search == "" {
		return rows
	}
	out, place := make([]TreeRow, 0, len(rows)), make([]int, len(rows))
	for i, row := range rows {
		if !keep[i] {
			continue
		}
		if row.Parent >= 0 {
			row.Parent = place[row.Parent]
		}
		place[i] = len(out)
		out = append(out, row)
	}
	return out
}

// Show shows a node or hides it.
func (t *SceneTree) Show(object string, visible bool) {
	all, err := t.stage.editable()
	if err != nil || all.Visible(object, t.stage.Edits) == visible {
		return
	}
	pointer := object + scene.VisiblePath
	if t.stage.Revert(pointer); all.Visible(object, t.stage.Edits) == visible {
		return // as the file has it
	}
	value := 0.0
	if visible {
		value = 1
	}
	t.stage.Edit(scene.Edit{Pointer: pointer, Value: []float64{value}})
}

// Solo hides all nodes but one, those above it and those below it. Called again, it shows them.
func (t *SceneTree) Solo(object string) {
	rows := t.Rows("")
	alone := slices.IndexFunc(rows, func(r TreeRow) bool { return r.Object == object })
	if alone < 0 {
		return
	}
	above := map[int]bool{-1: true}
	for at := alone; at >= 0; at = rows[at].Parent {
		above[at] = true
	}
	var beside []TreeRow
	for i, r := range rows {
		if above[r.Parent] && r.Parent != alone && !above[i] {
			beside = append(beside, r)
		}
	}
	hidden := !slices.ContainsFunc(beside, func(r TreeRow) bool { return r.Visible })
	for _, r := range beside {
		t.Show(r.Object, hidden)
	}
	for at := range above {
		if at >= 0 {
			t.Show(rows[at].Object, true)
		}
	}
}

// Frame looks at a node and all below it.
func (t *SceneTree) Frame(object string) {
	all, err := t.stage.editable()
	if err != nil {
		return
	}
	i := all.Find(object)
	switch {
	case i < 0:
	case all.Nodes[i].Box == nil:
		t.stage.messages.Say(all.Label(object) + ": nothing of it is drawn")
	default:
		t.frame(all.Nodes[i].Box.Frame)
		t.stage.messages.Say(all.Label(object))
	}
}

// do does what a command asks for of the tree.
func (t *SceneTree) do(c Command) {
	switch c := c.(type) {
	case ShowNode:
		t.Show(c.Object, c.Visible)
	case SoloNode:
		t.Solo(c.Object)
	case FrameNode:
		t.Frame(c.Object)
	}
}
