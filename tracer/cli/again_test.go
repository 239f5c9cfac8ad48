package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

// TestGoOnArgs: a process that is started again has the arguments of the one before, and one file to go on with.
func TestGoOnArgs(t *testing.T) {
	for given, want := range map[string]string{
		"":                              "--go-on=/new",
		"view a.glb --bounces 3":        "view a.glb --bounces 3 --go-on=/new",
		"--go-on=/old a.glb":            "a.glb --go-on=/new",
		"a.glb --go-on /old --split":    "a.glb --split --go-on=/new",
		"--bounces 3 -- --go-on=/x.glb": "--bounces 3 --go-on=/new -- --go-on=/x.glb",
	} {
		args := strings.Fields(given)
		if got := strings.Join(goOnArgs(args, "/new"), " "); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
		if got := strings.Join(args, " "); got != given {
			t.Errorf("%q was changed to %q", given, got)
		}
	}
}

// TestGoOnNeedsNothingElse: what else the arguments name may be gone by then.
func TestGoOnNeedsNothingElse(t *testing.T) {
	var got ViewRequest
	p := Program{Stdout: io.Discard, Stderr: os.Stderr, View: func(_ context.Context, r ViewRequest) error {
		got = r
		return nil
	}}
	code := p.Run(context.Background(), []string{"/gone.glb", "--env", "/gone.hdr", "--size", "640x400", "--bounces", "3", "--go-on=/new"})
	if code != 0 || got.GoOn != "/new" || got.StartAgain == nil || got.Width != 0 || got.Settings.Bounces != 3 {
		t.Errorf("exit code %d: it opens %+v", code, got)
	}
}
