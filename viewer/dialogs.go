package viewer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/ncruces/zenity"

	"glint/tracer/guard"
	"glint/viewer/session"
)

// chooseFile lets the user choose a scene.
func (a *app) chooseFile() {
	a.input.capture(false)
	filter := zenity.FileFilter{Name: "glTF scenes, and pictures that glint saved", Patterns: []string{"*.glb", "*.gltf", "*.png", "*.exr"}, CaseFold: true}
	askForFile(a.session, "Open a scene", a.session.Loader.Folder, filter, a.session.Documents.Open)
}

// askForFile opens the desktop's file dialog in a folder; where that is not known or gone, in the working directory. The window goes on
// drawing meanwhile.
func askForFile(s *session.Session, title, folder string, filter zenity.FileFilter, open func(path string)) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		folder = session.FullPath(".")
	}
	inside := strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	var path string
	guard.Go(func() (err error) {
		path, err = zenity.SelectFile(zenity.Title(title), zenity.Filename(inside), zenity.FileFilters{filter})
		return err
	}, func(err error) {
		s.Tasks.Post(func() {
			switch {
			case errors.Is(err, zenity.ErrCanceled):
			case err != nil:
				s.Messages.Warn("No file dialog (" + strings.TrimSpace(err.Error()) + "): install zenity, or drop the file on the window")
			default:
				open(path)
			}
		})
	})
}

// chooseEnvironment opens the desktop's file dialog.
func (a *app) chooseEnvironment() {
	a.input.capture(false)
	var patterns []string
	for _, extension := range session.EnvironmentExtensions() {
		patterns = append(patterns, "*"+extension)
	}
	folder := a.session.Loader.Folder
	if last := a.session.Loader.EnvironmentFiles; len(last) > 0 {
		folder = filepath.Dir(session.FullPath(last[0]))
	}
	filter := zenity.FileFilter{Name: "environments", Patterns: patterns, CaseFold: true}
	askForFile(a.session, "Open an environment", folder, filter, a.session.Loader.OpenEnvironment)
}
