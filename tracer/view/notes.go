package view

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// What is stored in a picture, as text of a PNG or attributes of an EXR, so that it can be rendered again. The window and all
// commands use these keys.
const (
	NoteSoftware    = "Software" // PNG's own word
	NoteScene       = "scene"    // its name
	NoteFile        = "file"     // full path; none for a built-in scene
	NoteMerged      = "merged"   // full paths of what was merged into that file's scene, a line each
	NoteEnvironment = "environment"
	NoteVariant     = "variant"
	NoteAt          = "at" // moment of the animation, s
	NoteClip        = "clip"
	NoteCamera      = "camera"
	NoteSettings    = "settings"
	NoteSamples     = "samples"
)

// Subject is what a picture shows, besides its settings. The zero value of a field says nothing.
type Subject struct {
	Scene       string
	File        string
	Merged      []string
	Environment string // as --env says it, with the full path of a file
	Variant     string
	At          *float64
	Clip        string
	Camera      scene.Camera // in the coordinates of the file
}

// Notes are the notes of a picture of so many samples.
func (p Subject) Notes(s settings.Settings, samples int) (map[string]string, error) {
	notes := map[string]string{NoteSoftware: "glint", NoteSamples: strconv.Itoa(samples)}
	for key, value := range map[string]string{
		NoteScene: p.Scene, NoteFile: p.File, NoteMerged: strings.Join(p.Merged, "\n"), NoteEnvironment: p.Environment, NoteVariant: p.Variant, NoteClip: p.Clip,
	} {
		if value != "" {
			notes[key] = strings.ToValidUTF8(value, "\uFFFD") // pictures hold no other text
		}
	}
	if p.At != nil {
		notes[NoteAt] = strconv.FormatFloat(*p.At, 'g', -1, 64)
	}
	for key, value := range map[string]any{NoteCamera: p.Camera, NoteSettings: s} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("describe the picture: %w", err)
		}
		notes[key] = string(text)
	}
	return notes, nil
}
