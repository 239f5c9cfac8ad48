package viewer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/ncruces/zenity"

	"glint/tracer/guard"
)

// chooseFile lets the user choose a scene.
func (a *app) chooseFile() {
	a.capture(false)
	filter := zenity.FileFilter{Name: "glTF scenes", Patterns: []string{"*.glb", "*.gltf"}, CaseFold: true}
	askForFile(a.Session, "Open a scene", a.folder, filter, a.open)
}

// askForFile opens the desktop's file dialog in a folder; where that is not known or gone, in the working directory. The window goes on
// drawing meanwhile.
func askForFile(s *Session, title, folder string, filter zenity.FileFilter, open func(path string)) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		folder = fullPath(".")
	}
	inside := strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	var path string
	guard.Go(func() (err error) {
		path, err = zenity.SelectFile(zenity.Title(title), zenity.Filename(inside), zenity.FileFilters{filter})
		return err
	}, func(err error) {
		s.tasks.post(func() {
			switch {
			case errors.Is(err, zenity.ErrCanceled):
			case err != nil:
				s.messages.Warn("No file dialog (" + strings.TrimSpace(err.Error()) + "): install zenity, or drop the file on the window")
			default:
				open(path)
			}
		})
	})
}

// chooseEnvironment opens the desktop's file dialog.
func (a *app) chooseEnvironment() {
	a.capture(false)
	var patterns []string
	for _, extension := range environmentExtensions() {
		patterns = append(patterns, "*"+extension)
	}
	folder := a.folder
	if n := len(a.environmentFiles); n > 0 {
		folder = filepath.Dir(fullPath(a.environmentFiles[n-1]))
	}
	askForFile(a.Session, "Open an environment", folder, zenity.FileFilter{Name: "environments", Patterns: patterns, CaseFold: true}, a.openEnvironment)
}
