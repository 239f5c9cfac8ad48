// Command glint is an interactive path tracer for glTF scenes.
package main

import (
	"context"
	"os"
	"runtime"

	"glint/tracer/cli"
	_ "glint/tracer/early"
	"glint/tracer/scene/draco"
	"glint/viewer"
	"glint/viewer/session"
)

// version is set by the linker.
var version = "development"

// The window system and the CUDA context both belong to the first thread.
func init() { runtime.LockOSThread() }

func main() {
	if draco.IsChild() { // which the program starts for meshes that Draco compressed
		os.Exit(draco.Child())
	}
	program := cli.Program{
		Version: version, Stdout: os.Stdout, Stderr: os.Stderr,
		View: view, Keys: keys, CheckKeys: checkKeys, Checks: checks,
	}
	ctx, stop := cli.WithSignals(context.Background(), func(code int) {
		program.Abandon()
		os.Exit(code)
	})
	code := program.Run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func view(ctx context.Context, r cli.ViewRequest) error {
	return viewer.Run(ctx, viewer.Options{Width: r.Width, Height: r.Height, Keys: r.Keys, StartAgain: r.StartAgain, Options: session.Options{
		Path: r.Scene, With: r.With, FileHash: r.FileHash, Load: r.Load, Write: r.Write, LoadMemory: r.LoadMemory, Variant: r.Variant, At: r.At, Clip: r.Clip, Edits: r.Edits, Scenes: r.Scenes,
		Environment: r.Environment, EnvironmentFlag: r.EnvironmentFlag, Settings: r.Settings, Tracer: r.Options, Helpers: r.Helpers, Split: r.Split, SplitBackend: r.SplitBackend, Tour: r.Tour,
		Other: r.Other, GoOn: r.GoOn,
		Log: r.Options.Log, Out: r.Out,
	}})
}

func checkKeys(own map[string][]string) map[string]string { return viewer.CheckKeys(own) }

func keys(markdown bool, own map[string][]string) string {
	if markdown {
		return viewer.KeysMarkdown()
	}
	return viewer.KeysText(own)
}

func checks() []cli.Check {
	var out []cli.Check
	for _, c := range viewer.Checks() {
		out = append(out, cli.Check{Name: c.Name, OK: c.OK, Detail: c.Detail, Fix: c.Mend})
	}
	return out
}
