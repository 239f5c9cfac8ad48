package session

import (
	"slices"
	"time"

	"glint/tracer/guard"
	"glint/tracer/scene"
)

// lookAtFiles looks at the scene's files now and then, without holding up the window, and has them read again once they have changed.
func (l *Loader) lookAtFiles(now time.Time) {
	w := &l.Watcher
	if l.stage.Shown == nil || l.stage.Shown.Path == "" || l.Loading != nil || w.looking || now.Sub(w.looked) < lookEvery || len(w.Files) == 0 {
		return
	}
	w.looked, w.looking = now, true
	read := w.Files
	found := slices.Clone(read)
	guard.Go(func() error {
		for i, f := range read {
			found[i] = f.Now()
		}
		return nil
	}, func(err error) {
		l.tasks.Post(func() {
			if err != nil {
				l.compared.log.Error("look at the scene's files", "err", err)
			}
			l.noteFiles(read, found)
		})
	})
}

// noteFiles takes what a look at files has found.
func (l *Loader) noteFiles(read, found []scene.File) {
	w := &l.Watcher
	w.looking = false
	if l.Loading != nil || !slices.Equal(read, w.Files) {
		return // of a scene that was shown then
	}
	settled := slices.Equal(found, w.before)
	w.before = found
	switch {
	case slices.Equal(found, w.Files) || slices.Equal(found, w.answered) || !settled:
	case found[0].State == scene.FileState{}: // the scene itself is gone, or between two versions
	default:
		w.answered = found
		l.readAgain(l.stage.Shown.Variant, l.stage.Shown.Scene, false)
	}
}

// TakeVariant shows the scene in another variant of its materials; the empty one is its default.
func (l *Loader) TakeVariant(name string) {
	if l.stage.Shown != nil && l.stage.Shown.Path != "" && l.stage.Shown.Variant != name {
		l.readAgain(name, nil, false)
	}
}
