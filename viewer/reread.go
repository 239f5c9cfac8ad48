package viewer

import (
	"os"
	"time"

	"glint/tracer/guard"
)

// source is where the scene on the screen comes from.
type source struct {
	path    string // as it was opened; empty where it was never a file
	variant string // of its materials, empty for its default
}

// fileStamp tells one state of a file from another.
type fileStamp struct {
	modified time.Time
	size     int64
}

const lookEvery = time.Second // at the file of the scene

// watcher looks whether the file of the scene has changed.
type watcher struct {
	of     source
	stamp  fileStamp // when it was read; zero: not known yet
	before fileStamp // at the last look: a file that is still being written changes on
	looked time.Time
}

// lookAtFile looks at the scene's file now and then, without holding up the window, and has it read again once it has changed.
func (a *app) lookAtFile(now time.Time) {
	if a.shown == nil || a.shown.path == "" || a.loading != nil || now.Sub(a.watcher.looked) < lookEvery {
		return
	}
	a.watcher.looked = now
	of := a.shown.source
	go func() {
		info, err := os.Stat(of.path)
		if err != nil || info.IsDir() {
			return // a scene that is built in, or a file between two versions
		}
		a.tasks.post(func() { a.noteFile(of, fileStamp{info.ModTime(), info.Size()}) })
	}()
}

// noteFile takes what a look at the file has found.
func (a *app) noteFile(of source, now fileStamp) {
	w := &a.watcher
	switch {
	case a.shown == nil || a.shown.source != of || a.loading != nil:
	case w.of != of:
		*w = watcher{of: of, stamp: now, before: now, looked: w.looked}
	case now != w.stamp && now == w.before:
		w.stamp = now
		a.readAgain(of)
	default:
		w.before = now
	}
}

// readAgain reads the scene on the screen once more, and shows it from where the user looks at it. What waits goes first.
func (a *app) readAgain(from source) {
	if a.loading == nil {
		a.load(&loading{path: from.path, variant: from.variant, again: true})
	}
}

// sayAgain tells why the scene has changed.
func (a *app) sayAgain(before, now source) {
	switch {
	case before.variant == now.variant:
		a.say("the file has changed, and was read again")
	case now.variant == "":
		a.say("variant: default")
	default:
		a.say("variant: " + guard.Name(now.variant))
	}
}
