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
	"github.com/go-gl/glfw/v3.3/glfw"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"

	"glint/viewer/session"
)

// HUD draws the panel and everything else over the image. It draws a model, and returns what the user asks for as commands.
type HUD struct {
	window  *Window
	context *imgui.Context
	display float32 // the scale of the display; 0: ask the window
	Zoom    float32 // how large the user wants panels, as a factor: one of zooms

	clipboard *clipboard
	drawing
	search

	busy       bool // a widget is held, or a list is open
	Lists      bool // a list is open
	closeLists bool // and shall be closed
}

// New needs a current GL context and the window's own callbacks in place: ImGui's are chained before them. A display scale
// of 0 is that of the window's display.
func New(w *Window, display float32) (*HUD, error) {
	h := &HUD{window: w, display: display, Zoom: 1, clipboard: &clipboard{w.Window}, context: imgui.CreateContext()}
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

// zooms are how large panels may be.
func zooms() []float32 { return []float32{0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2} }

// StepZoom makes panels larger or smaller, by steps; 0 leads back.
func (h *HUD) StepZoom(by int) {
	all := zooms()
	at := slices.Index(all, h.Zoom)
	if by == 0 || at < 0 {
		h.Zoom = 1
		return
	}
	h.Zoom = all[min(max(at+by, 0), len(all)-1)]
}

// TakeZoom is for what was remembered, which may be anything.
func (h *HUD) TakeZoom(zoom float32) {
	if slices.Contains(zooms(), zoom) {
		h.Zoom = zoom
	}
}

// restyle follows the display that the window is on, the window's size and the user.
func (h *HUD) restyle() {
	w, high := h.window.GetSize()
	if w == 0 || high == 0 {
		return
	}
	if scale := fitScale(h.Zoom*h.contentScale(), imgui.NewVec2(float32(w), float32(high))); scale != h.Scale {
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
	h.Covers, h.asked, h.keys, h.mode = nil, nil, m.Keys, m.Mode
	if h.closeLists {
		imgui.InternalClosePopupsExceptModals()
		h.closeLists = false
	}
	if !h.At.Panel.Empty() {
		drawPanel(&h.drawing, &h.search, m)
	} else if h.keyboard {
		h.takeKeyboard(false)
	}
	if !h.At.Page.Empty() {
		drawPage(&h.drawing, m)
	}
	if m.ShowKeys {
		drawKeys(&h.drawing, m.Printed, m.Mode)
	}
	if m.Compare != nil && !h.At.captions.Empty() {
		drawComparison(&h.drawing, m.Compare)
	}
	if m.Inspect != nil {
		drawPath(&h.drawing, m.Inspect)
	}
	if m.Edit != nil {
		drawOutline(m.Edit)
	}
	drawFocusMarker(&h.drawing, m.Marker)
	drawLegend(&h.drawing, m.Legend)
	switch {
	case m.ShowKeys:
	case m.Loading != nil:
		drawProgress(&h.drawing, m.Loading)
	case m.Scene == nil:
		drawNote(&h.drawing, h.keyed("drop a .glb or .gltf file here, or open one%s", "open"))
	case m.Black != nil:
		drawBlack(&h.drawing, m.Black)
	case m.Findings != nil:
		drawFindings(&h.drawing, m.Findings)
	}
	list := m.Messages
	if m.Change != "" {
		list = append(session.Messages{{Text: m.Change}}, list...)
	}
	if m.Background != "" {
		list = append(session.Messages{{Text: m.Background, Bar: true}}, list...)
	}
	drawMessages(&h.drawing, list)
	h.Lists = imgui.IsPopupOpenStrV("", imgui.PopupFlagsAnyPopup)
	h.busy = imgui.IsAnyItemActive() || h.Lists
	return h.asked
}

// drawPage draws what is at the right.
func drawPage(d *drawing, m *session.Model) {
	switch m.Page {
	case session.StatisticsPage:
		drawStatistics(d, m)
	case session.ReportPage:
		drawReport(d, m)
	case session.InspectorPage:
		drawInspector(d, m.Inspect)
	case session.EditPage:
		drawScenePage(d, m.Edit)
	}
}

// StartSearch has the user type what to search for among the settings. The panel must be shown.
func (h *HUD) StartSearch() {
	h.enter = true
	h.takeKeyboard(true)
}

// wants is what of a model wants a place in the window.
func (h *HUD) wants(m *session.Model) wanted {
	w := wanted{panel: m.ShowPanel, page: m.Page != session.NoPage, help: m.ShowKeys}
	if m.Compare != nil {
		w.captions = func(room Rect) float32 { return fitCaptions(&h.drawing, captions(m.Compare), room).height }
	}
	if m.Legend.Name != "" {
		w.legend = func(width float32) float32 { return legendSize(m.Legend, width) }
	}
	return w
}

// DrawNote writes a line in the middle of an empty window.
func (h *HUD) DrawNote(text string) { drawNote(&h.drawing, text) }

// CloseTop closes a list that is open, ends a search or takes the keyboard back from the panel; false when there is nothing to do.
func (h *HUD) CloseTop() bool {
	switch {
	case h.Lists:
		h.closeLists = true
	case h.Search != "" || h.Searching || h.keyboard:
		h.leave()
		h.takeKeyboard(false)
	default:
		return false
	}
	return true
}

// WantsMouse tells whether a panel is at a point (screen coordinates in the window), or busy with the mouse. ImGui's own
// answer is a frame old, which is too late for a quick click next to a panel while frames are slow.
func (h *HUD) WantsMouse(x, y float64) bool {
	return h.busy || slices.ContainsFunc(h.Covers, func(r Rect) bool { return r.Holds(x, y) })
}

// WantsKeyboard tells whether keys are for the panel: the user types there, or goes through its widgets.
func (h *HUD) WantsKeyboard() bool { return h.keyboard || imgui.CurrentIO().WantTextInput() }

// IgnoreMouse keeps the panel from following a mouse that turns the camera.
func (h *HUD) IgnoreMouse(on bool) { configure(imgui.ConfigFlagsNoMouse, on) }

// Close frees what ImGui holds. The GL context must still be current.
func (h *HUD) Close() {
	implgl.Shutdown()
	implglfw.Shutdown()
	imgui.DestroyContextV(h.context)
	h.clipboard.window = nil // the binding keeps the clipboard for good, and the window would keep its scene
}

// Plan is where everything is in the current window, with a panel and a page or without.
func (h *HUD) Plan(panel, page bool) Layout {
	w, height := h.window.GetSize()
	return arrange(imgui.NewVec2(float32(w), float32(height)), h.Scale, wanted{panel: panel, page: page})
}
