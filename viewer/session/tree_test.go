package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glint/tracer/scene"
)

// shelfFile is a scene of a shelf with two cups, each with a handle; one cup is hidden. All are triangles.
func shelfFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shelf.gltf")
	text := `{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
		"nodes": [{"name": "shelf", "children": [1, 2], "mesh": 0}, {"name": "cup", "mesh": 1, "children": [3], "translation": [5, 0, 0]},
			{"name": "other cup", "mesh": 1, "extensions": {"KHR_node_visibility": {"visible": false}}}, {"name": "handle", "mesh": 0, "translation": [0, 3, 0]}],
		"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}, {"primitives": [{"attributes": {"POSITION": 0}, "material": 1}]}],
		"materials": [{"name": "oak"}, {"name": "china"}], "extensionsUsed": ["KHR_node_visibility"],
		"accessors": [{"componentType": 5126, "type": "VEC3", "count": 3, "bufferView": 0, "min": [0, 0, 0], "max": [1, 1, 0]}],
		"bufferViews": [{"buffer": 0, "byteLength": 36}],
		"buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSceneTree: nodes are found by their names and by those of their materials, hidden, shown alone, and looked at; all of it can be undone.
func TestSceneTree(t *testing.T) {
	s := opened(t, shelfFile(t), headless(48, 32), nil)
	rows := func(search string) string {
		out := ""
		for _, r := range s.Tree.Rows(search) {
			out += fmt.Sprintf("%s%s%s ", strings.Repeat(">", r.Depth), r.Label[len("node 0 "):], map[bool]string{true: "", false: "-"}[r.Seen])
		}
		return strings.TrimSpace(out)
	}
	expect := func(search, want string) {
		t.Helper()
		if got := rows(search); got != strings.ReplaceAll(want, "'", `"`) {
			t.Errorf("%q: %s, want %s", search, got, want)
		}
	}
	expect("", "'shelf' >'cup' >>'handle' >'other cup'-")
	expect(" HAND", "'shelf' >'cup' >>'handle'")
	expect("china", "'shelf' >'cup' >'other cup'-")
	expect("lamp", "")
	if found := s.Tree.Rows("other"); len(found) != 2 || found[0].Found || !found[1].Found || found[1].Parent != 0 {
		t.Errorf("found %+v", found)
	}
	s.Do(ShowNode{"/nodes/1", false})
	expect("", "'shelf' >'cup'- >>'handle'- >'other cup'-")
	s.Do(ShowNode{"/nodes/1", true})
	s.Do(ShowNode{"/nodes/2", true})
	if expect("", "'shelf' >'cup' >>'handle' >'other cup'"); len(s.Stage.Edits) != 1 {
		t.Errorf("edits %v, want one: the cup is as it was", s.Stage.Edits)
	}
	settled(t, s)
	if hidden := s.Stage.Shown.Scene.Motion.Pose(-1, 0, s.Stage.Edits...).Hidden; len(hidden) != 1 || hidden[0] {
		t.Errorf("the other cup is not drawn: %v", hidden)
	}
	s.Do(SoloNode{"/nodes/3"})
	expect("", "'shelf' >'cup' >>'handle' >'other cup'-")
	s.Do(SoloNode{"/nodes/2"})
	expect("", "'shelf' >'cup'- >>'handle'- >'other cup'")
	s.Do(SoloNode{"/nodes/2"})
	expect("", "'shelf' >'cup' >>'handle' >'other cup'")

	eye := s.Stage.Camera.Camera
	s.Do(FrameNode{"/nodes/3"})
	if at := s.Stage.Camera.Camera.Target; at[0] < 5 || at[0] > 6 || at[1] < 3 || at[1] > 4 || s.Stage.Camera.Camera == eye {
		t.Errorf("it looks at %v", at)
	}
	for range 20 {
		s.Do(Undo{})
	}
	if expect("", "'shelf' >'cup' >>'handle' >'other cup'-"); s.Stage.Camera.Camera != eye || !s.Stage.Edits.Equal(scene.Edits{}) {
		t.Errorf("undone: %v %v", s.Stage.Camera.Camera, s.Stage.Edits)
	}
	if built := opened(t, "cornell", headless(48, 32), nil); built.Tree.Rows("") != nil {
		t.Error("a built-in scene has a tree")
	}
}
