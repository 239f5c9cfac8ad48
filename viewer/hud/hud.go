// Package hud draws the panel and everything else over the image. It is given a model once a frame, and returns what the user asks for
// as commands; it knows neither the window's state nor the renderer.
package hud

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
	implglfw "github.com/AllenDang/cimgui-go/impl/glfw"
	implgl "github.com/AllenDang/cimgui-go/impl/opengl3"
	"github.com/AllenDang/cimgui-go/implot"
	"github.com/go-gl/glfw/v3.3/glfw"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"

	"glint/viewer/session"
)

const (
	textSize  = 15 // at a content scale of 1
	titleSize = 19
	glslText  = "#version 410 core"

	leaveFrames = 2
)

// HUD draws the panel and everything else over the image. It draws a model, and returns what the user asks for as commands.
type HUD struct {
	window  *glfw.Window
	context *imgui.Context
	plots   *implot.Context
	plain   *imgui.Font
	title   *imgui.Font
	display float32 // the scale of the display; 0: ask the window
	Scale   float32 // of text and spacing

	clipboard *clipboard
	keys      KeyTable

	At     Layout            // of this frame
	Covers []Rect            // what panels cover in it
	busy   bool              // a widget is held, or a list is open
	asked  []session.Command // for in this frame

	unfolded map[string]bool // headings that are open

	Search      string // what the user searches for among the settings; empty: nothing
	Searching   bool   // the user types there
	EnterSearch bool   // it shall have the keyboard
	enterFound  bool   // the first setting found shall have it
	keyboard    bool   // keys go to the panel: they move from widget to widget, and change values
	overName    bool   // the mouse is over the name of the row that is being drawn
	LeaveSearch int    // frames in which it shall be emptied: ImGui gives back what was typed one frame after it ended
	Lists       bool   // a list is open
	closeLists  bool   // and shall be closed
}

// New needs a current GL context and the window's own callbacks in place: ImGui's are chained before them. A display scale
// of 0 is that of the window's display.
func New(w *glfw.Window, display float32, keys KeyTable) (*HUD, error) {
	h := &HUD{window: w, display: display, keys: keys, clipboard: &clipboard{w}, context: imgui.CreateContext(), plots: implot.CreateContext()}
	h.Unfold(nil)
	io := imgui.CurrentIO()
	io.SetIniFilename("") // nothing to remember: the panel does not move
	h.addFonts(io.Fonts())
	h.restyle()
	if !implglfw.InitForOpenGL(implglfw.NewGLFWwindowFromC(w.Handle()), true) {
		return nil, errors.New("start the panel: ImGui does not work with this window")
	}
	imgui.CurrentPlatformIO().SetClipboardHandler(h.clipboard)
	if !implgl.InitV(glslText) {
		implglfw.Shutdown()
		return nil, errors.New("start the panel: ImGui does not work with this OpenGL: update the graphics driver")
	}
	return h, nil
}

// clipboard is the window's. ImGui would ask GLFW behind the back of its Go binding, which takes "there is no text" for a failure
// of whatever it is asked next, and panics.
type clipboard struct{ window *glfw.Window }

// GetClipboard is the text there, or nothing.
func (c *clipboard) GetClipboard() string { return c.window.GetClipboardString() }

// SetClipboard replaces it.
func (c *clipboard) SetClipboard(text string) { c.window.SetClipboardString(text) }

// addFonts takes the Go fonts, which are compiled in. They live in static memory that ImGui must not free.
func (h *HUD) addFonts(atlas *imgui.FontAtlas) {
	for _, row := range []struct {
		font **imgui.Font
		ttf  []byte
	}{{&h.plain, goregular.TTF}, {&h.title, gomedium.TTF}} {
		config := imgui.NewFontConfig()
		config.SetFontDataOwnedByAtlas(false)
		*row.font = atlas.AddFontFromMemoryTTFV(uintptr(unsafe.Pointer(&row.ttf[0])), int32(len(row.ttf)), textSize, config, nil)
		config.Destroy()
	}
}

// contentScale is how many of ImGui's units make one unit of the design: 2 on a dense display whose windows are measured in
// pixels, 1 where the window system scales by itself.
func (h *HUD) contentScale() float32 {
	if h.display > 0 {
		return h.display
	}
	_, scale := h.window.GetContentScale()
	ww, _ := h.window.GetSize()
	fw, _ := h.window.GetFramebufferSize()
	if ww > 0 && fw > 0 {
		scale *= float32(ww) / float32(fw)
	}
	if !(scale > 0) || math.IsInf(float64(scale), 0) {
		return 1
	}
	return scale
}

// restyle follows the display that the window is on, and the window's size.
func (h *HUD) restyle() {
	w, high := h.window.GetSize()
	if w == 0 || high == 0 {
		return
	}
	if scale := fitScale(h.contentScale(), imgui.NewVec2(float32(w), float32(high))); scale != h.Scale {
		h.Scale = scale
		applyStyle(scale)
	}
}

// Frame has overlay build what is drawn, and draws it.
func (h *HUD) Frame(overlay func()) {
	h.restyle()
	implgl.NewFrame()
	implglfw.NewFrame()
	imgui.NewFrame()
	h.At = arrange(imgui.MainViewport().Size(), h.Scale, wanted{})
	overlay()
	imgui.Render()
	implgl.RenderDrawData(imgui.CurrentDrawData())
}

// Draw draws a model, and returns what the user asks for.
func (h *HUD) Draw(m *session.Model) []session.Command {
	h.At = arrange(imgui.MainViewport().Size(), h.Scale, h.wants(m))
	h.Covers, h.asked = nil, nil
	if h.closeLists {
		imgui.InternalClosePopupsExceptModals()
		h.closeLists = false
	}
	if !h.At.Panel.Empty() {
		h.drawPanel(m)
	} else if h.keyboard {
		h.TakeKeyboard(false)
	}
	if !h.At.Page.Empty() {
		h.drawPage(m)
	}
	if m.ShowKeys {
		h.drawKeys(m.Mode)
	}
	if m.Compare != nil && !h.At.captions.Empty() {
		h.drawComparison(m.Compare)
	}
	h.drawFocusMarker(m.Marker)
	h.drawLegend(m.Legend)
	switch {
	case m.ShowKeys:
	case m.Loading != nil:
		h.drawProgress(m.Loading)
	case m.Scene == nil:
		h.DrawNote("drop a .glb or .gltf file here, or press O")
	case m.Scene.Dark && m.Legend.Name == "":
		h.drawDark()
	}
	list := m.Messages
	if m.Change != "" {
		list = append(session.Messages{{Text: m.Change}}, list...)
	}
	if m.Background != "" {
		list = append(session.Messages{{Text: m.Background, Bar: true}}, list...)
	}
	h.drawMessages(list)
	h.Lists = imgui.IsPopupOpenStrV("", imgui.PopupFlagsAnyPopup)
	h.busy = imgui.IsAnyItemActive() || h.Lists
	return h.asked
}

// drawPage draws what is at the right.
func (h *HUD) drawPage(m *session.Model) {
	switch m.Page {
	case session.StatisticsPage:
		h.drawStatistics(m)
	case session.ReportPage:
		h.drawReport(m)
	}
}

// wants is what of a model wants a place in the window.
func (h *HUD) wants(m *session.Model) wanted {
	w := wanted{panel: m.ShowPanel, page: m.Page != session.NoPage, help: m.ShowKeys}
	if m.Compare != nil {
		w.captions = func(room Rect) float32 { return h.fitCaptions(h.captions(m.Compare), room).height }
	}
	if m.Legend.Name != "" {
		w.legend = func(width float32) float32 { return h.legendHeight(m.Legend, width) }
	}
	return w
}

// scrolling draws a panel that is as high as its content, and scrolls where that is higher than its place.
func (h *HUD) scrolling(id string, at Rect, inside func()) {
	imgui.SetNextWindowPos(at.Min)
	imgui.SetNextWindowSizeConstraints(imgui.NewVec2(at.Width(), 0), imgui.NewVec2(at.Width(), at.Height()))
	flags := overlayFlags&^imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize
	if h.keyboard {
		flags &^= imgui.WindowFlagsNoNav
	}
	if imgui.BeginV(id, nil, flags) {
		h.Covers = append(h.Covers, Rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		inside()
	}
	imgui.End()
}

// act asks for a command, which is done when everything is drawn.
func (h *HUD) act(c session.Command) { h.asked = append(h.asked, c) }

// CloseTop closes a list that is open, ends a search or takes the keyboard back from the panel; false when there is nothing to do.
func (h *HUD) CloseTop() bool {
	switch {
	case h.Lists:
		h.closeLists = true
	case h.Search != "" || h.Searching || h.keyboard:
		h.LeaveSearch = leaveFrames
		h.TakeKeyboard(false)
	default:
		return false
	}
	return true
}

// WantsMouse tells whether a panel is at a point (screen coordinates in the window), or busy with the mouse. ImGui's own
// answer is a frame old, which is too late for a quick click beside a panel while frames are slow.
func (h *HUD) WantsMouse(x, y float64) bool {
	return h.busy || slices.ContainsFunc(h.Covers, func(r Rect) bool { return r.Holds(x, y) })
}

// WantsKeyboard tells whether keys are for the panel: the user types there, or goes through its widgets.
func (h *HUD) WantsKeyboard() bool { return h.keyboard || imgui.CurrentIO().WantTextInput() }

// TakeKeyboard gives the keyboard to the panel, or back to the view.
func (h *HUD) TakeKeyboard(on bool) {
	h.keyboard = on
	configure(imgui.ConfigFlagsNavEnableKeyboard, on)
}

// IgnoreMouse keeps the panel from following a mouse that turns the camera.
func (h *HUD) IgnoreMouse(on bool) { configure(imgui.ConfigFlagsNoMouse, on) }

// configure sets or clears one of ImGui's flags.
func configure(flag imgui.ConfigFlags, on bool) {
	io := imgui.CurrentIO()
	if flags := io.ConfigFlags(); on {
		io.SetConfigFlags(flags | flag)
	} else {
		io.SetConfigFlags(flags &^ flag)
	}
}

func (h *HUD) Close() {
	implgl.Shutdown()
	implglfw.Shutdown()
	implot.DestroyContextV(h.plots)
	imgui.DestroyContextV(h.context)
	h.clipboard.window = nil // the binding keeps the clipboard for good, and the window would keep its scene
}

// colour has sRGB-encoded components and alpha, 0…1, as ImGui takes them.
type colour = imgui.Vec4

// palette is warm light on near-black glass, so that text stands out from any picture.
type palette struct{ glass, field, raised, active, line, ink, faint, Accent, grab, glow, none, brighterA, brighterB colour }

func Colours() palette {
	return palette{
		glass: colour{X: 0.05, Y: 0.055, Z: 0.065, W: 0.88},
		field: white(0.08), raised: white(0.14), active: white(0.20), line: white(0.10),
		ink:    colour{X: 0.94, Y: 0.94, Z: 0.92, W: 1},
		faint:  colour{X: 0.67, Y: 0.68, Z: 0.69, W: 1},
		Accent: colour{X: 1, Y: 0.74, Z: 0.36, W: 1},
		grab:   colour{X: 1, Y: 0.74, Z: 0.36, W: 0.45},
		glow:   colour{X: 1, Y: 0.74, Z: 0.36, W: 0.22},
		// The same as in shaders/present.frag.glsl.
		brighterA: colour{X: 1, Y: 0.62, Z: 0.2, W: 1},
		brighterB: colour{X: 0.25, Y: 0.6, Z: 1, W: 1},
	}
}

func white(alpha float32) colour { return colour{X: 1, Y: 1, Z: 1, W: alpha} }

// styleColours assigns the palette to what ImGui draws.
func styleColours(p palette) map[imgui.Col]colour {
	return map[imgui.Col]colour{
		imgui.ColText: p.ink, imgui.ColTextDisabled: p.faint, imgui.ColTextSelectedBg: p.glow,
		imgui.ColWindowBg: p.glass, imgui.ColChildBg: p.none, imgui.ColPopupBg: {X: 0.08, Y: 0.085, Z: 0.095, W: 0.97},
		imgui.ColBorder: p.line, imgui.ColSeparator: p.line, imgui.ColTableBorderLight: p.line,
		imgui.ColFrameBg: p.field, imgui.ColFrameBgHovered: p.raised, imgui.ColFrameBgActive: p.active,
		imgui.ColButton: p.field, imgui.ColButtonHovered: p.raised, imgui.ColButtonActive: p.active,
		imgui.ColHeader: p.none, imgui.ColHeaderHovered: p.field, imgui.ColHeaderActive: p.raised,
		imgui.ColCheckMark: p.Accent, imgui.ColSliderGrab: p.grab, imgui.ColSliderGrabActive: p.Accent,
		imgui.ColPlotHistogram: p.Accent, imgui.ColPlotLines: p.Accent, imgui.ColNavCursor: p.Accent,
		imgui.ColScrollbarBg: p.none, imgui.ColScrollbarGrab: p.raised, imgui.ColScrollbarGrabHovered: p.active,
		imgui.ColScrollbarGrabActive: p.active,
	}
}

// applyStyle sets every size for a content scale. It may be called again with another.
func applyStyle(scale float32) {
	imgui.StyleColorsDark()
	style := imgui.CurrentStyle()
	table := style.Colors()
	for what, c := range styleColours(Colours()) {
		table[what] = c
	}
	style.SetColors(&table)
	style.SetFontSizeBase(textSize)
	style.SetFontScaleDpi(scale)
	pair := func(x, y float32) imgui.Vec2 { return imgui.NewVec2(x*scale, y*scale) }
	style.SetWindowPadding(pair(14, 12))
	style.SetFramePadding(pair(8, 3))
	style.SetItemSpacing(pair(8, 4))
	style.SetItemInnerSpacing(pair(6, 4))
	style.SetCellPadding(pair(4, 1))
	style.SetWindowRounding(8 * scale)
	style.SetFrameRounding(4 * scale)
	style.SetPopupRounding(6 * scale)
	style.SetGrabRounding(4 * scale)
	style.SetScrollbarRounding(4 * scale)
	style.SetGrabMinSize(8 * scale)
	style.SetScrollbarSize(9 * scale)
	style.SetWindowBorderSize(1)
	style.SetFrameBorderSize(0)
	style.SetPopupBorderSize(1)
}
