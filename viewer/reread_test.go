package viewer

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"glint/tracer/scene"
)

// A file that changes on disk is read again, once it stays as it is, and shown from where the user looks; so is another variant.
func TestFilesAreReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.glb")
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	written := time.Now().Add(-time.Hour)
	write("first", written)
	read := make(chan string, 9)
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Scene, o.Path = nil, path
		o.Load = func(_ context.Context, name string, asked scene.Options) (*scene.Scene, error) {
			read <- asked.Variant
			s := aScene(filepath.Base(name))
			s.Report.Variants = []string{"red", "blue"}
			return s, nil
		}
	})
	p.patience *= 2 // it looks once a second
	p.until("a look at the file", func(a *app) bool { return a.watcher.stamp.size == 5 })
	p.do(func(a *app) { a.controller.orbit(0.5, 0.1) })
	var seen scene.Camera
	p.do(func(a *app) { seen = a.controller.camera })

	write("second", written.Add(time.Minute))
	p.until("the message", func(a *app) bool { return strings.Contains(latest(a), "was read again") })
	p.do(func(a *app) {
		if a.controller.camera != seen {
			t.Error("the view has changed")
		}
		a.takeVariant("blue")
	})
	p.until("the variant", func(a *app) bool { return a.shown.variant == "blue" && a.loading == nil })
	p.do(func(a *app) {
		if a.controller.camera != seen || latest(a) != "variant: blue" {
			t.Errorf("another view, or %q", latest(a))
		}
	})
	close(read)
	var asked []string
	for name := range read {
		asked = append(asked, name)
	}
	if strings.Join(asked, ",") != ",,blue" {
		t.Errorf("read as %q", asked)
	}
}
