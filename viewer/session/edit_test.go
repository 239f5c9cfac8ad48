package session

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"glint/tracer/document"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// edit makes an edit as the command line writes it.
func (s *Session) edit(t *testing.T, text string) {
	t.Helper()
	e, err := scene.ParseEdit(text)
	if err != nil {
		t.Fatal(err)
	}
	s.Do(EditScene{Edit: e})
}

// settled waits until a session shows its edits.
func settled(t *testing.T, s *Session) {
	t.Helper()
	until(t, s, "the edits", func() bool { return s.Loader.Loading == nil && s.Stage.readForEdits() })
}

// seen is the image after so many samples.
func seen(t *testing.T, s *Session, samples int) []byte {
	t.Helper()
	s.Sides.RestartSides()
	frames := 0
	until(t, s, "the image", func() bool {
		if frames++; frames < 3 { // what was shown before
			return false
		}
		if s.Sides.Active.Stats.Shown > samples { // a frame may have made several
			s.Sides.RestartSides()
		}
		return s.Sides.Active.Stats.Shown == samples
	})
	return slices.Clone(s.Sides.Active.Picture.(*memory).pixels)
}

// TestEdits: an edit is seen, the next one of its kind without reading the scene again, and without edits everything is as it was.
func TestEdits(t *testing.T) {
	s := opened(t, roomFile(t, "room.glb"), headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	before := seen(t, s, 2)
	for _, object := range []string{"/materials/0", "/nodes/0"} {
		if rows := s.Stage.Shown.Scene.Editable.Properties(object, nil); len(rows) < 4 {
			t.Fatalf("%s has only %v", object, rows)
		}
	}
	for _, texts := range [][2]string{
		{"/materials/0/pbrMetallicRoughness/baseColorFactor=1,0,0,1", "/materials/1/pbrMetallicRoughness/baseColorFactor=0,1,0,1"},
		{"/materials/0/emissiveFactor=0,0,1", "/materials/0/emissiveFactor=1,0,0"},
		{"/materials/0/extensions/KHR_materials_transmission/transmissionFactor=1", "/materials/0/extensions/KHR_materials_transmission/transmissionFactor=0.5"},
		{"/nodes/0/translation=0.1,0.2,0", "/nodes/0/scale=0.5,0.5,0.5"},
		{"/nodes/0/extensions/KHR_node_visibility/visible=false", "/nodes/0/extensions/KHR_node_visibility/visible=true"},
	} {
		s.edit(t, texts[0])
		if s.Stage.readForEdits() {
			t.Errorf("%s: nothing is read again", texts[0])
		}
		settled(t, s)
		first := seen(t, s, 2)
		shown := s.Stage.Shown
		s.edit(t, texts[1])
		second := seen(t, s, 2)
		if s.Stage.Shown != shown || s.Loader.Loading != nil {
			t.Errorf("%s: the scene is read again", texts[1])
		}
		if bytes.Equal(first, before) || bytes.Equal(first, second) {
			t.Errorf("%s, then %s: is it seen? %t %t", texts[0], texts[1], !bytes.Equal(first, before), !bytes.Equal(first, second))
		}
		for _, e := range s.Stage.Edits {
			s.Do(RevertEdit{Pointer: e.Pointer})
		}
		settled(t, s)
		if !bytes.Equal(seen(t, s, 2), before) {
			t.Errorf("%s: the scene is not as it was", texts[0])
		}
	}
	s.edit(t, "/materials/99/emissiveFactor=1,1,1")
	if said := fmt.Sprint(s.Messages); len(s.Stage.Edits) > 0 || !strings.Contains(said, "material 99 does not exist") {
		t.Errorf("it says %s", said)
	}
	built := opened(t, "cornell", headless(48, 32), nil)
	built.edit(t, "/materials/0/emissiveFactor=1,1,1")
	if said := fmt.Sprint(built.Messages); len(built.Stage.Edits) > 0 || !strings.Contains(said, "glint scene NAME") {
		t.Errorf("it says %s", said)
	}
}

// TestEditsOfDocuments: pictures and copied lines carry the edits.
func TestEditsOfDocuments(t *testing.T) {
	t.Chdir(t.TempDir())
	s := opened(t, roomFile(t, "room.glb"), headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	text := s.Documents.Text()
	s.edit(t, "/materials/0/pbrMetallicRoughness/baseColorFactor=1,0,0.3333333333333333,1")
	s.edit(t, "/nodes/0/translation=0.1,0.2,0.1")
	settled(t, s)
	want := seen(t, s, 2)
	picture, edits, edited := shot(t, s, 2), s.Stage.Edits, s.Documents.Text()

	again := opened(t, "cornell", headless(48, 32), func(s *settings.Settings) { s.Bounces = 1 })
	again.Documents.Drop([]string{picture}, false)
	until(t, again, "the picture", func() bool { return again.Loader.Loading == nil && len(again.Loader.Pending) == 0 })
	if !again.Stage.Edits.Equal(edits) || !bytes.Equal(seen(t, again, 2), want) {
		t.Errorf("restored with %v, want %v", again.Stage.Edits, edits)
	}
	again.Documents.Paste(text)
	if len(again.Stage.Edits) > 0 {
		t.Errorf("pasted without edits: %v", again.Stage.Edits)
	}
	again.Documents.Paste(edited)
	settled(t, again)
	if !again.Stage.Edits.Equal(edits) || !bytes.Equal(seen(t, again, 2), want) {
		t.Errorf("pasted %s: %v", edited, again.Stage.Edits)
	}
	said, err := document.Read(picture, s.Sides.Table)
	if err != nil || !said.Edits.Equal(edits) {
		t.Errorf("%+v, %v", said, err)
	}
}

// TestSaveScene: the scene is saved next to its file, under a name that is free, and looks as it did when it is opened.
func TestSaveScene(t *testing.T) {
	path := roomFile(t, "room.glb")
	s := opened(t, path, headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	s.edit(t, "/materials/0/pbrMetallicRoughness/baseColorFactor=1,0,0,1")
	settled(t, s)
	want := seen(t, s, 2)
	said := func(words string) func() bool {
		return func() bool { return strings.Contains(fmt.Sprint(s.Messages), words) }
	}
	s.Do(SaveScene{})
	until(t, s, "the message", said("room-edited.glb with 1 edit"))
	s.Do(SaveScene{})
	until(t, s, "the message", said("room-edited-2.glb"))

	again := opened(t, filepath.Join(filepath.Dir(path), "room-edited.glb"), headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
	if !bytes.Equal(seen(t, again, 2), want) || len(again.Stage.Edits) > 0 {
		t.Error("it looks otherwise")
	}
	built := opened(t, "cornell", headless(48, 32), nil)
	built.Do(SaveScene{})
	if said := fmt.Sprint(built.Messages); !strings.Contains(said, "glint scene NAME") {
		t.Errorf("it says %s", said)
	}
}
