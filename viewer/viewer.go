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
// A frame (loop.go) goes through three rooms. This one has the window: input.go finds for what the user does a row of the key table
// (keys.go), and screen.go draws the images that sides have written to pixel buffers (picture.go). Package session is what all this
// is about: the scene, the camera, the settings and images of the sides, what is loaded and played. Package hud draws the panels
// over the image: it is given a model of what is to be seen, and returns commands, which are done when all is drawn.
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
	defer func() {
		closed := a.close()
		if err == nil && a.session.Again.Left != "" {
			if closed != nil { // what belongs to a lost GPU seldom closes well
				o.Logger().Info("close the window", "err", closed)
			}
			err = o.StartAgain(a.session.Again.Left)
			return
		}
		err = errors.Join(err, closed)
	}()
	defer context.AfterFunc(ctx, func() { a.session.Tasks.Post(func() { a.session.Failure = context.Cause(ctx) }) })()
	return a.loop()
}
