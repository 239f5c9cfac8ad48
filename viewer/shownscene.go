package viewer

import (
	"path/filepath"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// choices are the settings that a scene is prepared for: where others are wanted, it is prepared anew.
type choices struct {
	floor  bool
	filter string // of textures
}

func choicesOf(s *settings.Settings) choices { return choices{s.Floor, s.TextureFilter} }

// restore has settings ask for these.
func (c choices) restore(s *settings.Settings) { s.Floor, s.TextureFilter = c.floor, c.filter }

// changed is what the user calls a choice that differs; empty where none does.
func (c choices) changed(wanted choices) string {
	switch {
	case c.floor != wanted.floor:
		return "floor"
	case c.filter != wanted.filter:
		return "texture filter"
	}
	return ""
}

// source is where the scene on the screen comes from.
type source struct {
	path    string   // as it was opened; empty where it was never a file
	variant string   // of its materials, empty for its default
	with    []string // files that were merged into it
}

// shownScene is the scene on the screen.
type shownScene struct {
	prepared *gpuscene.Prepared
	scene    *scene.Scene
	camera   int // the camera of the file that was chosen last
	choices  choices
	report   *session.ReportModel
	visited  visit
	source
}

// file is the full path that the scene was read from; empty where it is built in.
func (s *shownScene) file() string {
	if read := s.scene.Report.Files; len(read) == 0 || read[0].Path != s.path {
		return ""
	}
	return fullPath(s.path)
}

func fullPath(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// visit is the place of a line of the report that was shown last.
type visit struct {
	line  string
	place int
}
