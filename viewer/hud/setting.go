package hud

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/settings"
	"glint/viewer/session"
)

// drawSetting is the row of a setting.
func drawSetting(d *drawing, label string, row settings.Setting, m *session.Model, changed *settings.Settings) {
	d.pair(label, func() {
		drawWidget(row, changed, m.Unit, m.Automatic[row.Name], lensWords(row, m))
		explain(d, row, m)
	})
}

// lensWords are what photographers call the value of a setting; empty: nothing else.
func lensWords(row settings.Setting, m *session.Model) string {
	if row.Name != "aperture" {
		return ""
	}
	return session.FNumber(m.Settings.Aperture, m.Camera)
}

// explain shows a tooltip over the last widget: what a setting does, its flag, and the keys that change it.
func explain(d *drawing, row settings.Setting, m *session.Model) {
	if !d.explained() || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(PanelWidth * d.Scale)
	imgui.TextUnformatted(row.Help)
	hint := "--" + row.Name
	if on := settingKeys(m.Keys, row.Name, m.Mode); on != "" {
		hint += "   keys: " + on
	}
	if w := widgetOf(row); w == drag || w == intDrag {
		hint += "\nDrag; finer with Shift. A double click lets you type."
	}
	if words := lensWords(row, m); words != "" {
		hint += "\n" + words + " at " + session.FocalLength(m.Camera) + " on full frame (36 × 24 mm)"
	}
	d.faint(hint)
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// settingKeys lists what changes a setting in a mode.
func settingKeys(rows []session.KeyRow, name string, mode session.Mode) string {
	var on []string
	for _, row := range rows {
		if row.Setting == name && row.Keys[mode] != "" {
			on = append(on, row.Keys[mode])
		}
	}
	return strings.Join(on, " / ")
}
