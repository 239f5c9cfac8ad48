package denoise

import (
	"errors"
	"testing"

	"glint/tracer/guard"
)

// TestFaultOfAJob: a mistake in the background does not end the program.
func TestFaultOfAJob(t *testing.T) {
	j := &Job{}
	startJob(j, func() error { panic("a mistake") })
	<-j.done
	if _, fault := errors.AsType[*guard.Fault](j.err); !fault {
		t.Error(j.err)
	}
}
