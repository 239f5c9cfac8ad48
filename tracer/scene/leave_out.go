package scene

import (
	"errors"
	"fmt"

	"glint/tracer/guard"
)

// The rule for odd files: what can be drawn is drawn. What is broken in one place is left out, and reported. A file is refused only
// when nothing of it is left.

// leaveOut reports a part of the file that cannot be drawn, and why. An error that concerns the whole load comes back.
func (l *loader) leaveOut(object string, shown []subject, err error) error {
	if err := l.spare(object, shown, err, "left out"); err != nil {
		return err
	}
	l.lose(fmt.Errorf("%s: %w", object, err))
	return nil
}

// spare reports something that a part is drawn without. An error that concerns the whole load comes back: there is no room, nobody
// wants the scene any more, or glint itself is at fault.
func (l *loader) spare(object string, shown []subject, err error, instead string) error {
	var room *guard.MemoryError
	var fault *guard.Fault
	if l.ctx.Err() != nil || errors.As(err, &room) || errors.As(err, &fault) {
		return fmt.Errorf("%s: %w", object, err)
	}
	l.warn.about(object, shown, "%v: %s", err, instead)
	return nil
}

// broken is why the checker left an object out; nil for one that can be used.
func (l *loader) broken(format string, indices ...any) error {
	if l.defects == nil || len(l.unusable) == 0 {
		return nil
	}
	return l.unusable[fmt.Sprintf(format, indices...)]
}

// checkDrawn refuses a file of which nothing is left.
func (l *loader) checkDrawn() error {
	if l.out.Triangles() > 0 {
		return nil
	}
	if l.lost != nil && l.out.ImageLight == nil { // which is seen, too
		return fmt.Errorf("nothing of it can be drawn: %w", l.lost)
	}
	l.warn.addf("the scene has no triangles")
	return nil
}
