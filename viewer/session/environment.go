package session

import (
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer/gpuscene"
)

// Lighting is an environment, and what it was made of as --env writes that: a file, a radiance, none, or nothing where the
// scene decides.
type Lighting struct {
	Spec        string
	Environment *gpuscene.Environment
}

// Environments are those that need no file.
func Environments() []Choice {
	choices := []Choice{{Name: "the scene's", Value: "", Help: "The lights of the scene, or a studio where it has none."}}
	for _, e := range gpuscene.BuiltinEnvironments() {
		choices = append(choices, Choice{Name: e.Label, Value: e.Spec, Help: e.Help})
	}
	return choices
}

// EnvironmentExtensions are of the files that are taken for environments.
func EnvironmentExtensions() []string { return []string{".hdr", ".exr", ".pfm"} }

// IsEnvironment tells whether a file is taken for an environment.
func IsEnvironment(path string) bool {
	return slices.Contains(EnvironmentExtensions(), strings.ToLower(filepath.Ext(path)))
}

// environmentName is what an environment is called.
func environmentName(spec string) string {
	for _, c := range Environments() {
		if c.Value == spec {
			return c.Name
		}
	}
	return filepath.Base(spec)
}
