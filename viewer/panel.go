package viewer

import (
	"fmt"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/settings"
)

const (
	labelShare = 0.47 // of the panel's width
	plotHeight = 46   // at a content scale of 1
)

// drawPanel shows what is being rendered, how fast, and every setting.
func (h *hud) drawPanel(m *model) {
	h.scrolling("##panel", h.at.panel, func() {
		h.drawTitle(m)
		h.drawStatus(m)
		h.drawCompare(m.compare, m.scene != nil)
		h.drawSettings(m)
		h.drawView(m)
		h.drawNotes(m)
		h.faint("F1 keys   Tab " + other(m.mode).String() + "   I statistics   H hide")
	})
}

func other(m Mode) Mode { return (m + 1) % modes }

func (h *hud) drawTitle(m *model) {
	name, about := "glint", "no scene yet"
	if s := m.scene; s != nil {
		name, about = s.name, grouped(s.triangles)+" triangles"
		if s.cameras > 0 {
			about += fmt.Sprintf(" · camera %d of %d", s.camera+1, s.cameras)
		}
	}
	imgui.PushFont(h.title, titleSize)
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(name)
	imgui.PopTextWrapPos()
	imgui.PopFont()
	h.faint(about)
	imgui.Spacing()
}

// drawSettings has one heading for each group of the settings table, and one widget for each row.
func (h *hud) drawSettings(m *model) {
	changed := m.settings
	for _, group := range settingGroups(m.table) {
		heading := group
		if name := m.sideName(); name != "" && m.perImage(group) {
			heading = name + " · " + group + "###" + group // ImGui identifies a heading by what follows ###
		}
		if !h.heading(heading) || !h.beginPairs(group) {
			continue
		}
		for _, row := range m.table {
			if row.Group == group {
				h.pair(row.Label, func() { drawWidget(row, &changed, m.unit) })
				h.explain(row, m.mode)
			}
		}
		imgui.EndTable()
	}
	if changed != m.settings {
		h.act(func(a *app) { a.active.settings = changed })
	}
}

func settingGroups(table []settings.Setting) []string {
	return groups(table, func(row settings.Setting) string { return row.Group })
}

// heading draws a heading that opens and closes what is below it; true when that is open.
func (h *hud) heading(name string) bool {
	imgui.PushFont(h.title, textSize)
	open := imgui.CollapsingHeaderTreeNodeFlagsV(name, imgui.TreeNodeFlagsDefaultOpen)
	imgui.PopFont()
	return open
}

// beginPairs starts a table of names and values. End it with imgui.EndTable when it is true.
func (h *hud) beginPairs(id string) bool {
	if !imgui.BeginTableV("##"+id, 2, imgui.TableFlagsSizingStretchProp, imgui.Vec2{}, 0) {
		return false
	}
	imgui.TableSetupColumnV("name", imgui.TableColumnFlagsWidthStretch, labelShare, 0)
	imgui.TableSetupColumnV("value", imgui.TableColumnFlagsWidthStretch, 1-labelShare, 0)
	return true
}

// pair is one row: a name, and what draws its value.
func (h *hud) pair(name string, value func()) {
	imgui.TableNextRow()
	imgui.TableNextColumn()
	imgui.AlignTextToFramePadding()
	h.faint(name)
	imgui.TableNextColumn()
	value()
}

func (h *hud) faint(text string) {
	imgui.PushStyleColorVec4(imgui.ColText, colours().faint)
	imgui.TextUnformatted(text)
	imgui.PopStyleColor()
}

// explain shows a tooltip over the last widget: what a setting does, its flag, and the keys that change it.
func (h *hud) explain(row settings.Setting, mode Mode) {
	if !imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip) || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(panelWidth * h.scale)
	imgui.TextUnformatted(row.Help)
	hint := "--" + row.Name
	if on := settingKeys(row.Name, mode); on != "" {
		hint += "   keys: " + on
	}
	h.faint(hint)
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// settingKeys lists what changes a setting in a mode.
func settingKeys(name string, mode Mode) string {
	var on []string
	for _, row := range bindings() {
		if row.setting == name && len(row.on[mode]) > 0 {
			on = append(on, row.keysIn(mode))
		}
	}
	return strings.Join(on, " / ")
}

// drawView says where the camera is, and copies it as flags.
func (h *hud) drawView(m *model) {
	if m.scene == nil || !h.heading("View") || !h.beginPairs("view") {
		return
	}
	h.pair("mode", func() { imgui.TextUnformatted(m.mode.String()) })
	h.pair("eye", func() { imgui.TextUnformatted(coordinates(m.camera.Eye, " ")) })
	h.pair("target", func() { imgui.TextUnformatted(coordinates(m.camera.Target, " ")) })
	h.pair("focus", func() { imgui.TextUnformatted(m.focus) })
	imgui.EndTable()
	if imgui.ButtonV("copy as flags", imgui.NewVec2(-1, 0)) {
		h.act((*app).copyCamera)
	}
}

// drawNotes shows what the user should know about the scene.
func (h *hud) drawNotes(m *model) {
	if len(m.notes) == 0 || !h.heading("Notes") {
		return
	}
	imgui.PushStyleColorVec4(imgui.ColText, colours().accent)
	imgui.PushTextWrapPos()
	for _, note := range m.notes {
		imgui.TextUnformatted(note)
	}
	imgui.PopTextWrapPos()
	imgui.PopStyleColor()
}
