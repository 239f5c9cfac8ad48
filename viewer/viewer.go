// Package viewer is glint's window: a scene that is path traced while the user moves through it.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"os"
//		"runtime"
//
//		"glint/tracer/settings"
//		"glint/viewer"
//		"glint/viewer/session"
//	)
//
//	func init() { runtime.LockOSThread() } // a window belongs to the main thread
//
//	func main() {
//		err := viewer.Run(context.Background(), viewer.Options{Options: session.Options{Path: "duck.glb", Settings: settings.Defaults()}})
//		if err != nil {
//			fmt.Fprintln(os.Stderr, "glint:", err)
//			os.Exit(2)
//		}
//	}
//
// In a frame, events change camera and settings, each side has its renderer add samples and write a pixel buffer (render.go), the
// present pass draws that (screen.go), and panel and overlays are drawn on top (package hud). They show a model that is made once a
// frame (model.go), and what the user does in them becomes commands, which follow when all is drawn (commands.go). What a key does
// is one row of the table in keys.go. What the panel shows follows from the table of settings.
//
// Two sides, A and B, can be compared. Each has settings, an image and statistics of its own (package session). They are shown side
// by side, one at a time, or as their difference (compare.go).
package viewer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// Run shows the window until the user closes it or the context ends; the error is then its cause. It must be called on the main
// goroutine, locked to its thread. Other errors are ErrNoDisplay, why the first scene could not be loaded, or how the device failed.
func Run(ctx context.Context, o Options) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			o.Logger().Debug("panic in the viewer", "stack", string(debug.Stack()))
			err = fmt.Errorf("the window failed: %v", problem)
		}
	}()
	a, err := start(o.withDefaults())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	defer context.AfterFunc(ctx, func() { a.Tasks.Post(func() { a.Failure = context.Cause(ctx) }) })()
	return a.loop()
}
