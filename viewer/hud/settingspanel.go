package hud

import (
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/integrator"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// reuseGroup is the group of settings that mean something only while ReSTIR renders.
const reuseGroup = "Reuse"

// drawGroups has a heading for each group of the settings table, and a widget for each row that is not on the first level.
func (h *HUD) drawGroups(m *session.Model, changed *settings.Settings) {
	for _, group := range settingGroups(m.Table) {
		if group == reuseGroup && !integrator.Reuses(m.Automatic["integrator"]) {
			continue
		}
		rows := slices.DeleteFunc(slices.Clone(m.Table), func(row settings.Setting) bool {
			return row.Group != group || isFirst(row.Name)
		})
		if len(rows) == 0 || !h.headingOf(group, groupTitle(m, group)) || !h.beginPairs(group) {
			continue
		}
		for _, row := range rows {
			h.drawSetting(row.Label, row, m, changed)
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

// drawSetting is the row of a setting.
func (h *HUD) drawSetting(label string, row settings.Setting, m *session.Model, changed *settings.Settings) {
	h.pair(label, func() {
		drawWidget(row, changed, m.Unit, m.Automatic[row.Name])
		h.explain(row, m.Mode)
	})
	if r := m.Reasons[row.Name]; r.Name != "" {
		h.pair(r.Name, func() { h.drawValue(r.Value, r.Why) })
	}
}

// explain shows a tooltip over the last widget: what a setting does, its flag, and the keys that change it.
func (h *HUD) explain(row settings.Setting, mode session.Mode) {
	if !h.explained() || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(PanelWidth * h.Scale)
	imgui.TextUnformatted(row.Help)
	hint := "--" + row.Name
	if on := settingKeys(h.keys.Rows, row.Name, mode); on != "" {
		hint += "   keys: " + on
	}
	if w := widgetOf(row); w == drag || w == intDrag {
		hint += "\nDrag; finer with Shift. A double click lets you type."
	}
	h.faint(hint)
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

// drawSearch is the field that filters all settings.
func (h *HUD) drawSearch() {
	if h.LeaveSearch > 0 {
		imgui.InternalClearActiveID()
	}
	if h.EnterSearch {
		imgui.SetKeyboardFocusHere()
		h.EnterSearch = false
	}
	imgui.SetNextItemWidth(-1)
	if imgui.InputTextWithHint("##search", "search all settings (Ctrl+F)", &h.Search, imgui.InputTextFlagsEnterReturnsTrue, nil) {
		h.enterFound = h.Search != ""
	}
	h.Searching = imgui.IsItemActive()
	if h.LeaveSearch > 0 {
		h.LeaveSearch--
		h.Search = ""
	}
	imgui.Spacing()
}

// drawFound lists what the user searches for, of all groups. What is called so comes before what only mentions it.
func (h *HUD) drawFound(m *session.Model, changed *settings.Settings) {
	first := slices.DeleteFunc(firstLevel(), func(row firstRow) bool {
		return row.draw == nil || !row.shown(m.Scene) || !hasWords(row.label+" "+row.words, h.Search)
	})
	rows := foundSettings(m.Table, h.Search)
	if len(first)+len(rows) == 0 {
		h.faint("no setting is called that")
		return
	}
	if len(first) > 0 && h.beginPairs("found first") {
		for _, row := range first {
			h.pair(strings.TrimSpace(row.label), func() { row.draw(h, m) })
		}
		imgui.EndTable()
	}
	for _, group := range settingGroups(rows) {
		imgui.TextColored(Colours().Accent, group)
		if !h.beginPairs("found " + group) {
			continue
		}
		for _, row := range rows {
			if row.Group == group {
				h.drawSetting(row.Label, row, m, changed)
			}
		}
		imgui.EndTable()
	}
}

// foundSettings are those that have all the words that the user searches for, those that are called so first.
func foundSettings(table []settings.Setting, words string) []settings.Setting {
	var called, mention []settings.Setting
	for _, row := range table {
		names := strings.Join([]string{row.Label, "--" + row.Name, row.Words}, " ")
		switch {
		case hasWords(names, words):
			called = append(called, row)
		case hasWords(strings.Join(append([]string{names, row.Group, row.Help}, row.Choices...), " "), words):
			mention = append(mention, row)
		}
	}
	return append(called, mention...)
}

// hasWords tells whether a text has all of some words.
func hasWords(text, words string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool { return !strings.Contains(text, word) })
}
