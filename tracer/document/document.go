package document

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Document is what a picture says of how it was made: enough to render it again.
type Document struct {
	Subject
	Settings      settings.Settings
	Samples       int
	Frame         int // number of the picture in a film
	Width, Height int // pixels
	// Other are the settings of side B, where two sides are compared; nil: there is one. Compared says how both are seen.
	Other    *settings.Settings
	Compared string
	Replay   *Replay // nil: it tells of no sample
}

// Notes are the document as a picture stores it.
func (d Document) Notes() (map[string]string, error) {
	notes := map[string]string{NoteSoftware: "glint", NoteSamples: strconv.Itoa(d.Samples), NoteSize: fmt.Sprintf("%dx%d", d.Width, d.Height)}
	for key, value := range map[string]string{
		NoteScene: d.Scene, NoteFile: d.File, NoteFileHash: d.FileHash, NoteMerged: strings.Join(d.Merged, "\n"), NoteEdits: strings.Join(d.Edits.Texts(), "\n"), NoteEnvironment: d.Environment,
		NoteVariant: d.Variant, NoteClip: d.Clip, NoteCompared: d.Compared,
	} {
		if value != "" {
			notes[key] = strings.ToValidUTF8(value, "\uFFFD") // pictures hold no other text
		}
	}
	if d.Frame != 0 {
		notes[NoteFrame] = strconv.Itoa(d.Frame)
	}
	if d.Replay != nil {
		notes[NoteReplay] = d.Replay.note()
	}
	if d.At != nil {
		notes[NoteAt] = strconv.FormatFloat(*d.At, 'g', -1, 64)
	}
	values := map[string]any{NoteCamera: d.Camera, NoteSettings: d.Settings}
	if d.Other != nil {
		values[NoteOther] = *d.Other
	}
	for key, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("describe the picture: %w", err)
		}
		notes[key] = string(text)
	}
	return notes, nil
}

// ErrNone means that a picture does not say how it was made.
var ErrNone = errors.New("it does not say how it was made: only pictures that glint saved do")

// ReadNotes reads a document from the notes of a picture. Settings that the picture does not name are at their defaults. Files
// may come from anywhere, so what is no possible value is an error.
func ReadNotes(notes map[string]string, table []settings.Setting) (Document, error) {
	d := Document{Settings: settings.Defaults(), Subject: Subject{Scene: notes[NoteScene], File: notes[NoteFile], FileHash: notes[NoteFileHash],
		Environment: notes[NoteEnvironment], Variant: notes[NoteVariant], Clip: notes[NoteClip]}, Compared: notes[NoteCompared]}
	if notes[NoteCamera] == "" || notes[NoteSettings] == "" || strings.Contains(notes[NoteSamples], ":") { // a part does not say all
		return d, ErrNone
	}
	var err error
	d.Merged = linesOf(notes[NoteMerged])
	if d.Edits, err = scene.ParseEdits(linesOf(notes[NoteEdits])); err != nil {
		return d, fmt.Errorf("note %q: %w", NoteEdits, err)
	}
	values := map[string]any{NoteCamera: &d.Camera, NoteSettings: &d.Settings}
	all := []*settings.Settings{&d.Settings}
	if notes[NoteOther] != "" {
		other := settings.Defaults()
		d.Other, values[NoteOther], all = &other, &other, append(all, &other)
	}
	for key, into := range values {
		if err := json.Unmarshal([]byte(notes[key]), into); err != nil {
			return d, fmt.Errorf("note %q: %w", key, err)
		}
	}
	if err := d.Camera.Check(); err != nil {
		return d, err
	}
	for _, row := range table {
		for _, s := range all {
			if err := row.Parse(s, row.Text(s)); err != nil {
				return d, fmt.Errorf("note %q: --%s %w", NoteSettings, row.Name, err)
			}
		}
	}
	for key, into := range map[string]*int{NoteSamples: &d.Samples, NoteFrame: &d.Frame} {
		if notes[key] == "" {
			continue
		}
		n, err := strconv.Atoi(notes[key])
		if err != nil || n < 0 {
			return d, fmt.Errorf("note %q: %q is no count", key, notes[key])
		}
		*into = n
	}
	if text := notes[NoteSize]; text != "" {
		if _, err := fmt.Sscanf(text, "%dx%d", &d.Width, &d.Height); err != nil {
			return d, fmt.Errorf("note %q: %q is no size", NoteSize, text)
		}
		if err := (view.View{Width: d.Width, Height: d.Height}).Check(view.Target{}); err != nil {
			return d, err
		}
	}
	return d, d.readMoment(notes)
}

// readMoment reads when the picture was, and which sample a file tells of.
func (d *Document) readMoment(notes map[string]string) error {
	if text := notes[NoteReplay]; text != "" {
		replay, err := parseReplay(text)
		if err != nil {
			return fmt.Errorf("note %q: %w", NoteReplay, err)
		}
		d.Replay = &replay
	}
	if text := notes[NoteAt]; text != "" {
		at, err := strconv.ParseFloat(text, 64)
		if err != nil || !(at >= 0) {
			return fmt.Errorf("note %q: %q is no time", NoteAt, text)
		}
		d.At = &at
	}
	return nil
}

const replayExtension = ".json" // of a sample that was saved

// linesOf are the lines of a note; none of one that is not there.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// IsPicture tells whether a file, by its name, is a picture or a saved sample, which may say how it was made.
func IsPicture(path string) bool {
	return slices.Contains([]string{".png", ".exr", replayExtension}, strings.ToLower(filepath.Ext(path)))
}

// Read reads what a picture says of itself.
func Read(path string, table []settings.Setting) (Document, error) {
	read := imageio.ReadNotes
	if strings.EqualFold(filepath.Ext(path), replayExtension) {
		read = readReplay
	}
	notes, err := read(path)
	if err != nil {
		return Document{}, err
	}
	d, err := ReadNotes(notes, table)
	if err != nil {
		return d, fmt.Errorf("%s: %w", guard.Name(path), err)
	}
	return d, nil
}

// SceneWord is the scene as the command line names it.
func (d *Document) SceneWord() string { return cmp.Or(d.File, d.Scene) }

// MissingError says that a file is gone that a picture shows.
type MissingError struct{ Path, Picture string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s shows %s, which is not there any more: put it into the folder of the picture", guard.Name(e.Picture), guard.Name(e.Path))
}

// Locate finds the files that the document names: where they were, or else in the folder of the picture. Its error is a *MissingError.
func (d *Document) Locate(picture string) error {
	for _, file := range d.files() {
		if *file == "" || IsFile(*file) {
			continue
		}
		near := filepath.Join(filepath.Dir(picture), filepath.Base(*file))
		if !IsFile(near) {
			return &MissingError{*file, picture}
		}
		*file = near
	}
	return nil
}

// files are the paths that the document names.
func (d *Document) files() []*string {
	d.Merged = slices.Clone(d.Merged)
	files := []*string{&d.File}
	if filepath.IsAbs(d.Environment) {
		files = append(files, &d.Environment)
	}
	for i := range d.Merged {
		files = append(files, &d.Merged[i])
	}
	return files
}

// Replace names another file in the place of one.
func (d *Document) Replace(path, by string) {
	for _, file := range d.files() {
		if *file == path {
			*file = by
		}
	}
}

// SameScene tells whether two documents show the same scene in the same light, from wherever.
func (d *Document) SameScene(other *Document) bool {
	return d.SceneWord() == other.SceneWord() && slices.Equal(d.Merged, other.Merged) && d.Environment == other.Environment && d.Variant == other.Variant
}

// IsFile tells whether there is a regular file of that name.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
