package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"glint/tracer/guard"
	"glint/tracer/scene"
)

const lookEvery = time.Second // at the files of the scene

// Watcher looks whether files of the scene have changed.
type Watcher struct {
	Files    []scene.File // as they were when they were last read
	before   []scene.File // as they were at the last look: a file that is still being written changes on
	answered []scene.File // as they were when they were last read again, which need not have shown anything
	looked   time.Time
	looking  bool
}

// follow watches the files that a scene was read from.
func (w *Watcher) follow(files []scene.File) { w.Files, w.before = files, nil }

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
