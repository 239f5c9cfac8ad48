package viewer

import (
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/integrator"
	"glint/tracer/settings"
)

// reuseGroup is the group of settings that mean something only while ReSTIR renders.
const reuseGroup = "Reuse"

// drawGroups has a heading for each group of the settings table, and a widget for each row that is not on the first level.
func (h *hud) drawGroups(m *model, changed *settings.Settings) {
	for _, group := range settingGroups(m.table) {
		if group == reuseGroup && !integrator.Reuses(m.automatic["integrator"]) {
			continue
		}
		rows := slices.DeleteFunc(slices.Clone(m.table), func(row settings.Setting) bool {
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
func groupTitle(m *model, group string) string {
	if name := m.sideName(); name != "" && m.perImage(group) {
		return name + " · " + group
	}
	return group
}

func settingGroups(table []settings.Setting) []string {
	return groups(table, func(row settings.Setting) string { return row.Group })
}

// drawSetting is the row of a setting.
func (h *hud) drawSetting(label string, row settings.Setting, m *model, changed *settings.Settings) {
	h.pair(label, func() {
		drawWidget(row, changed, m.unit, m.automatic[row.Name])
		h.explain(row, m.mode)
	})
	if r := m.reasons[row.Name]; r.name != "" {
		h.pair(r.name, func() { h.drawValue(r.value, r.why) })
	}
}

// explain shows a tooltip over the last widget: what a setting does, its flag, and the keys that change it.
func (h *hud) explain(row settings.Setting, mode Mode) {
	if !h.explained() || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(panelWidth * h.scale)
	imgui.TextUnformatted(row.Help)
	hint := "--" + row.Name
	if on := settingKeys(h.keys.rows, row.Name, mode); on != "" {
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
func settingKeys(rows []keyRow, name string, mode Mode) string {
	var on []string
	for _, row := range rows {
		if row.setting == name && row.keys[mode] != "" {
			on = append(on, row.keys[mode])
		}
	}
	return strings.Join(on, " / ")
}

// drawSearch is the field that filters all settings.
func (h *hud) drawSearch() {
	if h.leaveSearch > 0 {
		imgui.InternalClearActiveID()
	}
	if h.enterSearch {
		imgui.SetKeyboardFocusHere()
		h.enterSearch = false
	}
	imgui.SetNextItemWidth(-1)
	if imgui.InputTextWithHint("##search", "search all settings (Ctrl+F)", &h.search, imgui.InputTextFlagsEnterReturnsTrue, nil) {
		h.enterFound = h.search != ""
	}
	h.searching = imgui.IsItemActive()
	if h.leaveSearch > 0 {
		h.leaveSearch--
		h.search = ""
	}
	imgui.Spacing()
}

// drawFound lists what the user searches for, of all groups. What is called so comes before what only mentions it.
func (h *hud) drawFound(m *model, changed *settings.Settings) {
	first := slices.DeleteFunc(firstLevel(), func(row firstRow) bool {
		return row.draw == nil || !row.shown(m.scene) || !hasWords(row.label+" "+row.words, h.search)
	})
	rows := foundSettings(m.table, h.search)
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
		imgui.TextColored(colours().accent, group)
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
