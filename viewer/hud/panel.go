package hud

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/settings"
	"glint/viewer/session"
)

const (
	LabelShare = 0.47 // of the panel's width
	plotHeight = 46   // at a content scale of 1
)

// drawPanel shows what most users want, and everything else below headings.
func (h *HUD) drawPanel(m *session.Model) {
	h.scrolling("##panel", h.At.Panel, func() {
		changed := m.Settings
		h.drawTitle(m)
		h.drawSearch()
		if h.Search != "" {
			h.drawFound(m, &changed)
		} else {
			h.drawButtons(m)
			h.drawFirstLevel(m, &changed)
			h.drawPlay(m.Play)
			h.drawCompare(m.Compare, m.Scene != nil)
			h.drawGroups(m, &changed)
			h.drawStatus(m)
			h.drawView(m)
			h.drawNotes(m)
			h.drawPageButtons(m)
		}
		if h.keyboard && !imgui.IsWindowFocusedV(imgui.FocusedFlagsChildWindows) { // the user has clicked elsewhere
			h.TakeKeyboard(false)
		}
		if changed != m.Settings {
			h.act(session.SetSettings{Settings: changed})
		}
	})
}

// drawTitle names the scene, and says how far its picture is.
func (h *HUD) drawTitle(m *session.Model) {
	name, about := "glint", "no scene yet"
	if s := m.Scene; s != nil {
		name, about = s.Name, session.Count(s.Triangles, "triangle")
		if len(s.Cameras) > 0 {
			about += " · " + session.Count(len(s.Cameras), "camera")
		}
		if s.Findings > 0 {
			about += " · " + session.Count(s.Findings, "finding")
		}
	}
	imgui.PushFont(h.title, titleSize)
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(name)
	imgui.PopTextWrapPos()
	imgui.PopFont()
	h.faint(about)
	imgui.TextUnformatted(cmp.Or(m.Progress, " "))
	imgui.Spacing()
}

// button is one of several in a line.
type button struct {
	name, help string
	on         bool // it is a choice, and this one is taken
	do         session.Command
}

// drawButtons are actions without a value: files, and the way to move.
func (h *HUD) drawButtons(m *session.Model) {
	h.buttonRow([]button{
		{name: "open…", help: "Open a scene (O). Files can also be dropped on the window.", do: session.ChooseScene{}},
		{name: "save PNG", help: "Save what is shown, in the working directory (P).", do: session.SaveImage{}},
		{name: "save EXR", help: "Save the radiance, in the working directory (Shift+P).", do: session.SaveRadiance{}},
	})
	h.buttonRow([]button{
		{name: "orbit", help: "Drag to turn, the wheel zooms (Tab).", on: m.Mode == session.Orbit, do: session.SetMode{Mode: session.Orbit}},
		{name: "fly", help: "W A S D, Q and E fly, the mouse looks around (Tab). Esc frees the mouse.", on: m.Mode == session.Fly, do: session.SetMode{Mode: session.Fly}},
	})
}

// drawPageButtons opens what does not fit into a panel.
func (h *HUD) drawPageButtons(m *session.Model) {
	imgui.Spacing()
	h.buttonRow([]button{
		{name: "keys", help: "All keys (F1).", do: session.ShowKeys{}},
		{name: "statistics", help: "Where the time goes (I).", on: m.Page == session.StatisticsPage, do: session.TurnTo{Page: session.StatisticsPage}},
		{name: "report", help: "What of the file is drawn otherwise than it says (Shift+I).", on: m.Page == session.ReportPage, do: session.TurnTo{Page: session.ReportPage}},
		{name: "hide", help: "Hide this panel. H shows it again.", do: session.TogglePanel{}},
	})
}

// buttonRow draws buttons of equal width over the width of the panel.
func (h *HUD) buttonRow(row []button) {
	gap := imgui.CurrentStyle().ItemSpacing().X
	width := (imgui.ContentRegionAvail().X - float32(len(row)-1)*gap) / float32(len(row))
	for i, b := range row {
		if i > 0 {
			imgui.SameLine()
		}
		ground, ink := Colours().field, Colours().ink
		if b.on {
			ground = Colours().grab
		}
		imgui.PushStyleColorVec4(imgui.ColButton, ground)
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		if imgui.ButtonV(b.name, imgui.NewVec2(width, 0)) {
			h.act(b.do)
		}
		imgui.PopStyleColorV(2)
		h.tip(b.help)
	}
}

// explained tells whether the mouse rests on the last widget, or on the name of its row.
func (h *HUD) explained() bool {
	return h.overName || imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip)
}

// tip explains the last widget while the mouse rests on it.
func (h *HUD) tip(text string) {
	if text == "" || !h.explained() || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(PanelWidth * h.Scale)
	imgui.TextUnformatted(text)
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// firstRow is a row that is always in sight: a setting, or what draws itself.
type firstRow struct {
	setting string
	label   string // in place of the setting's
	words   string // others that users look for what draws itself by
	draw    func(h *HUD, m *session.Model)
	when    func(s *session.SceneModel) bool // of what draws itself; nil: always
}

// firstLevel lists the rows that are in sight without unfolding anything.
func firstLevel() []firstRow {
	return []firstRow{
		{label: "scene", words: "open file model glTF glb mesh", draw: (*HUD).drawScenes},
		{label: "environment", words: "HDRI HDR sky background world sun studio image-based lighting IBL", draw: (*HUD).drawEnvironments},
		{setting: "env-rotation", label: "  rotation"},
		{setting: "env-strength", label: "  strength"},
		{setting: "floor"},
		{label: "variant", words: "materials colors KHR_materials_variants", draw: (*HUD).drawVariants, when: func(s *session.SceneModel) bool { return len(s.Variants) > 0 }},
		{label: "camera", words: "view viewpoint whole scene reset", draw: (*HUD).drawCameras},
		{label: "field of view", words: "FOV zoom focal length lens angle perspective", draw: (*HUD).drawFieldOfView},
		{setting: "integrator"},
		{setting: "denoise"},
		{setting: "exposure"},
		{setting: "aperture"},
		{setting: "focus"},
	}
}

// shown tells whether a row is shown for a scene, which is nil until there is one.
func (row firstRow) shown(s *session.SceneModel) bool {
	return s != nil && (row.when == nil || row.when(s))
}

// isFirst tells whether a setting is on the first level.
func isFirst(name string) bool {
	for _, row := range firstLevel() {
		if row.setting == name {
			return true
		}
	}
	return false
}

func (h *HUD) drawFirstLevel(m *session.Model, changed *settings.Settings) {
	if !h.beginPairs("first") {
		return
	}
	for _, first := range firstLevel() {
		row, isSetting := settings.Lookup(m.Table, first.setting)
		switch {
		case isSetting:
			h.drawSetting(cmp.Or(first.label, row.Label), row, m, changed)
		case first.shown(m.Scene):
			h.pair(first.label, func() { first.draw(h, m) })
		}
	}
	imgui.EndTable()
	imgui.Spacing()
}

// list is a list of choices that are no setting; take is asked for the one that the user clicks.
func (h *HUD) list(id, current string, choices []session.Choice, take func(session.Choice) session.Command) {
	imgui.SetNextItemWidth(-1)
	if !imgui.BeginComboV(id, current, imgui.ComboFlagsHeightLarge) {
		h.tip(whole(current, choices))
		return
	}
	h.overName = false // tips are of the choices
	defer imgui.EndCombo()
	for i, c := range choices {
		if imgui.SelectableBoolV(fmt.Sprintf("%s###%d", c.Name, i), c.Name == current, 0, imgui.Vec2{}) {
			h.act(take(c))
		}
		h.tip(c.Help)
	}
}

// whole is the choice that is taken, with its name in full, which the list may cut off, and what it is.
func whole(current string, choices []session.Choice) string {
	for _, c := range choices {
		if c.Name == current && c.Help != "" {
			return current + "\n" + c.Help
		}
	}
	return current
}

const openFile = "open a file…"

// drawScenes is the list of built-in scenes and of files that were opened.
func (h *HUD) drawScenes(m *session.Model) {
	choices := append([]session.Choice{{Name: openFile}}, m.Scenes...)
	h.list("##scene", m.Scene.Name, choices, func(c session.Choice) session.Command {
		if c.Name == openFile {
			return session.ChooseScene{}
		}
		return session.OpenScene{Path: c.Value}
	})
}

func (h *HUD) drawEnvironments(m *session.Model) {
	choices := append([]session.Choice{{Name: openFile}}, m.Environments...)
	h.list("##environment", m.Environment, choices, func(c session.Choice) session.Command {
		if c.Name == openFile {
			return session.ChooseEnvironment{}
		}
		return session.OpenEnvironment{Spec: c.Value}
	})
}

// drawCameras is the list of the scene's cameras, and the view of the whole scene.
func (h *HUD) drawCameras(m *session.Model) {
	const whole = "whole scene"
	choices := []session.Choice{{Name: whole, Help: "See the whole scene (Home)."}}
	for i, name := range m.Scene.Cameras {
		choices = append(choices, session.Choice{Name: fmt.Sprintf("%d  %s", i, name), Value: name})
	}
	current := whole
	if at := m.Scene.Camera; at >= 0 && at < len(m.Scene.Cameras) {
		current = choices[1+at].Name
	}
	h.list("##camera", current, choices, func(c session.Choice) session.Command {
		for i := range m.Scene.Cameras {
			if choices[1+i] == c {
				return session.LookThrough{Camera: i}
			}
		}
		return session.FrameScene{}
	})
}

const (
	leastFieldOfView = 2 // degrees
	mostFieldOfView  = 150
)

// drawFieldOfView edits the camera's angle; a parallel view has none.
func (h *HUD) drawFieldOfView(m *session.Model) {
	if m.Camera.Orthographic > 0 {
		imgui.TextUnformatted("parallel")
		return
	}
	angle := m.Camera.VFov
	imgui.SetNextItemWidth(-1)
	if imgui.SliderFloatV("##vfov", &angle, leastFieldOfView, mostFieldOfView, "%.3g deg", imgui.SliderFlagsAlwaysClamp) {
		h.act(session.SetFieldOfView{Degrees: angle})
	}
	h.tip("Vertical field of view.\n--vfov")
}

// CompareHeading is the one that is open at first.
const CompareHeading = "Compare"

// heading draws a heading that opens and closes what is below it; true when that is open.
func (h *HUD) heading(name string) bool { return h.headingOf(name, name) }

// headingOf draws a heading under a title that may change.
func (h *HUD) headingOf(name, title string) bool {
	imgui.PushFont(h.title, textSize)
	imgui.PushStyleVarVec2(imgui.StyleVarFramePadding, imgui.NewVec2(2*h.Scale, h.Scale))
	imgui.SetNextItemOpenV(h.unfolded[name], imgui.CondAlways)
	h.unfolded[name] = imgui.CollapsingHeaderTreeNodeFlagsV(title+"###"+name, 0) // ImGui goes by what follows ###
	imgui.PopStyleVar()
	imgui.PopFont()
	return h.unfolded[name]
}

// Unfold opens these headings, or for nil those that are open at first, and no others.
func (h *HUD) Unfold(names []string) {
	if names == nil {
		names = []string{CompareHeading}
	}
	h.unfolded = map[string]bool{}
	for _, name := range names {
		h.unfolded[name] = true
	}
}

// UnfoldedHeadings are those that are open.
func (h *HUD) UnfoldedHeadings() []string {
	names := []string{} // not nil, which stands for the first start
	for _, name := range slices.Sorted(maps.Keys(h.unfolded)) {
		if h.unfolded[name] {
			names = append(names, name)
		}
	}
	return names
}

// beginPairs starts a table of names and values. End it with imgui.EndTable when it is true.
func (h *HUD) beginPairs(id string) bool {
	if !imgui.BeginTableV("##"+id, 2, imgui.TableFlagsSizingStretchProp, imgui.Vec2{}, 0) {
		return false
	}
	imgui.TableSetupColumnV("name", imgui.TableColumnFlagsWidthStretch, LabelShare, 0)
	imgui.TableSetupColumnV("value", imgui.TableColumnFlagsWidthStretch, 1-LabelShare, 0)
	return true
}

// pair is one row: a name, and what draws its value.
func (h *HUD) pair(name string, value func()) {
	imgui.TableNextRow()
	imgui.TableNextColumn()
	imgui.AlignTextToFramePadding()
	imgui.PushTextWrapPos()
	h.faint(name)
	imgui.PopTextWrapPos()
	h.overName = imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip)
	imgui.TableNextColumn()
	if h.enterFound {
		h.enterFound = false
		imgui.SetKeyboardFocusHere()
		imgui.SetNavCursorVisible(true)
	}
	value()
	h.overName = false
}

func (h *HUD) faint(text string) {
	imgui.PushStyleColorVec4(imgui.ColText, Colours().faint)
	imgui.TextUnformatted(text)
	imgui.PopStyleColor()
}

// drawView says where the camera is, and copies it as flags.
func (h *HUD) drawView(m *session.Model) {
	if m.Scene == nil || !h.heading("View") {
		return
	}
	if h.beginPairs("view") {
		c := m.Scene.View
		length := c.Target.Sub(c.Eye).Len()
		h.pair("eye", func() {
			h.drawValue(session.CoordinatesNear(c.Eye, length, " "), "Where the camera is, m, in the coordinates of the file.\n--eye")
		})
		h.pair("target", func() {
			h.drawValue(session.CoordinatesNear(c.Target, length, " "), "What the camera looks at, m, in the coordinates of the file.\n--target")
		})
		h.pair("focus", func() { h.drawValue(m.Focus, "Distance of the plane in focus.") })
		imgui.EndTable()
	}
	if imgui.ButtonV("copy as flags", imgui.NewVec2(-1, 0)) {
		h.act(session.CopyFlags{})
	}
	h.tip("Copy the scene and the flags that show this picture, for `glint` and `glint render`: camera, environment and changed settings.")
}

// drawNotes shows what the user should know about how the scene is rendered.
func (h *HUD) drawNotes(m *session.Model) {
	if len(m.Notes) == 0 || !h.headingOf("Notes", session.Count(len(m.Notes), "note")) {
		return
	}
	imgui.PushStyleColorVec4(imgui.ColText, Colours().Accent)
	imgui.PushTextWrapPos()
	for _, note := range m.Notes {
		imgui.TextUnformatted(note)
	}
	imgui.PopTextWrapPos()
	imgui.PopStyleColor()
}
