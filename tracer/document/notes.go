// Package document is what a picture says of how it was made: notes in its file, a line of text, and flags that make it again.
package document

import "glint/tracer/scene"

// What is stored in a picture, as text of a PNG or attributes of an EXR, so that it can be rendered again. The window and all
// commands use these keys.
const (
	NoteSoftware    = "Software"  // PNG's own word
	NoteScene       = "scene"     // its name
	NoteFile        = "file"      // full path; none for a built-in scene
	NoteFileHash    = "file hash" // of that and of all that it names (scene.Fingerprint)
	NoteMerged      = "merged"    // full paths of what was merged into that file's scene, a line each
	NoteEnvironment = "environment"
	NoteVariant     = "variant"
	NoteAt          = "at" // moment of the animation, s
	NoteClip        = "clip"
	NoteEdits       = "edits" // of the file, a line each
	NoteCamera      = "camera"
	NoteSettings    = "settings"
	NoteSamples     = "samples"
	NoteSize        = "size"       // in pixels, as --size has it
	NoteFrame       = "frame"      // number of the picture in a film
	NoteCompared    = "compare"    // how two sides are seen
	NoteReplay      = "replay"     // a sample of a pixel, and its light
	NoteOther       = "settings B" // of side B, where two sides are compared
)

// Subject is what a picture shows, besides its settings. The zero value of a field says nothing.
type Subject struct {
	Scene       string
	File        string
	FileHash    string
	Merged      []string
	Environment string // as --env says it, with the full path of a file
	Variant     string
	At          *float64
	Clip        string
	Edits       scene.Edits  // of the file
	Camera      scene.Camera // in the coordinates of the file
}
