package hud

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/viewer/session"
)

// drawing is what a frame is drawn with: text and places, and what all panels are made of. It collects what the user asks for.
type drawing struct {
	plain, title *imgui.Font
	Scale        float32 // of text and spacing

	At     Layout            // of this frame
	Covers []Rect            // what panels cover in it
	asked  []session.Command // for in this frame
	keys   session.KeyRows
	mode   session.Mode

	unfolded  map[string]bool // headings that are open
	keyboard  bool            // keys go to the panel: they move from widget to widget, and change values
	focusNext bool            // the next value shall have the keyboard
	overName  bool            // the mouse is over the name of the row that is being drawn
}

// scrolling draws a panel that is as high as its content, and scrolls where that is higher than its place.
func (d *drawing) scrolling(id string, at Rect, inside func()) {
	imgui.SetNextWindowPos(at.Min)
	imgui.SetNextWindowSizeConstraints(imgui.NewVec2(at.Width(), 0), imgui.NewVec2(at.Width(), at.Height()))
	flags := overlayFlags&^imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize
	if d.keyboard {
		flags &^= imgui.WindowFlagsNoNav
	}
	if imgui.BeginV(id, nil, flags) {
		d.Covers = append(d.Covers, Rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		inside()
	}
	imgui.End()
}

// aboveButtons draws rows that scroll, and leaves room for a row of buttons below them in the panel.
func (d *drawing) aboveButtons(at Rect, rows func()) {
	style := imgui.CurrentStyle()
	below := imgui.FrameHeight() + 2*style.ItemSpacing().Y
	room := imgui.NewVec2(at.Width(), at.Height()-2*style.WindowPadding().Y-below)
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, imgui.NewVec2(room.X, max(room.Y, below)))
	if imgui.BeginChildStrV("##rows", imgui.Vec2{}, imgui.ChildFlagsAutoResizeY|imgui.ChildFlagsNavFlattened, 0) {
		rows()
	}
	imgui.EndChild()
}

// act asks for a command, which is done when everything is drawn.
func (d *drawing) act(c session.Command) { d.asked = append(d.asked, c) }

// TakeKeyboard gives the keyboard to the panel, or back to the view.
func (d *drawing) takeKeyboard(on bool) {
	d.keyboard = on
	configure(imgui.ConfigFlagsNavEnableKeyboard, on)
}

// configure sets or clears one of ImGui's flags.
func configure(flag imgui.ConfigFlags, on bool) {
	io := imgui.CurrentIO()
	if flags := io.ConfigFlags(); on {
		io.SetConfigFlags(flags | flag)
	} else {
		io.SetConfigFlags(flags &^ flag)
	}
}

// Parts of the panel.
const (
	LabelShare = 0.47 // of the panel's width
	plotHeight = 46   // at a content scale of 1
)

// keyed completes a text: %s becomes the first key of a row in brackets, or nothing where it has none.
func (d *drawing) keyed(text, row string) string {
	key := d.keys.Of(row, d.mode)
	if key != "" {
		key = " (" + key + ")"
	}
	return strings.Replace(text, "%s", key, 1)
}

// pageTitle heads a page, and names the key of the row that closes it.
func (d *drawing) pageTitle(title, row string) {
	imgui.PushFont(d.title, titleSize)
	imgui.TextUnformatted(title)
	imgui.PopFont()
	if key := d.keys.Of(row, d.mode); key != "" {
		imgui.SameLineV(0, keyGap*d.Scale)
		d.faint(key + " closes")
	}
}

// button is one of several in a line.
type button struct {
	name, help string
	on         bool // it is a choice, and this one is taken
	do         session.Command
}

// buttonRow draws buttons of equal width over the width of the panel.
func (d *drawing) buttonRow(row []button) {
	gap := imgui.CurrentStyle().ItemSpacing().X
	width := (imgui.ContentRegionAvail().X - float32(len(row)-1)*gap) / float32(len(row))
	for i, b := range row {
		if i > 0 {
			imgui.SameLine()
		}
		ground, ink := Colors().field, Colors().ink
		if b.on {
			ground = Colors().grab
		}
		imgui.PushStyleColorVec4(imgui.ColButton, ground)
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		if imgui.ButtonV(b.name, imgui.NewVec2(width, 0)) {
			d.act(b.do)
		}
		imgui.PopStyleColorV(2)
		d.tip(b.help)
	}
}

// explained tells whether the mouse rests on the last widget, or on the name of its row.
func (d *drawing) explained() bool {
	return d.overName || imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip)
}

// tip explains the last widget while the mouse rests on it.
func (d *drawing) tip(text string) {
	if text == "" || !d.explained() || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(PanelWidth * d.Scale)
	imgui.TextUnformatted(text)
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// list is a list of choices that are no setting; take is asked for the one that the user clicks.
func (d *drawing) list(id, current string, choices []session.Choice, take func(session.Choice) session.Command) {
	imgui.SetNextItemWidth(-1)
	if !imgui.BeginComboV(id, current, imgui.ComboFlagsHeightLarge) {
		d.tip(whole(current, choices))
		return
	}
	d.overName = false // tips are of the choices
	defer imgui.EndCombo()
	for i, c := range choices {
		if imgui.SelectableBoolV(fmt.Sprintf("%s###%d", c.Name, i), c.Name == current, 0, imgui.Vec2{}) {
			d.act(take(c))
		}
		d.tip(c.Help)
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

// CompareHeading is the one that is open at first.
const CompareHeading = "Compare"

// heading draws a heading that opens and closes what is below it; true when that is open.
func (d *drawing) heading(name string) bool { return d.headingOf(name, name) }

// headingOf draws a heading under a title that may change.
func (d *drawing) headingOf(name, title string) bool {
	imgui.PushFont(d.title, textSize)
	imgui.PushStyleVarVec2(imgui.StyleVarFramePadding, imgui.NewVec2(2*d.Scale, d.Scale))
	imgui.SetNextItemOpenV(d.unfolded[name], imgui.CondAlways)
	d.unfolded[name] = imgui.CollapsingHeaderTreeNodeFlagsV(title+"###"+name, 0) // ImGui goes by what follows ###
	imgui.PopStyleVar()
	imgui.PopFont()
	return d.unfolded[name]
}

// Unfold opens these headings, or for nil those that are open at first, and no others.
func (d *drawing) Unfold(names []string) {
	if names == nil {
		names = []string{CompareHeading}
	}
	d.unfolded = map[string]bool{}
	for _, name := range names {
		d.unfolded[name] = true
	}
}

// UnfoldedHeadings are those that are open.
func (d *drawing) UnfoldedHeadings() []string {
	names := []string{} // not nil, which stands for the first start
	for _, name := range slices.Sorted(maps.Keys(d.unfolded)) {
		if d.unfolded[name] {
			names = append(names, name)
		}
	}
	return names
}

// beginPairs starts a table of names and values. End it with imgui.EndTable when it is true.
func (d *drawing) beginPairs(id string) bool {
	if !imgui.BeginTableV("##"+id, 2, imgui.TableFlagsSizingStretchProp, imgui.Vec2{}, 0) {
		return false
	}
	imgui.TableSetupColumnV("name", imgui.TableColumnFlagsWidthStretch, LabelShare, 0)
	imgui.TableSetupColumnV("value", imgui.TableColumnFlagsWidthStretch, 1-LabelShare, 0)
	return true
}

// pair is one row: a name, and what draws its value.
func (d *drawing) pair(name string, value func()) {
	imgui.TableNextRow()
	imgui.TableNextColumn()
	imgui.AlignTextToFramePadding()
	imgui.PushTextWrapPos()
	d.faint(name)
	imgui.PopTextWrapPos()
	d.overName = imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip)
	imgui.TableNextColumn()
	if d.focusNext {
		d.focusNext = false
		imgui.SetKeyboardFocusHere()
		imgui.SetNavCursorVisible(true)
	}
	value()
	d.overName = false
}

func (d *drawing) faint(text string) {
	imgui.PushStyleColorVec4(imgui.ColText, Colors().faint)
	imgui.TextUnformatted(text)
	imgui.PopStyleColor()
}

// drawValue writes a value, and shows its reason while the mouse is over it.
func (d *drawing) drawValue(value, why string) {
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(value)
	imgui.PopTextWrapPos()
	d.tip(why)
}

// overlay draws a small window in the middle of what panels leave free.
func (d *drawing) overlay(id string, inside func()) {
	d.overlayWith(id, imgui.WindowFlagsNoInputs, false, inside)
}

// overlayWith draws it with more of ImGui's flags, in the middle or low in the view.
func (d *drawing) overlayWith(id string, flags imgui.WindowFlags, low bool, inside func()) {
	at, pivot := d.At.View.Middle(), imgui.NewVec2(0.5, 0.5)
	if low {
		at.Y, pivot.Y = d.At.View.Max.Y, 1
	}
	imgui.SetNextWindowPosV(at, imgui.CondAlways, pivot)
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, d.At.View.Max.Sub(d.At.View.Min))
	if imgui.BeginV(id, nil, overlayFlags|flags) {
		inside()
	}
	imgui.End()
}

// place gives the next window a part of the screen.
func (d *drawing) place(r Rect) {
	imgui.SetNextWindowPos(r.Min)
	imgui.SetNextWindowSize(r.Max.Sub(r.Min))
}

const overlayFlags = imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoMove | imgui.WindowFlagsNoSavedSettings |
	imgui.WindowFlagsNoNav | imgui.WindowFlagsAlwaysAutoResize | imgui.WindowFlagsNoFocusOnAppearing
