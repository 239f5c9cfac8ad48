package view_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// TestNotes: a picture says everything that it was made of, and nothing that it was not.
func TestNotes(t *testing.T) {
	at := 1.25
	camera := scene.Camera{Eye: mgl64.Vec3{1, 2, 3}}
	for want, of := range map[string]view.Subject{
		"Software camera samples scene settings":                                         {Scene: "chess", Camera: camera},
		"Software at camera clip environment file merged samples scene settings variant": {Scene: "a.glb", File: "/x/a.glb", Merged: []string{"/x/b.glb"}, Environment: "sky", Variant: "red", At: &at, Clip: "walk", Camera: camera},
	} {
		notes, err := of.Notes(settings.Defaults(), 42)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(notes)), " "); got != want {
			t.Errorf("keys %s, want %s", got, want)
		}
		if notes["scene"] != of.Scene || notes["file"] != of.File || notes["samples"] != "42" || !strings.Contains(notes["camera"], `"Eye":[1,2,3]`) ||
			!strings.Contains(notes["settings"], `"Bounces":8`) || of.At != nil && notes["at"] != "1.25" {
			t.Errorf("notes %v", notes)
		}
	}
}
