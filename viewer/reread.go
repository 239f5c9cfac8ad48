package viewer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"glint/tracer/guard"
	"glint/tracer/scene"
)

// source is where the scene on the screen comes from.
type source struct {
	path    string   // as it was opened; empty where it was never a file
	variant string   // of its materials, empty for its default
	with    []string // files that were merged into it
}

const lookEvery = time.Second // at the files of the scene

// watcher looks whether files of the scene have changed.
type watcher struct {
	files    []scene.File // as they were when they were last read
	before   []scene.File // as they were at the last look: a file that is still being written changes on
	answered []scene.File // as they were when they were last read again, which need not have shown anything
	looked   time.Time
	looking  bool
}

// follow watches the files that a scene was read from.
func (w *watcher) follow(files []scene.File) { w.files, w.before = files, nil }

// lookAtFiles looks at the scene's files now and then, without holding up the window, and has them read again once they have changed.
func (l *loader) lookAtFiles(now time.Time) {
	w := &l.watcher
	if l.stage.shown == nil || l.stage.shown.path == "" || l.loading != nil || w.looking || now.Sub(w.looked) < lookEvery || len(w.files) == 0 {
		return
	}
	w.looked, w.looking = now, true
	read := w.files
	found := slices.Clone(read)
	guard.Go(func() error {
		for i, f := range read {
			found[i] = f.Now()
		}
		return nil
	}, func(err error) {
		l.tasks.post(func() {
			if err != nil {
				l.compared.log.Error("look at the scene's files", "err", err)
			}
			l.noteFiles(read, found)
		})
	})
}

// noteFiles takes what a look at files has found.
func (l *loader) noteFiles(read, found []scene.File) {
	w := &l.watcher
	w.looking = false
	if l.loading != nil || !slices.Equal(read, w.files) {
		return // of a scene that was shown then
	}
	settled := slices.Equal(found, w.before)
	w.before = found
	switch {
	case slices.Equal(found, w.files) || slices.Equal(found, w.answered) || !settled:
	case found[0].State == scene.FileState{}: // the scene itself is gone, or between two versions
	default:
		w.answered = found
		l.readAgain(l.stage.shown.variant)
	}
}

// readAgain reads the scene on the screen once more, and shows it from where the user looks at it. What waits goes first.
func (l *loader) readAgain(variant string) {
	if l.loading != nil {
		return
	}
	job := &loading{path: l.stage.shown.path, variant: variant, with: l.stage.shown.with, again: true}
	if variant == l.stage.shown.variant {
		job.before = l.stage.shown.scene
	}
	l.load(job)
}

var errUnchanged = errors.New("nothing that is drawn has changed")

// checkAgain tells why a scene that was read again is not to be shown in place of the one before, if it is not.
func checkAgain(s, before *scene.Scene) error {
	lost := slices.DeleteFunc(slices.Clone(s.Report.Unread), func(name string) bool { return slices.Contains(before.Report.Unread, name) })
	switch {
	case len(lost) > 0:
		for i := range lost {
			lost[i] = guard.Name(lost[i])
		}
		return fmt.Errorf("%s: missing or broken: the picture stays, and the scene is read again when that changes", strings.Join(lost, ", "))
	case s.Same(before):
		return errUnchanged
	}
	return nil
}

// sayAgain tells why the scene has changed.
func (a *app) sayAgain(before, now source) {
	switch {
	case before.variant == now.variant:
		a.messages.Say("the file has changed, and was read again")
	case now.variant == "":
		a.messages.Say("variant: default")
	default:
		a.messages.Say("variant: " + guard.Name(now.variant))
	}
}

// takeVariant shows the scene in another variant of its materials; the empty one is its default.
func (l *loader) takeVariant(name string) {
	if l.stage.shown != nil && l.stage.shown.path != "" && l.stage.shown.variant != name {
		l.readAgain(name)
	}
}
