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

// list is every note once, sorted, so that the same file always gives the same report; at is where subjects are.
func (w *warnings) list(at func(...subject) *Bounds) []Note {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]Note, 0, len(w.seen)+1)
	for note, subjects := range w.seen {
		note.At = at(subjects...)
		out = append(out, note)
	}
	slices.SortFunc(out, func(a, b Note) int { return strings.Compare(a.String(), b.String()) })
	if w.more > 0 {
		out = append(out, Note{Text: fmt.Sprintf("and %d warnings more", w.more)})
	}
	return out
}

// label names an object of the file for a message: `mesh 3 "wheel"`.
func label(kind string, index int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, index)
	}
	return fmt.Sprintf("%s %d %s", kind, index, guard.Quoted(name))
}
