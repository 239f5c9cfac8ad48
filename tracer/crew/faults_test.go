package crew

import (
	"errors"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/guard"
)

// TestFaultOfAHelper: a job that panics fails where it was given, and a block that does ends the helping.
func TestFaultOfAHelper(t *testing.T) {
	h, err := newHelper("", func() (*tracer.Renderer, error) { return &tracer.Renderer{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer h.thread.Close()
	err = guard.Safely(func() error {
		h.do(func() { panic("a job") })
		return nil
	})
	if _, fault := errors.AsType[*guard.Fault](err); !fault {
		t.Errorf("a job: %v", err)
	}
	h.ask(&work{}) // the renderer has no engine
	for _, _, err = h.take(); err == nil; _, _, err = h.take() {
		time.Sleep(time.Millisecond)
	}
	if _, fault := errors.AsType[*guard.Fault](err); !fault {
		t.Errorf("a block: %v", err)
	}
}
