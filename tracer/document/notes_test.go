package document_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/document"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// camera is one whose numbers have all their digits.
var camera = scene.Camera{Eye: mgl64.Vec3{1. / 3, 2, 1e7 + 1./7}, Target: mgl64.Vec3{0, 0.1, 1e7}, Up: mgl32.Vec3{0.1, 0.9, 0}, VFov: 39.6}

// documents are some of all kinds.
func documents() []document.Document {
	at, other := 1.25, settings.Defaults()
	other.Integrator = "path"
	set := settings.Defaults()
	set.Integrator, set.Aperture, set.Exposure, set.Roulette = "restir", 0.1, -1./3, false
	parallel := camera
	parallel.VFov, parallel.Orthographic = 0, 1.7
	return []document.Document{
		{Subject: document.Subject{Scene: "chess", Camera: camera}, Settings: settings.Defaults(), Samples: 42, Width: 64, Height: 48},
		{Subject: document.Subject{Scene: "a.glb", File: "/x/it's a.glb", FileHash: "ab", Merged: []string{"/x/b.glb", "/x/c.glb"}, Environment: "/y/sky.hdr",
			Variant: "dark red", At: &at, Clip: "walk", Camera: parallel,
			Edits: scene.Edits{{Pointer: "/lights", Value: []float64{1. / 3, 2}}, {Pointer: "/nodes/0/scale", Value: []float64{1, 2, 3}}}}, Settings: set, Samples: 7, Frame: 3, Width: 640, Height: 400, Other: &other, Compared: "A | B"},
	}
}

// TestNotes: a picture says everything that it was made of, and nothing that it was not.
func TestNotes(t *testing.T) {
	for i, want := range []string{
		"Software camera samples scene settings size",
		"Software at camera clip compare edits environment file file hash frame merged samples scene settings settings B size variant",
	} {
		d := documents()[i]
		notes, err := d.Notes()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(notes)), " "); got != want {
			t.Errorf("keys %s, want %s", got, want)
		}
		back, err := document.ReadNotes(notes, tracer.SettingsTable())
		if err != nil || !reflect.DeepEqual(back, d) {
			t.Errorf("read back: %+v, %v; want %+v", back, err, d)
		}
	}
}

// TestNotesOfOthers: what is missing or impossible in a file from somewhere is an error that says so.
func TestNotesOfOthers(t *testing.T) {
	for change, want := range map[[2]string]string{
		{"camera", ""}:                         "does not say how it was made",
		{"camera", "{"}:                        "camera",
		{"camera", `{"Eye":[1,2,3]}`}:          "field of view",
		{"settings", `{"Bounces":100000}`}:     "--bounces",
		{"settings", `{"Integrator":"magic"}`}: "--integrator",
		{"samples", "-1"}:                      "samples",
		{"size", "999999x2"}:                   "size",
		{"size", "large"}:                      "size",
		{"at", "NaN"}:                          "at",
		{"edits", "/a"}:                        "edits",
	} {
		notes, err := documents()[0].Notes()
		if err != nil {
			t.Fatal(err)
		}
		notes[change[0]] = change[1]
		if _, err := document.ReadNotes(notes, tracer.SettingsTable()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want an error with %q", change, err, want)
		}
	}
}

// TestText: a copied line means the same picture, to the last bit.
func TestText(t *testing.T) {
	table := tracer.SettingsTable()
	for _, d := range documents() {
		d.Samples, d.Frame, d.Width, d.Height, d.FileHash, d.Merged, d.Other, d.Compared = 0, 0, 0, 0, "", nil, nil, ""
		file := filepath.Join(t.TempDir(), "it's a.glb")
		if d.File != "" {
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			d.File, d.Scene = file, file
		}
		text := d.Text(table)
		for _, before := range []string{"", "glint ", "glint render "} {
			back, err := document.Document{}.ReadText(table, before+text)
			if err != nil || !reflect.DeepEqual(back, d) {
				t.Errorf("%s%s\nread back: %+v, %v\nwant %+v", before, text, back, err, d)
			}
		}
	}
	d := documents()[0]
	moved, err := d.ReadText(table, "--eye 0,0,5 --bounces=3")
	if err != nil || moved.Camera.Eye != (mgl64.Vec3{0, 0, 5}) || moved.Settings.Bounces != 3 || moved.Camera.Target != d.Camera.Target || moved.Scene != d.Scene {
		t.Errorf("flags alone: %+v, %v", moved, err)
	}
	for _, wrong := range []string{"", "glint", "chess --eye 1,2", "chess --bounces", "chess --magic 3", "chess --vfov 190", "chess 'open", "chess --at -1"} {
		if _, err := d.ReadText(table, wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// TestLocate finds files where they were, or in the folder of the picture.
func TestLocate(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.glb", "b.glb"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := document.Document{Subject: document.Subject{File: "/gone/a.glb", Merged: []string{filepath.Join(dir, "b.glb")}, Environment: "sky:30"}}
	if err := d.Locate(filepath.Join(dir, "shot.png")); err != nil || d.File != filepath.Join(dir, "a.glb") {
		t.Errorf("%+v, %v", d, err)
	}
	d.Environment = "/gone/sky.hdr"
	err := d.Locate(filepath.Join(dir, "shot.png"))
	if err == nil || !strings.Contains(err.Error(), "/gone/sky.hdr") {
		t.Fatalf("%v", err)
	}
	d.Replace("/gone/sky.hdr", filepath.Join(dir, "b.glb"))
	if err := d.Locate(filepath.Join(dir, "shot.png")); err != nil {
		t.Error(err)
	}
}
