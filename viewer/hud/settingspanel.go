package hud

import (
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/integrator"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// drawGroups has a heading for each group of the settings table, and a widget for each row that is not on the first level.
func drawGroups(d *drawing, m *session.Model, changed *settings.Settings) {
	for _, group := range settingGroups(m.Table) {
		if group == session.ReuseGroup && !integrator.Reuses(m.Automatic["integrator"]) {
			continue
		}
		rows := slices.DeleteFunc(slices.Clone(m.Table), func(row settings.Setting) bool {
			return row.Group != group || row.Level == settings.First
		})
		if len(rows) == 0 || !d.headingOf(group, groupTitle(m, group)) || !d.beginPairs(group) {
			continue
		}
		for _, row := range rows {
			drawSetting(d, row.Label, row, m, changed)
		}
		imgui.EndTable()
	}
}

// groupTitle says whose settings a group has, where two sides have their own.
func groupTitle(m *session.Model, group string) string {
	if name := m.SideName(); name != "" && m.PerImage(group) {
		return name + " · " + group
	}
	return group
}

func settingGroups(table []settings.Setting) []string {
	return session.Groups(table, func(row settings.Setting) string { return row.Group })
}
