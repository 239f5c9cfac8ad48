package session

import (
	"slices"
	"time"
)

const (
	SayFor      = 2500 * time.Millisecond
	WarnFor     = 10 * time.Second
	maxMessages = 6
)

// Message is a line over the image that goes away by itself.
type Message struct {
	Text    string
	About   string // a file; empty: none
	Warning bool
	Bar     bool // something goes on
	Since   time.Time
	Until   time.Time
}

// Messages are those on the screen, the newest last.
type Messages []Message

// Add shows a message. It takes the place of an equal one and of another about the same file; one that is no warning and
// about no file takes the place of another such, as keys are pressed again and again.
func (m *Messages) Add(fresh Message) {
	fresh.Since = time.Now()
	kept := slices.DeleteFunc(slices.Clone(*m), func(old Message) bool {
		passing := old.About == "" && !old.Warning && fresh.About == "" && !fresh.Warning
		return old.Text == fresh.Text || passing || fresh.About != "" && old.About == fresh.About
	})
	kept = append(kept, fresh)
	*m = kept[max(len(kept)-maxMessages, 0):]
}

// Current are those whose time is not over.
func (m Messages) Current(now time.Time) Messages {
	return slices.DeleteFunc(slices.Clone(m), func(old Message) bool { return now.After(old.Until) })
}
