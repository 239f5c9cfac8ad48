package scene

import (
	"fmt"
	"slices"
	"sync"
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

// label names an object of the file for a message: `mesh 3 "wheel"`.
func label(kind string, index int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, index)
	}
	return fmt.Sprintf("%s %d %q", kind, index, name)
}
