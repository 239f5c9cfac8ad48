package job

import (
	"errors"
	"testing"

	"glint/tracer/guard"
)

// TestFaultOfAMember: work that panics on a device's thread fails where it was given, and the thread goes on.
func TestFaultOfAMember(t *testing.T) {
	m := &Member{}
	m.useOwnThread()
	defer m.stop()
	err := guard.Safely(func() error {
		m.Do(func() { panic("a mistake") })
		return nil
	})
	if _, fault := errors.AsType[*guard.Fault](err); !fault {
		t.Error(err)
	}
	done := false
	if m.Do(func() { done = true }); !done {
		t.Error("nothing is done after a fault")
	}
}
