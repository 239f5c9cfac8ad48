package viewer

import (
	"fmt"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer"
	"glint/tracer/settings"
)

const (
	panelWidth = 318 // at a content scale of 1
	margin     = 14
	labelShare = 0.44 // of the panel's width
	plotHeight = 46
)

// drawPanel shows what is being rendered, how fast, and every setting.
func (h *hud) drawPanel(a *app) {
	size := imgui.MainViewport().Size()
	imgui.SetNextWindowPos(imgui.NewVec2(margin*h.scale, margin*h.scale))
	width := min(panelWidth*h.scale, size.X-2*margin*h.scale)
	imgui.SetNextWindowSizeConstraints(imgui.NewVec2(width, 0), imgui.NewVec2(width, size.Y-2*margin*h.scale))
	const flags = imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoMove | imgui.WindowFlagsNoResize |
		imgui.WindowFlagsAlwaysAutoResize | imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsNoNav
	if imgui.BeginV("panel", nil, flags) {
		h.panelMin = imgui.WindowPos()
		h.panelMax = h.panelMin.Add(imgui.WindowSize())
		h.drawTitle(a)
		h.drawStatus(a)
		h.drawCompare(a)
		h.drawSettings(a)
		h.drawView(a)
		h.drawNotes(a)
		h.faint("F1 keys   Tab " + other(a.mode).String() + "   I statistics   H hide")
	}
	imgui.End()
}

func other(m Mode) Mode { return (m + 1) % modes }

func (h *hud) drawTitle(a *app) {
	name, about := "glint", "no scene yet"
	if a.shown != nil {
		s := a.shown.scene
		name, about = s.Name, grouped(s.Triangles())+" triangles"
		if n := len(s.Cameras); n > 0 {
			about += fmt.Sprintf(" · camera %d of %d", a.shown.camera+1, n)
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
func (h *hud) drawSettings(a *app) {
	table := tracer.SettingsTable()
	for _, group := range settingGroups(table) {
		if !h.heading(groupHeading(a, group)) || !h.beginPairs(group) {
			continue
		}
		for _, row := range table {
			if row.Group == group {
				h.pair(label(row), func() { drawWidget(row, &a.settings, a.rig.unit) })
				h.explain(row, a.mode)
			}
		}
		imgui.EndTable()
	}
}

// groupHeading names the side that a group of settings is of, when there are two.
func groupHeading(a *app, group string) string {
	if a.comparing() && perSide(settings.Setting{Group: group}) {
		return a.name + " · " + group + "###" + group // what follows ### tells headings apart
	}
	return group
}

func settingGroups(table []settings.Setting) []string {
	return groups(table, func(row settings.Setting) string { return row.Group })
}

// heading opens and closes what stands under it.
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

// explain says, over the widget drawn last, what a setting does, its flag, and the keys that change it.
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
func (h *hud) drawView(a *app) {
	if a.shown == nil || !h.heading("View") || !h.beginPairs("view") {
		return
	}
	c := a.rig.camera
	h.pair("mode", func() { imgui.TextUnformatted(a.mode.String()) })
	h.pair("eye", func() { imgui.TextUnformatted(coordinates(c.Eye, " ")) })
	h.pair("target", func() { imgui.TextUnformatted(coordinates(c.Target, " ")) })
	h.pair("focus", func() { imgui.TextUnformatted(focusText(a)) })
	imgui.EndTable()
	if imgui.ButtonV("copy as flags", imgui.NewVec2(-1, 0)) {
		a.window.SetClipboardString(cameraFlags(c))
		a.say("copied: " + cameraFlags(c))
	}
}

func focusText(a *app) string {
	if a.settings.Focus > 0 {
		return withUnit(a.settings.Focus, "m")
	}
	return withUnit(float64(a.rig.distance()), "m") + " (target)"
}

// drawNotes shows what the user should know about the scene.
func (h *hud) drawNotes(a *app) {
	notes := noteLines(a)
	if len(notes) == 0 || !h.heading("Notes") {
		return
	}
	imgui.PushStyleColorVec4(imgui.ColText, colours().accent)
	imgui.PushTextWrapPos()
	for _, note := range notes {
		imgui.TextUnformatted(note)
	}
	imgui.PopTextWrapPos()
	imgui.PopStyleColor()
}

// noteLines are about the scene, and about a device that is not the best one.
func noteLines(a *app) []string {
	var notes []string
	if a.shown != nil {
		notes = append(append(notes, a.shown.prepared.Notes...), a.shown.scene.Report.Warnings...)
	}
	if a.device != nil && a.device.Backend().Why != "" {
		notes = append(notes, "The CPU renders: "+a.device.Backend().Why)
	}
	return notes
}
