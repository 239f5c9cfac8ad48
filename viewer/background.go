package viewer

import (
	"fmt"
	"time"
)

// background is what the renderer makes while something else stands in.
type background struct {
	what  string // empty: nothing
	since time.Time
}

// quietFor is how long the user need not know of something that goes on.
const quietFor = 300 * time.Millisecond

// note takes what the renderer says.
func (b *background) note(what string, now time.Time) {
	if what != b.what {
		*b = background{what, now}
	}
}

// text says what goes on, once that takes longer than the user should have to wonder.
func (b *background) text(now time.Time) string {
	if b.what == "" || now.Sub(b.since) < quietFor {
		return ""
	}
	return fmt.Sprintf("%s: %.0f s", b.what, now.Sub(b.since).Seconds())
}
