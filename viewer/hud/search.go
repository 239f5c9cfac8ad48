package hud

import (
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/settings"
	"glint/viewer/session"
)

// search is what the user searches for among the settings.
type search struct {
	Search      string // empty: nothing
	Searching   bool   // the user types there
	enter       bool   // it shall have the keyboard
	LeaveSearch int    // frames in which it shall be emptied: ImGui gives back what was typed one frame after it ended
}

// leave ends the search.
func (s *search) leave() { s.LeaveSearch = 2 }

// draw shows the field where the user types. It tells whether the keyboard shall go to the first setting found.
func (s *search) draw(d *drawing) (chosen bool) {
	if s.LeaveSearch > 0 {
		imgui.InternalClearActiveID()
	}
	if s.enter {
		imgui.SetKeyboardFocusHere()
		s.enter = false
	}
	imgui.SetNextItemWidth(-1)
	chosen = imgui.InputTextWithHint("##search", d.keyed("search all settings%s", "search"), &s.Search, imgui.InputTextFlagsEnterReturnsTrue, nil) && s.Search != ""
	s.Searching = imgui.IsItemActive()
	if s.LeaveSearch > 0 {
		s.LeaveSearch--
		s.Search = ""
	}
	imgui.Spacing()
	return chosen
}

// drawFound lists what the user searches for, of all groups. What is called so comes before what only mentions it.
func drawFound(d *drawing, words string, m *session.Model, changed *settings.Settings) {
	first := slices.DeleteFunc(searched(), func(row firstRow) bool {
		return row.draw == nil || !row.shown(m.Scene) || !hasWords(row.label+" "+row.words, words)
	})
	rows := foundSettings(m.Table, words)
	if len(first)+len(rows) == 0 {
		d.faint("no setting is called that")
		return
	}
	if len(first) > 0 && d.beginPairs("found first") {
		for _, row := range first {
			d.pair(strings.TrimSpace(row.label), func() { row.draw(d, m) })
		}
		imgui.EndTable()
	}
	for _, group := range settingGroups(rows) {
		imgui.TextColored(Colors().Accent, group)
		if !d.beginPairs("found " + group) {
			continue
		}
		for _, row := range rows {
			if row.Group == group {
				drawSetting(d, row.Label, row, m, changed)
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
