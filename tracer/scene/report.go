package scene

import (
	"fmt"

	"glint/tracer/guard"
)

// Report is what the loader has to say about a file: shown by `glint info`, the HUD and the log.
type Report struct {
	Path       string   // empty where several files were merged
	Merged     []string // their paths; nil where there was one
	Files      []File   // that it was read from: first the scene's own, then what that names, found or not
	Unread     []string // URIs of those of them that are missing or broken
	Generator  string
	Extensions []ExtensionReport // sorted by name
	Notes      []Note            // sorted
	Nodes      int
	Meshes     int
	Animations int
	Clips      []ClipReport
	Skins      int
	Variants   []string // of materials
	Repeats    Repeats
	HasLight   bool // false when nothing in the file emits: the renderer then adds a soft environment
}

// paths are the files that were merged, or the only one.
func (r *Report) paths() []string {
	if len(r.Merged) > 0 {
		return r.Merged
	}
	return []string{r.Path}
}

// Note is a degradation: what was left out of a file, or what stands in for it.
type Note struct {
	Object string  // of the file, by its name; empty where it is about the file as a whole
	Text   string  // what of it
	At     *Bounds // around what is drawn of the object, at rest; nil where nothing is
}

// String is the note in one line.
func (n Note) String() string {
	if n.Object == "" {
		return n.Text
	}
	return n.Object + ": " + n.Text
}

// Place is an object of the file by its name, and where it is.
type Place struct {
	Name string
	At   *Bounds // around what is drawn of it, at rest; nil where nothing is
}

// ClipReport is an animation that the file has.
type ClipReport struct {
	Name    string
	Seconds float64 // its length, as the file says it
}

// ExtensionReport is one extension that the file uses.
type ExtensionReport struct {
	Name     string
	Required bool
	Support  Support
	Note     string
	Places   []Place // materials of the scene that have it; none where it is supported
}

// Support says how well glint renders one glTF extension.
type Support int

// The three answers.
const (
	Supported Support = iota
	Approximated
	Ignored
)

// String is the answer in a word.
func (s Support) String() string { return [...]string{"supported", "approximated", "ignored"}[s] }

// Repeats tells what a file repeats, and the memory that it takes on a device (bytes, estimated).
type Repeats struct {
	Meshes    int   // that can be instanced: drawn at least twice, large enough, without emission and skin
	Instances int   // of them
	Baked     int64 // all geometry, every copy by itself
	Instanced int64 // all geometry, each such mesh once
}

// Finding is what the report says of one object of the file, of several alike, or of the file.
type Finding struct {
	Text   string
	Places []Place // what it is about; none where it is about the file
}

// Findings are the notes in short: those that say the same of several objects are one.
func (r *Report) Findings() (list []Finding) {
	at := map[string]int{} // by what is said of objects
	for _, n := range r.Notes {
		if n.Object == "" {
			list = append(list, Finding{Text: n.Text})
			continue
		}
		i, known := at[n.Text]
		if !known {
			i = len(list)
			at[n.Text] = i
			list = append(list, Finding{Text: n.Text})
		}
		list[i].Places = append(list[i].Places, Place{n.Object, n.At})
	}
	return list
}

// String is the finding in one line, with the number of objects that it is about.
func (f Finding) String() string {
	switch n := len(f.Places); n {
	case 0:
		return f.Text
	case 1:
		return f.Places[0].Name + ": " + f.Text
	case 2:
		return f.Places[0].Name + " and another: " + f.Text
	default:
		return fmt.Sprintf("%s and %d others: %s", f.Places[0].Name, n-1, f.Text)
	}
}

// Summary is one line for each extension that is ignored, and for each finding.
func (r *Report) Summary() (lines []string) {
	for _, e := range r.Extensions {
		if e.Support == Ignored {
			lines = append(lines, fmt.Sprintf("extension %s is ignored: %s", guard.Name(e.Name), e.Note))
		}
	}
	for _, f := range r.Findings() {
		lines = append(lines, f.String())
	}
	return lines
}
