package session

import (
	"fmt"
	"time"
)

// Background is what the renderer makes while something else stands in.
type Background struct {
	What  string // empty: nothing
	Since time.Time
}

// QuietFor is how long the user need not know of something that goes on.
const QuietFor = 300 * time.Millisecond

// note takes what the renderer says.
func (b *Background) note(what string, now time.Time) {
	if what != b.What {
		*b = Background{what, now}
	}
}

// Text says what goes on, once that takes longer than the user should have to wonder.
func (b *Background) Text(now time.Time) string {
	if b.What == "" || now.Sub(b.Since) < QuietFor {
		return ""
	}
	return fmt.Sprintf("%s: %.0f s", b.What, now.Sub(b.Since).Seconds())
}
