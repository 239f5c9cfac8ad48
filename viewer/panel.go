package viewer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/settings"
)

const (
	labelShare = 0.47 // of the panel's width
	plotHeight = 46   // at a content scale of 1
)

// drawPanel shows what most users want, and everything else below headings.
func (h *hud) drawPanel(m *model) {
	h.scrolling("##panel", h.at.panel, func() {
		changed := m.settings
		h.drawTitle(m)
		h.drawSearch()
		if h.search != "" {
			h.drawFound(m, &changed)
		} else {
			h.drawButtons(m)
			h.drawFirstLevel(m, &changed)
			h.drawPlay(m.play)
			h.drawCompare(m.compare, m.scene != nil)
			h.drawGroups(m, &changed)
			h.drawStatus(m)
			h.drawView(m)
			h.drawNotes(m)
			h.drawPageButtons(m)
		}
		if h.keyboard && !imgui.IsWindowFocusedV(imgui.FocusedFlagsChildWindows) { // the user has clicked elsewhere
			h.takeKeyboard(false)
		}
		if changed != m.settings {
			h.act(SetSettings{changed})
		}
	})
}

// drawTitle names the scene, and says how far its picture is.
func (h *hud) drawTitle(m *model) {
	name, about := "glint", "no scene yet"
	if s := m.scene; s != nil {
		name, about = s.name, count(s.triangles, "triangle")
		if len(s.cameras) > 0 {
			about += " · " + count(len(s.cameras), "camera")
		}
		if s.findings > 0 {
			about += " · " + count(s.findings, "finding")
		}
	}
	imgui.PushFont(h.title, titleSize)
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(name)
	imgui.PopTextWrapPos()
	imgui.PopFont()
	h.faint(about)
	imgui.TextUnformatted(cmp.Or(m.progress, " "))
	imgui.Spacing()
}

// button is one of several in a line.
type button struct {
	name, help string
	on         bool // it is a choice, and this one is taken
	do         Command
}

// drawButtons are actions without a value: files, and the way to move.
func (h *hud) drawButtons(m *model) {
	h.buttonRow([]button{
		{name: "open…", help: "Open a scene (O). Files can also be dropped on the window.", do: ChooseScene{}},
		{name: "save PNG", help: "Save what is shown, in the working directory (P).", do: SaveImage{}},
		{name: "save EXR", help: "Save the radiance, in the working directory (Shift+P).", do: SaveRadiance{}},
	})
	h.buttonRow([]button{
		{name: "orbit", help: "Drag to turn, the wheel zooms (Tab).", on: m.mode == Orbit, do: SetMode{Orbit}},
		{name: "fly", help: "W A S D, Q and E fly, the mouse looks around (Tab). Esc frees the mouse.", on: m.mode == Fly, do: SetMode{Fly}},
	})
}

// drawPageButtons opens what does not fit into a panel.
func (h *hud) drawPageButtons(m *model) {
	imgui.Spacing()
	h.buttonRow([]button{
		{name: "keys", help: "All keys (F1).", do: ShowKeys{}},
		{name: "statistics", help: "Where the time goes (I).", on: m.page == statisticsPage, do: TurnTo{statisticsPage}},
		{name: "report", help: "What of the file is drawn otherwise than it says (Shift+I).", on: m.page == reportPage, do: TurnTo{reportPage}},
		{name: "hide", help: "Hide this panel. H shows it again.", do: TogglePanel{}},
	})
}

// buttonRow draws buttons of equal width over the width of the panel.
func (h *hud) buttonRow(row []button) {
	gap := imgui.CurrentStyle().ItemSpacing().X
	width := (imgui.ContentRegionAvail().X - float32(len(row)-1)*gap) / float32(len(row))
	for i, b := range row {
		if i > 0 {
			imgui.SameLine()
		}
		ground, ink := colours().field, colours().ink
		if b.on {
			ground = colours().grab
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
func (h *hud) explained() bool {
	return h.overName || imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip)
}

// tip explains the last widget while the mouse rests on it.
func (h *hud) tip(text string) {
	if text == "" || !h.explained() || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(panelWidth * h.scale)
	imgui.TextUnformatted(text)
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// firstRow is a row that is always in sight: a setting, or what draws itself.
type firstRow struct {
	setting string
	label   string // in place of the setting's
	words   string // others that users look for what draws itself by
	draw    func(h *hud, m *model)
	when    func(s *sceneModel) bool // of what draws itself; nil: always
}

// firstLevel lists the rows that are in sight without unfolding anything.
func firstLevel() []firstRow {
	return []firstRow{
		{label: "scene", words: "open file model glTF glb mesh", draw: (*hud).drawScenes},
		{label: "environment", words: "HDRI HDR sky background world sun studio image-based lighting IBL", draw: (*hud).drawEnvironments},
		{setting: "env-rotation", label: "  rotation"},
		{setting: "env-strength", label: "  strength"},
		{setting: "floor"},
		{label: "variant", words: "materials colors KHR_materials_variants", draw: (*hud).drawVariants, when: func(s *sceneModel) bool { return len(s.variants) > 0 }},
		{label: "camera", words: "view viewpoint whole scene reset", draw: (*hud).drawCameras},
		{label: "field of view", words: "FOV zoom focal length lens angle perspective", draw: (*hud).drawFieldOfView},
		{setting: "integrator"},
		{setting: "denoise"},
		{setting: "exposure"},
		{setting: "aperture"},
		{setting: "focus"},
	}
}

// shown tells whether a row is shown for a scene, which is nil until there is one.
func (row firstRow) shown(s *sceneModel) bool { return s != nil && (row.when == nil || row.when(s)) }

// isFirst tells whether a setting is on the first level.
func isFirst(name string) bool {
	for _, row := range firstLevel() {
		if row.setting == name {
			return true
		}
	}
	return false
}

func (h *hud) drawFirstLevel(m *model, changed *settings.Settings) {
	if !h.beginPairs("first") {
		return
	}
	for _, first := range firstLevel() {
		row, isSetting := settings.Lookup(m.table, first.setting)
		switch {
		case isSetting:
			h.drawSetting(cmp.Or(first.label, row.Label), row, m, changed)
		case first.shown(m.scene):
			h.pair(first.label, func() { first.draw(h, m) })
		}
	}
	imgui.EndTable()
	imgui.Spacing()
}

// list is a list of choices that are no setting; take is asked for the one that the user clicks.
func (h *hud) list(id, current string, choices []choice, take func(choice) Command) {
	imgui.SetNextItemWidth(-1)
	if !imgui.BeginComboV(id, current, imgui.ComboFlagsHeightLarge) {
		h.tip(whole(current, choices))
		return
	}
	h.overName = false // tips are of the choices
	defer imgui.EndCombo()
	for i, c := range choices {
		if imgui.SelectableBoolV(fmt.Sprintf("%s###%d", c.name, i), c.name == current, 0, imgui.Vec2{}) {
			h.act(take(c))
		}
		h.tip(c.help)
	}
}

// whole is the choice that is taken, with its name in full, which the list may cut off, and what it is.
func whole(current string, choices []choice) string {
	for _, c := range choices {
		if c.name == current && c.help != "" {
			return current + "\n" + c.help
		}
	}
	return current
}

const openFile = "open a file…"

// drawScenes is the list of built-in scenes and of files that were opened.
func (h *hud) drawScenes(m *model) {
	choices := append([]choice{{name: openFile}}, m.scenes...)
	h.list("##scene", m.scene.name, choices, func(c choice) Command {
		if c.name == openFile {
			return ChooseScene{}
		}
		return OpenScene{c.value}
	})
}

func (h *hud) drawEnvironments(m *model) {
	choices := append([]choice{{name: openFile}}, m.environments...)
	h.list("##environment", m.environment, choices, func(c choice) Command {
		if c.name == openFile {
			return ChooseEnvironment{}
		}
		return OpenEnvironment{c.value}
	})
}

// drawCameras is the list of the scene's cameras, and the view of the whole scene.
func (h *hud) drawCameras(m *model) {
	const whole = "whole scene"
	choices := []choice{{name: whole, help: "See the whole scene (Home)."}}
	for i, name := range m.scene.cameras {
		choices = append(choices, choice{name: fmt.Sprintf("%d  %s", i, name), value: name})
	}
	current := whole
	if at := m.scene.camera; at >= 0 && at < len(m.scene.cameras) {
		current = choices[1+at].name
	}
	h.list("##camera", current, choices, func(c choice) Command {
		for i := range m.scene.cameras {
			if choices[1+i] == c {
				return LookThrough{i}
			}
		}
		return FrameScene{}
	})
}

const (
	leastFieldOfView = 2 // degrees
	mostFieldOfView  = 150
)

// drawFieldOfView edits the camera's angle; a parallel view has none.
func (h *hud) drawFieldOfView(m *model) {
	if m.camera.Orthographic > 0 {
		imgui.TextUnformatted("parallel")
		return
	}
	angle := m.camera.VFov
	imgui.SetNextItemWidth(-1)
	if imgui.SliderFloatV("##vfov", &angle, leastFieldOfView, mostFieldOfView, "%.3g deg", imgui.SliderFlagsAlwaysClamp) {
		h.act(SetFieldOfView{angle})
	}
	h.tip("Vertical field of view.\n--vfov")
}

// compareHeading is the one that is open at first.
const compareHeading = "Compare"

// heading draws a heading that opens and closes what is below it; true when that is open.
func (h *hud) heading(name string) bool { return h.headingOf(name, name) }

// headingOf draws a heading under a title that may change.
func (h *hud) headingOf(name, title string) bool {
	imgui.PushFont(h.title, textSize)
	imgui.PushStyleVarVec2(imgui.StyleVarFramePadding, imgui.NewVec2(2*h.scale, h.scale))
	imgui.SetNextItemOpenV(h.unfolded[name], imgui.CondAlways)
	h.unfolded[name] = imgui.CollapsingHeaderTreeNodeFlagsV(title+"###"+name, 0) // ImGui goes by what follows ###
	imgui.PopStyleVar()
	imgui.PopFont()
	return h.unfolded[name]
}

// unfold opens these headings, or for nil those that are open at first, and no others.
func (h *hud) unfold(names []string) {
	if names == nil {
		names = []string{compareHeading}
	}
	h.unfolded = map[string]bool{}
	for _, name := range names {
		h.unfolded[name] = true
	}
}

// unfoldedHeadings are those that are open.
func (h *hud) unfoldedHeadings() []string {
	names := []string{} // not nil, which stands for the first start
	for _, name := range slices.Sorted(maps.Keys(h.unfolded)) {
		if h.unfolded[name] {
			names = append(names, name)
		}
	}
	return names
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

func (h *hud) faint(text string) {
	imgui.PushStyleColorVec4(imgui.ColText, colours().faint)
	imgui.TextUnformatted(text)
	imgui.PopStyleColor()
}

// drawView says where the camera is, and copies it as flags.
func (h *hud) drawView(m *model) {
	if m.scene == nil || !h.heading("View") {
		return
	}
	if h.beginPairs("view") {
		c := m.scene.view
		length := c.Target.Sub(c.Eye).Len()
		h.pair("eye", func() {
			h.drawValue(coordinatesNear(c.Eye, length, " "), "Where the camera is, m, in the coordinates of the file.\n--eye")
		})
		h.pair("target", func() {
			h.drawValue(coordinatesNear(c.Target, length, " "), "What the camera looks at, m, in the coordinates of the file.\n--target")
		})
		h.pair("focus", func() { h.drawValue(m.focus, "Distance of the plane in focus.") })
		imgui.EndTable()
	}
	if imgui.ButtonV("copy as flags", imgui.NewVec2(-1, 0)) {
		h.act(CopyFlags{})
	}
	h.tip("Copy the scene and the flags that show this picture, for `glint` and `glint render`: camera, environment and changed settings.")
}

// drawNotes shows what the user should know about how the scene is rendered.
func (h *hud) drawNotes(m *model) {
	if len(m.notes) == 0 || !h.headingOf("Notes", count(len(m.notes), "note")) {
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
