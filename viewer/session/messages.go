package session

import (
	"slices"
	"time"
	"unicode/utf8"
)

const (
	noticedIn   = 2 * time.Second
	letterFor   = 50 * time.Millisecond // a word is six of them, with its space
	warnFor     = 10 * time.Second      // at least
	maxMessages = 6
)

// Message is a line over the image, for a time.
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

// add shows a message. It takes the place of an equal one and of another about the same file; one that is no warning and
// about no file takes the place of another such, as keys are pressed again and again.
func (m *Messages) add(fresh Message) {
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

// readFor is how long it takes to notice a text and to read it.
func readFor(text string) time.Duration {
	return noticedIn + time.Duration(utf8.RuneCountInString(text))*letterFor
}

// Say shows what happened.
func (m *Messages) Say(text string) { m.SayFor(text, readFor(text)) }

// SayFor shows it for a time.
func (m *Messages) SayFor(text string, long time.Duration) {
	m.add(Message{Text: text, Until: time.Now().Add(long)})
}

// Warn shows what went wrong.
func (m *Messages) Warn(text string) {
	m.add(Message{Text: text, Warning: true, Until: time.Now().Add(max(warnFor, readFor(text)))})
}

// WarnOf shows what is wrong with a file.
func (m *Messages) WarnOf(file string, why error) {
	text := why.Error()
	m.add(Message{Text: text, About: file, Warning: true, Until: time.Now().Add(max(warnFor, readFor(text)))})
}

// Opened tells that a file is shown. What went wrong with files that were opened before is no longer of interest, except for those
// requested along with it, from a time on.
func (m *Messages) Opened(since time.Time, file, text string) {
	*m = slices.DeleteFunc(*m, func(old Message) bool { return old.About != "" && old.Warning && old.Since.Before(since) })
	m.add(Message{Text: text, About: file, Until: time.Now().Add(readFor(text))})
}
