package hud

import (
	"cmp"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/viewer/session"
)

// drawPanel shows what most users want, and everything else below headings.
func drawPanel(d *drawing, s *search, m *session.Model) {
	d.scrolling("##panel", d.At.Panel, func() {
		d.aboveButtons(d.At.Panel, func() { drawPanelRows(d, s, m) })
		drawPageButtons(d, m)
		if d.keyboard && !imgui.IsWindowFocusedV(imgui.FocusedFlagsChildWindows) { // the user has clicked elsewhere
			d.takeKeyboard(false)
		}
	})
}

// drawPanelRows are all but the last row of buttons.
func drawPanelRows(d *drawing, s *search, m *session.Model) {
	changed := m.Settings
	drawTitle(d, m)
	if s.draw(d) {
		d.focusNext = true
	}
	if s.Search != "" {
		drawFound(d, s.Search, m, &changed)
	} else {
		drawButtons(d, m)
		drawFirstLevel(d, m, &changed)
		drawPlay(d, m.Play)
		drawCompare(d, m.Compare, m.Scene != nil)
		drawGroups(d, m, &changed)
		drawStatus(d, m)
		drawView(d, m)
		drawNotes(d, m)
	}
	if changed != m.Settings {
		d.act(session.SetSettings{Settings: changed})
	}
}

// drawTitle names the scene, and says how far its picture is.
func drawTitle(d *drawing, m *session.Model) {
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
	imgui.PushFont(d.title, titleSize)
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(name)
	imgui.PopTextWrapPos()
	imgui.PopFont()
	d.faint(about)
	imgui.TextUnformatted(cmp.Or(m.Progress, " "))
	imgui.Spacing()
}

// drawButtons are actions without a value: files, and the way to move.
func drawButtons(d *drawing, m *session.Model) {
	d.buttonRow([]button{
		{name: "open…", help: d.keyed("Open a scene%s. Files can also be dropped on the window.", "open"), do: session.ChooseScene{}},
		{name: "save PNG", help: d.keyed("Save what is shown, in the working directory%s.", "screenshot"), do: session.SaveImage{}},
		{name: "save EXR", help: d.keyed("Save the radiance, in the working directory%s.", "save-exr"), do: session.SaveRadiance{}},
	})
	d.buttonRow([]button{
		{name: "orbit", help: d.keyed("Drag to turn, the wheel zooms%s.", "mode"), on: m.Mode == session.Orbit, do: session.SetMode{Mode: session.Orbit}},
		{name: "fly", help: d.keyed("W A S D, Q and E fly, the mouse looks around%s. A right click frees the mouse.", "mode"), on: m.Mode == session.Fly, do: session.SetMode{Mode: session.Fly}},
		{name: "turntable", help: d.keyed("Turn the view about the pivot, once in 20 s, until you move it%s.", "turntable"), on: m.Turning, do: session.ToggleTurntable{}},
	})
}

// drawPageButtons opens what does not fit into a panel.
func drawPageButtons(d *drawing, m *session.Model) {
	imgui.Spacing()
	d.buttonRow([]button{
		{name: "keys", help: d.keyed("All keys%s.", "help"), do: session.ShowKeys{}},
		{name: "statistics", help: d.keyed("Where the time goes%s.", "statistics"), on: m.Page == session.StatisticsPage, do: session.TurnTo{Page: session.StatisticsPage}},
		{name: "report", help: d.keyed("What of the file is drawn otherwise than it says%s.", "report"), on: m.Page == session.ReportPage, do: session.TurnTo{Page: session.ReportPage}},
		{name: "hide", help: d.keyed("Hide this panel, or show it again%s.", "panel"), do: session.TogglePanel{}},
	})
}

// drawView says where the camera is, and copies it as flags.
func drawView(d *drawing, m *session.Model) {
	if m.Scene == nil || !d.heading("View") {
		return
	}
	if d.beginPairs("view") {
		c := m.Scene.View
		length := c.Target.Sub(c.Eye).Len()
		d.pair("eye", func() {
			d.drawValue(session.CoordinatesNear(c.Eye, length, " "), "Where the camera is, m, in the coordinates of the file.\n--eye")
		})
		d.pair("target", func() {
			d.drawValue(session.CoordinatesNear(c.Target, length, " "), "What the camera looks at, m, in the coordinates of the file.\n--target")
		})
		d.pair("size", func() { drawSizes(d, m) })
		d.pair("focus", func() { d.drawValue(m.Focus, "Distance of the plane in focus.") })
		imgui.EndTable()
	}
	if imgui.ButtonV("copy as flags", imgui.NewVec2(-1, 0)) {
		d.act(session.CopyFlags{})
	}
	d.tip("Copy the scene and the flags that show this picture, for `glint` and `glint render`: camera, environment and changed settings.")
}

// drawNotes shows what the user should know about how the scene is rendered.
func drawNotes(d *drawing, m *session.Model) {
	if len(m.Notes) == 0 || !d.headingOf("Notes", session.Count(len(m.Notes), "note")) {
		return
	}
	imgui.PushStyleColorVec4(imgui.ColText, Colors().Accent)
	imgui.PushTextWrapPos()
	for _, note := range m.Notes {
		imgui.TextUnformatted(note)
	}
	imgui.PopTextWrapPos()
	imgui.PopStyleColor()
}
