package cli_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestEditsOfTheCommandLine: what can be edited is listed as it is edited; a picture with an edit is, to the bit, that of the file that was
// written with it; and what cannot be edited is refused, with where to look.
func TestEditsOfTheCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	const edit = "/materials/0/pbrMetallicRoughness/baseColorFactor=0.9,0.1,0.25,1"
	render := func(out string, args ...string) {
		t.Helper()
		if code, _, stderr := run(t, append(strings.Fields("render --spp 2 --size 40x30 --integrator path -o "+out), args...)...); code != 0 {
			t.Fatal(stderr)
		}
	}
	if code, _, stderr := run(t, "scene", "cornell", "-o", "room.glb"); code != 0 {
		t.Fatal(stderr)
	}
	code, before, stderr := run(t, "scene", "room.glb")
	if code != 0 || strings.Contains(before, edit) || !strings.Contains(before, "/nodes/0/translation=0,0,0") {
		t.Fatalf("%s\n%s", before, stderr)
	}
	if code, _, stderr := run(t, "scene", "room.glb", "--edit", edit, "-o", "red.glb"); code != 0 || !strings.Contains(stderr, "edits=1") {
		t.Fatal(stderr)
	}
	_, after, _ := run(t, "scene", "red.glb")
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	changed := 0
	for i := range was {
		if strings.Join(strings.Fields(was[i]), " ") != strings.Join(strings.Fields(is[i]), " ") {
			if changed++; !strings.HasPrefix(is[i], edit) {
				t.Errorf("%s has become %s", was[i], is[i])
			}
		}
	}
	if len(was) != len(is) || changed != 1 {
		t.Errorf("%d lines have changed", changed)
	}
	render("plain.png", "room.glb")
	render("edited.png", "room.glb", "--edit", edit)
	render("saved.png", "red.glb")
	plain, _ := pictureOf(t, "plain.png")
	edited, _ := pictureOf(t, "edited.png")
	saved, _ := pictureOf(t, "saved.png")
	if !reflect.DeepEqual(edited, saved) || reflect.DeepEqual(edited, plain) {
		t.Error("the edited picture is not that of the saved file, or that of the plain one")
	}
	for _, row := range []struct{ args, words string }{
		{"scene room.glb --edit /materials/0/doubleSided=1 -o a.glb", "glint scene FILE lists"},
		{"scene room.glb --edit " + edit, "-o FILE.glb"},
		{"scene room.glb --edit " + edit + " -o room.glb", "would be lost"},
		{"scene room.glb --triangles 5 -o a.glb", "--triangles"},
		{"scene cornell --edit " + edit + " -o a.glb", "only files can be edited"},
		{"render cornell --edit " + edit + " -o a.png", "glint scene cornell -o cornell.glb"},
		{"render room.glb --edit /materials/77/emissiveFactor=1,1,1 -o a.png", "material 77 does not exist"},
		{"render room.glb --edit /materials/0/emissiveFactor=2,1,1 -o a.png", "2: want 0 to 1"},
		{"render room.glb --edit roughness -o a.png", "want POINTER=VALUE"},
	} {
		if code, _, stderr := run(t, strings.Fields(row.args)...); code == 0 || !strings.Contains(stderr, row.words) {
			t.Errorf("%s: %s", row.args, stderr)
		}
	}
	if left, _ := filepath.Glob("a.*"); len(left) > 0 {
		t.Errorf("%v are written all the same", left)
	}
}
