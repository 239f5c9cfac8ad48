package scene

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"glint/tracer/guard"
)

// maxWarnings keeps the report of a thoroughly broken file readable.
const maxWarnings = 100

// warnings collects degradations. Safe for concurrent use.
type warnings struct {
	mu   sync.Mutex
	seen map[string]bool
	more int // left out because there were too many
}

func newWarnings() *warnings { return &warnings{seen: map[string]bool{}} }

func (w *warnings) addf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.seen[text]:
	case len(w.seen) >= maxWarnings:
		w.more++
	default:
		w.seen[text] = true
	}
}

// list is every warning once, sorted, so that the same file always gives the same report.
func (w *warnings) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]string, 0, len(w.seen)+1)
	for text := range w.seen {
		out = append(out, text)
	}
	slices.Sort(out)
	if w.more > 0 {
		out = append(out, fmt.Sprintf("and %d warnings more", w.more))
	}
	return out
}

// Summary is the warnings in short: those that say the same of several objects are one, with their number.
func (r Report) Summary() []string {
	var lines []string
	objects := map[string]int{} // by what is said of them
	for _, w := range r.Warnings {
		if _, what, ok := strings.Cut(w, ": "); ok {
			objects[what]++
		}
	}
	for _, w := range r.Warnings {
		object, what, ok := strings.Cut(w, ": ")
		switch n := objects[what]; {
		case !ok || n == 1:
			lines = append(lines, w)
		case n == 2:
			lines = append(lines, object+" and another: "+what)
		case n > 2:
			lines = append(lines, fmt.Sprintf("%s and %d others: %s", object, n-1, what))
		}
		objects[what] = 0
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
