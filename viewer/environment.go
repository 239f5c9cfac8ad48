package viewer

import (
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer/gpuscene"
	"glint/viewer/session"
)

// lighting is an environment, and what it was made of as --env writes that: a file, a radiance, none, or nothing where the
// scene decides.
type lighting struct {
	spec        string
	environment *gpuscene.Environment
}

// environments are those that need no file.
func environments() []session.Choice {
	choices := []session.Choice{{Name: "the scene's", Value: "", Help: "The lights of the scene, or a studio where it has none."}}
	for _, e := range gpuscene.BuiltinEnvironments() {
		choices = append(choices, session.Choice{Name: e.Label, Value: e.Spec, Help: e.Help})
	}
	return choices
}

// environmentExtensions are of the files that are taken for environments.
func environmentExtensions() []string { return []string{".hdr", ".exr", ".pfm"} }

func isEnvironment(path string) bool {
	return slices.Contains(environmentExtensions(), strings.ToLower(filepath.Ext(path)))
}

// environmentName is what an environment is called.
func environmentName(spec string) string {
	for _, c := range environments() {
		if c.Value == spec {
			return c.Name
		}
	}
	return filepath.Base(spec)
}
