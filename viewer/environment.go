package viewer

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/ncruces/zenity"

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

// environmentInUse is what the environment is called that lights the scene.
func (a *app) environmentInUse() string {
	if a.light.spec == "" {
		return a.sceneEnvironment()
	}
	return environmentName(a.light.spec)
}

// sceneEnvironment is what a scene has where the user chooses none.
func (a *app) sceneEnvironment() string {
	if a.light.spec == "" && a.shown != nil && a.shown.prepared.Added != "" {
		return "studio (added)"
	}
	return environmentName("")
}

// openEnvironment lights the scene by another environment.
func (a *app) openEnvironment(spec string) {
	a.pending = nil
	a.request(request{path: spec, environment: true})
}

// chooseEnvironment opens the desktop's file dialog.
func (a *app) chooseEnvironment() {
	var patterns []string
	for _, extension := range environmentExtensions() {
		patterns = append(patterns, "*"+extension)
	}
	folder := a.folder
	if n := len(a.environmentFiles); n > 0 {
		folder = filepath.Dir(fullPath(a.environmentFiles[n-1]))
	}
	a.askForFile("Open an environment", folder, zenity.FileFilter{Name: "environments", Patterns: patterns, CaseFold: true}, a.openEnvironment)
}
