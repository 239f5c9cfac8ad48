// Command glint is an interactive path tracer for glTF scenes.
package main

import (
	"errors"
	"os"
	"runtime"

	"glint/tracer/cli"
)

// version is set by the linker.
var version = "development"

func main() {
	// The window system and the CUDA context both belong to the first thread.
	runtime.LockOSThread()
	program := cli.Program{
		Version: version, Stdout: os.Stdout, Stderr: os.Stderr,
		View:   func(cli.ViewRequest) error { return errors.New("the viewer is not built yet") },
		Keys:   func(bool) string { return "" },
		Checks: func() []cli.Check { return nil },
	}
	os.Exit(program.Run(os.Args[1:]))
}
