// Package viewer is glint's window: a scene that is path traced while the user moves through it.
//
//	package main
//
//	import (
//		"fmt"
//		"os"
//		"runtime"
//
//		"glint/tracer"
//		"glint/viewer"
//	)
//
//	func init() { runtime.LockOSThread() } // a window belongs to the main thread
//
//	func main() {
//		err := viewer.Run(viewer.Options{Path: "duck.glb", Settings: settings.Defaults()})
//		if err != nil {
//			fmt.Fprintln(os.Stderr, "glint:", err)
//			os.Exit(2)
//		}
//	}
//
// A frame is: events and the panel change camera and settings; the tracer adds samples and film writes a pixel buffer; the
// present pass draws it; the panel goes on top. What a key does is one row of the table in keys.go. What the panel shows
// follows from tracer.Table.
//
// Two sides can be compared: each has settings, an image and figures of its own (side.go), and they are shown beside each
// other, by turns, or as their difference (compare.go).
package viewer
