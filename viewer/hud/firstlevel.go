package hud

import (
	"cmp"
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/guard"
	"glint/tracer/settings"
	"glint/viewer/session"
)

// firstRow is a row that is always in sight: a setting, or what draws itself.
type firstRow struct {
	setting string
	label   string // in place of the setting's
	words   string // others that users look for what draws itself by
	draw    func(d *drawing, m *session.Model)
	when    func(s *session.SceneModel) bool // of what draws itself; nil: always
}

// firstLevel lists the rows that are in sight without unfolding anything.
func firstLevel() []firstRow {
	return []firstRow{
		{label: "scene", words: "open file model glTF glb mesh", draw: drawScenes},
		{label: "environment", words: "HDRI HDR sky background world sun studio image-based lighting IBL", draw: drawEnvironments},
		{setting: "env-rotation", label: "  rotation"},
		{setting: "env-strength", label: "  strength"},
		{setting: "floor"},
		{label: "variant", words: "materials colors KHR_materials_variants", draw: drawVariants, when: func(s *session.SceneModel) bool { return len(s.Variants) > 0 }},
		{label: "camera", words: "view viewpoint whole scene reset", draw: drawCameras},
		{label: "field of view", words: "FOV zoom focal length lens angle perspective", draw: drawFieldOfView},
		{setting: "integrator"},
		{setting: "denoise"},
		{setting: "exposure"},
		{setting: "aperture"},
		{setting: "focus"},
	}
}

// searched lists all rows that draw themselves, also those below headings.
func searched() []firstRow {
	return append(firstLevel(), firstRow{label: "size", words: "resolution window image 1080p 4K square pixels width height", draw: drawSizes})
}

// shown tells whether a row is shown for a scene, which is nil until there is one.
func (row firstRow) shown(s *session.SceneModel) bool {
	return s != nil && (row.when == nil || row.when(s))
}

func drawFirstLevel(d *drawing, m *session.Model, changed *settings.Settings) {
	if !d.beginPairs("first") {
		return
	}
	for _, first := range firstLevel() {
		row, isSetting := settings.Lookup(m.Table, first.setting)
		switch {
		case isSetting:
			drawSetting(d, cmp.Or(first.label, row.Label), row, m, changed)
		case first.shown(m.Scene):
			d.pair(first.label, func() { first.draw(d, m) })
		}
	}
	imgui.EndTable()
	imgui.Spacing()
}

const openFile = "open a file…"

// drawScenes is the list of built-in scenes and of files that were opened.
func drawScenes(d *drawing, m *session.Model) {
	choices := append([]session.Choice{{Name: openFile}}, m.Scenes...)
	d.list("##scene", m.Scene.Name, choices, func(c session.Choice) session.Command {
		if c.Name == openFile {
			return session.ChooseScene{}
		}
		return session.OpenScene{Path: c.Value}
	})
}

func drawEnvironments(d *drawing, m *session.Model) {
	choices := append([]session.Choice{{Name: openFile}}, m.Environments...)
	d.list("##environment", m.Environment, choices, func(c session.Choice) session.Command {
		if c.Name == openFile {
			return session.ChooseEnvironment{}
		}
		return session.OpenEnvironment{Spec: c.Value}
	})
}

// drawCameras is the list of the scene's cameras, and the view of the whole scene.
func drawCameras(d *drawing, m *session.Model) {
	const whole = "whole scene"
	choices := []session.Choice{{Name: whole, Help: d.keyed("See the whole scene%s.", "frame")}}
	for i, name := range m.Scene.Cameras {
		choices = append(choices, session.Choice{Name: fmt.Sprintf("%d  %s", i, name), Value: name})
	}
	current := whole
	if at := m.Scene.Camera; at >= 0 && at < len(m.Scene.Cameras) {
		current = choices[1+at].Name
	}
	d.list("##camera", current, choices, func(c session.Choice) session.Command {
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
func drawFieldOfView(d *drawing, m *session.Model) {
	if m.Camera.Orthographic > 0 {
		imgui.TextUnformatted("parallel")
		return
	}
	angle := m.Camera.VFov
	imgui.SetNextItemWidth(-1)
	if imgui.SliderFloatV("##vfov", &angle, leastFieldOfView, mostFieldOfView, "%.3g deg · "+session.FocalLength(m.Camera), imgui.SliderFlagsAlwaysClamp) {
		d.act(session.SetFieldOfView{Degrees: angle})
	}
	d.tip("Vertical field of view, and the focal length of a full-frame lens (36 × 24 mm) that has it.\n--vfov")
}

// drawSizes is the size of the image, and those that the window can be given.
func drawSizes(d *drawing, m *session.Model) {
	var choices []session.Choice
	for _, s := range m.Sizes {
		choices = append(choices, session.Choice{Name: s.String() + "  " + s.Name, Value: s.Name})
	}
	d.list("##size", m.Size.String(), choices, func(c session.Choice) session.Command { return session.TakeSize{Name: c.Value} })
	d.tip("Size of the window's image, and of what is saved of it, pixels.\n--size")
}

// drawVariants is the list of the file's variants of materials.
func drawVariants(d *drawing, m *session.Model) {
	const byDefault = "default"
	choices := []session.Choice{{Name: byDefault}}
	current := byDefault
	for _, name := range m.Scene.Variants {
		shown := guard.Name(name)
		choices = append(choices, session.Choice{Name: shown, Value: name})
		if name == m.Scene.Variant {
			current = shown
		}
	}
	d.list("##variant", current, choices, func(c session.Choice) session.Command { return session.TakeVariant{Name: c.Value} })
}
