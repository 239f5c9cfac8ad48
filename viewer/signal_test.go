package viewer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// TestWindowEndsWithItsContext: SIGTERM closes the window as the user would, so its place is remembered.
func TestWindowEndsWithItsContext(t *testing.T) {
	needDisplay(t)
	state := filepath.Join(t.TempDir(), "window.toml")
	why := errors.New("signal")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(500*time.Millisecond, func() { cancel(why) })
	var err error
	main(func() {
		err = Run(ctx, Options{state: state, Options: session.Options{
			Path: "slow.glb", Settings: settings.Defaults(),
			Open: func(tracer.Options, []tracer.Options) (session.Renderer, error) {
				return &fake{attached: map[uint32]bool{}}, nil
			},
			Load: func(context.Context, string, scene.Options) (*scene.Scene, error) { select {} },
		}})
	})
	if !errors.Is(err, why) {
		t.Errorf("Run returned %v", err)
	}
	if _, err := os.Stat(state); err != nil {
		t.Errorf("the window's place is not kept: %v", err)
	}
}
