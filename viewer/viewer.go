package viewer

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/adrg/xdg"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// LoadFunc reads a scene. Progress is 0…1 of a stage, and may be called from any goroutine.
type LoadFunc func(path string, progress func(stage string, fraction float64)) (*scene.Scene, error)

// Options say what the window opens with.
type Options struct {
	Scene       *scene.Scene        // shown first; nil: Path is loaded
	Path        string              // file to show first, when Scene is nil
	Load        LoadFunc            // reads Path and whatever the user opens; nil takes scene.Load
	Environment *tracer.Environment // lights every scene; nil leaves it to the scene
	Camera      *scene.Camera       // first view; nil takes the file's, or one that frames the scene
	Settings    settings.Settings
	Tracer      tracer.Options
	// Width and Height are the window's size in screen coordinates; 0 takes the size of the last time.
	Width, Height int
	Split         bool         // begin with two sides to compare
	Log           *slog.Logger // nil discards
	Out           io.Writer    // gets the paths of screenshots; nil takes standard output

	state string                                 // file of the window's place
	open  func(tracer.Options) (renderer, error) // tests have another
}

// Run shows the window until the user closes it. It must be called on the main goroutine, locked to its thread. An error is
// ErrNoDisplay, what the first scene could not be loaded for, or what the device failed with.
func Run(o Options) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			o.logger().Debug("panic in the viewer", "stack", string(debug.Stack()))
			err = fmt.Errorf("the window failed: %v", problem)
		}
	}()
	a, err := start(o.withDefaults())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	return a.loop()
}

func (o Options) logger() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

func (o Options) withDefaults() Options {
	o.Log = o.logger()
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.open == nil {
		o.open = openTracer
	}
	if o.Load == nil {
		o.Load = func(path string, progress func(string, float64)) (*scene.Scene, error) {
			return scene.Load(path, scene.Options{Scene: -1, Progress: progress})
		}
	}
	if o.state == "" {
		path, err := xdg.StateFile("glint/window.toml")
		if err != nil {
			o.Log.Debug("the window's place will not be remembered", "err", err)
		}
		o.state = path
	}
	return o
}
