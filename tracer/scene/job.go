package scene

import (
	"context"
	"errors"
	"fmt"

	"glint/tracer/guard"
)

// job is what all passes of one load share: when to stop, the memory that they may take, and the report.
//
// The rule for odd files: what can be drawn is drawn. What is broken in one place is left out, and reported. A file is refused only
// when nothing of it is left.
type job struct {
	ctx        context.Context
	memory     *guard.Memory // of what stays when the load is done
	scratch    *guard.Memory // of what does not
	warn       *warnings
	onProgress func(stage string, fraction float64) // may be nil
}

func (j *job) progress(stage string, fraction float64) {
	if j.onProgress != nil {
		j.onProgress(stage, fraction)
	}
}

// leaveOut reports a part of the file that cannot be drawn, and why. An error that concerns the whole load comes back.
func (j *job) leaveOut(object string, shown []subject, err error) error {
	if err := j.spare(object, shown, err, "left out"); err != nil {
		return err
	}
	j.warn.lose(fmt.Errorf("%s: %w", object, err))
	return nil
}

// spare reports something that a part is drawn without, if there is an error. One that concerns the whole load comes back: there is no room, nobody
// wants the scene any more, or glint itself is at fault.
func (j *job) spare(object string, shown []subject, err error, instead string) error {
	if err == nil {
		return nil
	}
	var room *guard.MemoryError
	var fault *guard.Fault
	if j.ctx.Err() != nil || errors.As(err, &room) || errors.As(err, &fault) {
		return fmt.Errorf("%s: %w", object, err)
	}
	j.warn.about(object, shown, "%v: %s", err, instead)
	return nil
}
