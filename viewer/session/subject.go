package session

import (
	"cmp"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// subject is what the window shows. The camera is that of the picture.
func (st *Stage) subject(camera scene.Camera) view.Subject {
	s := st.Shown
	about := view.Subject{Scene: s.Scene.Name, File: s.file(), Environment: gpuscene.FullEnvironment(st.Light.Spec), Variant: s.Variant,
		Camera: s.Scene.CameraToFile(camera)}
	for _, path := range s.With {
		about.Merged = append(about.Merged, FullPath(path))
	}
	if p := &st.Player; len(st.clips()) > 0 && p.Clip >= 0 {
		about.At, about.Clip = &p.Seconds, s.Scene.Motion.Word(p.Clip)
	}
	return about
}

// Flags are the scene and the flags that show the same picture, for `glint` and `glint render`.
func (s *Stage) Flags(table []settings.Setting, set settings.Settings) string {
	flags := ""
	if scene := cmp.Or(s.Shown.file(), s.Shown.Path); scene != "" {
		flags = Quoted(scene) + " "
	}
	flags += CameraFlags(s.Shown.Scene.CameraToFile(s.Controller.Camera))
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
