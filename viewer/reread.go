package viewer

import (
	"slices"
	"time"

	"glint/tracer/guard"
	"glint/tracer/scene"
)

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

// takeVariant shows the scene in another variant of its materials; the empty one is its default.
func (l *loader) takeVariant(name string) {
	if l.stage.shown != nil && l.stage.shown.path != "" && l.stage.shown.variant != name {
		l.readAgain(name)
	}
}
