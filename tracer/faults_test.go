package tracer

import (
	"errors"
	"testing"
	"time"

	"glint/tracer/guard"
)

// TestFaultOfAHelper: a job that panics fails where it was given, and a block that does ends the helping.
func TestFaultOfAHelper(t *testing.T) {
	h, err := newHelper("", func() (*Renderer, error) { return &Renderer{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer h.end()
	err = guard.Safely(func() error {
		h.do(func() { panic("a job") })
		return nil
	})
	if _, fault := errors.AsType[*guard.Fault](err); !fault {
		t.Errorf("a job: %v", err)
	}
	h.ask(&restWork{}) // the renderer has no engine
	for _, _, err = h.take(); err == nil; _, _, err = h.take() {
		time.Sleep(time.Millisecond)
	}
	if _, fault := errors.AsType[*guard.Fault](err); !fault {
		t.Errorf("a block: %v", err)
	}
}
