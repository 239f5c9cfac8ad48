package viewer

import (
	"cmp"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

// subject is what the window shows. The camera is that of the picture.
func (st *stage) subject(camera scene.Camera) view.Subject {
	s := st.shown
	about := view.Subject{Scene: s.scene.Name, File: s.file(), Environment: gpuscene.FullEnvironment(st.light.spec), Variant: s.variant,
		Camera: s.scene.CameraToFile(camera)}
	for _, path := range s.with {
		about.Merged = append(about.Merged, fullPath(path))
	}
	if p := &st.player; len(st.clips()) > 0 && p.clip >= 0 {
		about.At, about.Clip = &p.seconds, s.scene.Motion.Word(p.clip)
	}
	return about
}

// flags are the scene and the flags that show the same picture, for `glint` and `glint render`.
func (s *stage) flags(table []settings.Setting, set settings.Settings) string {
	flags := ""
	if scene := cmp.Or(s.shown.file(), s.shown.path); scene != "" {
		flags = session.Quoted(scene) + " "
	}
	flags += session.CameraFlags(s.shown.scene.CameraToFile(s.controller.Camera))
	flags += s.playFlags()
	if s.shown.variant != "" {
		flags += " --variant " + session.Quoted(s.shown.variant)
	}
	if s.light.spec != "" {
		flags += " --env " + session.Quoted(gpuscene.FullEnvironment(s.light.spec))
	}
	if changed := session.SettingFlags(table, set); changed != "" {
		flags += " " + changed
	}
	return flags
}
