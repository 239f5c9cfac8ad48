package session

import (
	"path/filepath"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Choices are the settings that a scene is prepared for: where others are wanted, it is prepared again.
type Choices struct {
	Floor  bool
	Filter string // of textures
}

func choicesOf(s *settings.Settings) Choices { return Choices{s.Floor, s.TextureFilter} }

// restore has settings ask for these.
func (c Choices) restore(s *settings.Settings) { s.Floor, s.TextureFilter = c.Floor, c.Filter }

// changed is what the user calls a choice that differs; empty where none does.
func (c Choices) changed(wanted Choices) string {
	switch {
	case c.Floor != wanted.Floor:
		return "floor"
	case c.Filter != wanted.Filter:
		return "texture filter"
	}
	return ""
}

// Source is where the scene on the screen comes from.
type Source struct {
	Path    string   // as it was opened; empty where it was never a file
	Variant string   // of its materials, empty for its default
	With    []string // files that were merged into it
}

// ShownScene is the scene on the screen.
type ShownScene struct {
	Prepared *gpuscene.Prepared
	Scene    *scene.Scene
	Camera   int // the camera of the file that was chosen last
	Choices  Choices
	report   *ReportModel
	visited  visit
	Source
}

// file is the full path that the scene was read from; empty where it is built in.
func (s *ShownScene) file() string {
	if read := s.Scene.Report.Files; len(read) == 0 || read[0].Path != s.Path {
		return ""
	}
	return FullPath(s.Path)
}

// FullPath is a path from the root, where that can be said.
func FullPath(path string) string {
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
