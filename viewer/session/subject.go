package session

import (
	"cmp"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// subject is what the window shows. The camera is that of the picture.
func (s *Stage) subject(camera scene.Camera) view.Subject {
	shown := s.Shown
	about := view.Subject{Scene: shown.Scene.Name, File: shown.file(), Environment: gpuscene.FullEnvironment(s.Light.Spec), Variant: shown.Variant,
		Camera: shown.Scene.CameraToFile(camera)}
	for _, path := range shown.With {
		about.Merged = append(about.Merged, FullPath(path))
	}
	if p := &s.Player; len(s.clips()) > 0 && p.Clip >= 0 {
		about.At, about.Clip = &p.Seconds, shown.Scene.Motion.Word(p.Clip)
	}
	return about
}

// Flags are the scene and the flags that show the same picture, for `glint` and `glint render`.
func (s *Stage) Flags(table []settings.Setting, set settings.Settings) string {
	flags := ""
	if scene := cmp.Or(s.Shown.file(), s.Shown.Path); scene != "" {
		flags = Quoted(scene) + " "
	}
	flags += CameraFlags(s.Shown.Scene.CameraToFile(s.Camera.Camera))
	flags += s.PlayFlags()
	if s.Shown.Variant != "" {
		flags += " --variant " + Quoted(s.Shown.Variant)
	}
	if s.Light.Spec != "" {
		flags += " --env " + Quoted(gpuscene.FullEnvironment(s.Light.Spec))
	}
	if changed := SettingFlags(table, set); changed != "" {
		flags += " " + changed
	}
	return flags
}
