package viewer

import (
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

const (
	sayFor    = 2500 * time.Millisecond
	warnFor   = 10 * time.Second
	markFor   = 900 * time.Millisecond
	markRing  = 13 // radius at a content scale of 1
	noteWidth = 420
	keyGap    = 28
)

const overlayFlags = imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoMove | imgui.WindowFlagsNoSavedSettings |
	imgui.WindowFlagsNoNav | imgui.WindowFlagsAlwaysAutoResize | imgui.WindowFlagsNoFocusOnAppearing

// toast is a line that tells something and goes away.
type toast struct {
	text    string
	warning bool
	until   time.Time
}

// say tells what happened.
func (a *app) say(text string) { a.toast = toast{text: text, until: time.Now().Add(sayFor)} }

// warn tells what went wrong.
func (a *app) warn(text string) {
	a.toast = toast{text: text, warning: true, until: time.Now().Add(warnFor)}
}

// mark is where the user focused, screen coordinates.
type mark struct {
	x, y  float64
	until time.Time
}

func newMark(x, y float64) mark { return mark{x: x, y: y, until: time.Now().Add(markFor)} }

// drawMark fades a ring around the point in focus.
func (h *hud) drawMark(m *mark) {
	left := time.Until(m.until)
	if left <= 0 {
		return
	}
	c := colours().accent
	c.W = float32(left) / float32(markFor)
	list := imgui.BackgroundDrawList()
	list.AddCircleV(imgui.NewVec2(float32(m.x), float32(m.y)), markRing*h.scale, imgui.ColorU32Vec4(c), 0, 2*h.scale)
}

// overlay draws a small window by its middle, centred at a fraction of the viewport's height.
func (h *hud) overlay(id string, y float32, inside func()) {
	const x = 0.5
	size := imgui.MainViewport().Size()
	imgui.SetNextWindowPosV(imgui.NewVec2(size.X*x, size.Y*y), imgui.CondAlways, imgui.NewVec2(x, y))
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, size)
	if imgui.BeginV(id, nil, overlayFlags|imgui.WindowFlagsNoInputs) {
		inside()
	}
	imgui.End()
}

// drawToast shows the last message near the bottom of the window.
func (h *hud) drawToast(t *toast) {
	if t.text == "" || time.Now().After(t.until) {
		return
	}
	c := colours().ink
	if t.warning {
		c = colours().accent
	}
	h.overlay("##toast", 0.96, func() { h.wrapped(t.text, c) })
}

// wrapped writes text of any length, breaking lines.
func (h *hud) wrapped(text string, c colour) {
	imgui.PushStyleColorVec4(imgui.ColText, c)
	room := imgui.MainViewport().Size().X
	imgui.PushTextWrapPosV(min(max(noteWidth*h.scale, room/2), room) - 2*margin*h.scale)
	imgui.TextUnformatted(text)
	imgui.PopTextWrapPos()
	imgui.PopStyleColor()
}

// drawNote says something in the middle of an empty window.
func (h *hud) drawNote(text string) {
	h.overlay("##note", 0.5, func() { imgui.TextUnformatted(text) })
}

// drawProgress shows how far a scene is.
func (h *hud) drawProgress(name, stage string, fraction float64) {
	h.overlay("##progress", 0.5, func() {
		imgui.PushFont(h.title, titleSize)
		imgui.TextUnformatted(name)
		imgui.PopFont()
		if stage == "" {
			stage = "opening"
		}
		imgui.ProgressBarV(float32(fraction), imgui.NewVec2(noteWidth*h.scale, 6*h.scale), "")
		h.faint(stage)
	})
}

// drawKeys shows the key table of a mode, in two columns.
func (h *hud) drawKeys(mode Mode) {
	imgui.SetNextWindowBgAlpha(0.97) // the panel may lie underneath
	h.overlay("##keys", 0.5, func() {
		imgui.PushFont(h.title, titleSize)
		imgui.TextUnformatted("Keys · " + mode.String())
		imgui.PopFont()
		for i, column := range keyColumns(mode) {
			if i > 0 {
				imgui.SameLineV(0, keyGap*h.scale)
			}
			imgui.BeginGroup()
			h.drawKeyColumn(column)
			imgui.EndGroup()
		}
	})
}

// keyColumns splits the rows that a mode has into two columns of whole groups, about equally long.
func keyColumns(mode Mode) [2][][]binding {
	rows := bindings()
	var all [][]binding
	total := 0
	for _, name := range keyGroups(rows) {
		var group []binding
		for _, row := range rows {
			if row.group == name && len(row.on[mode]) > 0 {
				group = append(group, binding{group: name, help: row.help, name: row.keysIn(mode)})
			}
		}
		if len(group) > 0 {
			all = append(all, group)
			total += len(group) + 1
		}
	}
	var columns [2][][]binding
	at := 0
	for _, group := range all {
		side := min(2*at/total, 1)
		columns[side] = append(columns[side], group)
		at += len(group) + 1
	}
	return columns
}

func (h *hud) drawKeyColumn(column [][]binding) {
	var width float32
	for _, group := range column {
		for _, row := range group {
			width = max(width, imgui.CalcTextSize(row.name).X)
		}
	}
	for _, group := range column {
		imgui.TextColored(colours().accent, group[0].group)
		for _, row := range group {
			imgui.TextUnformatted(row.name)
			imgui.SameLineV(width+keyGap*h.scale/2, 0)
			h.faint(row.help)
		}
		imgui.Spacing()
	}
}
