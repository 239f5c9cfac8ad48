package viewer

import (
	"slices"
	"time"
)

const (
	sayFor      = 2500 * time.Millisecond
	warnFor     = 10 * time.Second
	maxMessages = 6
)

// message is a line over the image that goes away by itself.
type message struct {
	text    string
	about   string // a file; empty: none
	warning bool
	bar     bool // something goes on
	since   time.Time
	until   time.Time
}

// messages are those on the screen, the newest last.
type messages []message

// add shows a message. It takes the place of an equal one and of another about the same file; one that is no warning and
// about no file takes the place of another such, as keys are pressed again and again.
func (m *messages) add(fresh message) {
	fresh.since = time.Now()
	kept := slices.DeleteFunc(slices.Clone(*m), func(old message) bool {
		passing := old.about == "" && !old.warning && fresh.about == "" && !fresh.warning
		return old.text == fresh.text || passing || fresh.about != "" && old.about == fresh.about
	})
	kept = append(kept, fresh)
	*m = kept[max(len(kept)-maxMessages, 0):]
}

// current are those whose time is not over.
func (m messages) current(now time.Time) messages {
	return slices.DeleteFunc(slices.Clone(m), func(old message) bool { return now.After(old.until) })
}
