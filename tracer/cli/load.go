package cli

import (
	"os"
	"slices"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/scene"
)

// LoadScene opens a file, or makes the built-in scene of that name; the empty name is the default scene. Meshes that repeat are
// kept once where their copies would take too much of the device.
func LoadScene(name string, on tracer.Options, progress func(stage string, fraction float64)) (*scene.Scene, error) {
	if name == "" {
		name = builtin.Default
	}
	isBuiltin := slices.ContainsFunc(builtin.List(), func(i builtin.Info) bool { return i.Name == name })
	if _, err := os.Stat(name); isBuiltin && err != nil {
		return builtin.Make(name, builtin.Options{})
	}
	return scene.Load(name, scene.Options{Scene: -1, Progress: progress, BakedBytes: tracer.RoomForCopies(on)})
}
