package scene

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"glint/tracer/guard"
)

// maxNotes keeps the report of a thoroughly broken file readable.
const maxNotes = 100

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

// subject is what shows an object of the file. Materials are those of the scene.
type subject struct {
	kind  subjectKind
	index int
}

type subjectKind int

const (
	meshSubject subjectKind = iota
	nodeSubject
	materialSubject
)

// warnings collects degradations. Safe for concurrent use.
type warnings struct {
	mu   sync.Mutex
	seen map[Note][]subject
	more int // left out because there were too many

	unread map[string]bool // URIs of files that are missing or broken
	lost   error           // the first part that is left out
}

func newWarnings() *warnings {
	return &warnings{seen: map[Note][]subject{}, unread: map[string]bool{}}
}

// lose notes that a part of the file is left out.
func (w *warnings) lose(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost == nil {
		w.lost = err
	}
}

func (w *warnings) addUnread(uri string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unread[uri] = true
}

// addf notes what concerns the file as a whole.
func (w *warnings) addf(format string, args ...any) { w.about("", nil, format, args...) }

// addError notes an error that begins with an object and a colon.
func (w *warnings) addError(err error) {
	object, what, ok := strings.Cut(err.Error(), ": ")
	if !ok {
		object, what = "", object
	}
	w.about(object, nil, "%s", what)
}

// about notes what concerns an object, which is on the screen as these subjects. The same note again may concern others.
func (w *warnings) about(object string, subjects []subject, format string, args ...any) {
	note := Note{Object: object, Text: fmt.Sprintf(format, args...)}
	w.mu.Lock()
	defer w.mu.Unlock()
	known, seen := w.seen[note]
	if !seen && len(w.seen) >= maxNotes {
		w.more++
		return
	}
	for _, s := range subjects {
		if !slices.Contains(known, s) && len(known) < maxNotes {
			known = append(known, s)
		}
	}
	w.seen[note] = known
}

// list is every note once, sorted, so that the same file always gives the same report.
func (w *warnings) list(where *whereabouts) []Note {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]Note, 0, len(w.seen)+1)
	for note, subjects := range w.seen {
		note.At = where.of(subjects...)
		out = append(out, note)
	}
	slices.SortFunc(out, func(a, b Note) int { return strings.Compare(a.String(), b.String()) })
	if w.more > 0 {
		out = append(out, Note{Text: fmt.Sprintf("and %d warnings more", w.more)})
	}
	return out
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

// label names an object of the file for a message: `mesh 3 "wheel"`.
func label(kind string, index int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, index)
	}
	return fmt.Sprintf("%s %d %s", kind, index, guard.Quoted(name))
}
