package viewer

import (
	"fmt"
	"image"
	"math"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/ncruces/zenity"

	"glint/tracer/schedule"
	"glint/tracer/view"
	"glint/viewer/hud"
	"glint/viewer/session"
)

const (
	idleWait    = 0.1                    // s: how long a window with nothing to do waits for an event
	overlayWait = 1.0 / 30               // s: the same while only a progress bar moves
	drawnEvery  = 500 * time.Millisecond // a window that nobody touches, without a new picture
	hintFor     = 8 * time.Second        // when the window opens for the first time
	maxStep     = 0.1                    // s: the most that held keys move in one frame
)

// start opens the window and the device, and begins to load the first scene.
func start(o Options) (a *app, err error) {
	begun := time.Now()
	returnLargeMemory()
	at := startState(o)
	opened, err := openWindow(at.sized(o.Width, o.Height), true)
	if err != nil {
		return nil, err
	}
	window := hud.NewWindow(opened)
	table, wrong := rebind(bindings(), o.Keys)
	for name, why := range wrong {
		o.Log.Warn("left out of the keys: "+name, "why", why)
	}
	a = &app{
		opts: o, table: table, keys: keyRows(table, keyName), display: newDisplay(window, at.placement, o.Width > 0), overlay: overlay{showPanel: true},
		lastTime: begun,
	}
	a.session = session.New(o.Options, a.sessionWindow(), at.Remembered, begun)
	defer func() {
		if err != nil {
			_ = a.close() // the first error says why
		}
	}()
	a.input = input{
		from: window, keys: newKeymap(table), held: map[glfw.Key]*binding{},
		act: func(row *binding, e event) { row.do(a, e) }, dropped: a.session.Documents.Drop, overDivider: a.overDivider,
	}
	a.input.pad = gamepad{read: findGamepad(), held: map[glfw.GamepadButton]time.Time{}}
	a.input.findMouse()
	a.input.listen()
	if a.hud, err = hud.New(window, o.scale); err != nil {
		return nil, err
	}
	a.input.panels = a.hud
	a.hud.Unfold(at.Unfolded)
	a.hud.TakeZoom(at.Zoom)
	if a.screen, err = newScreen(); err != nil {
		return nil, err
	}
	a.draw(func() { a.hud.DrawNote("starting the renderer") })
	a.display.window.SwapBuffers()
	if err := a.session.Start(); err != nil {
		return nil, err
	}
	a.display.restore(view.Size{Width: a.session.Again.Width, Height: a.session.Again.Height})
	if o.Width > 0 {
		fits(a, view.Size{Width: o.Width, Height: o.Height}, fmt.Sprintf("%dx%d", o.Width, o.Height))
	}
	if !at.Known {
		a.session.Messages.SayFor("Drag to turn, wheel to zoom, "+keyOf(a, "mode")+" to fly, "+keyOf(a, "help")+" for all keys", hintFor)
	}
	return a, nil
}

// sessionWindow is the window as the session sees it.
func (a *app) sessionWindow() session.Window {
	return session.Window{
		Size: a.display.window.GetSize, Pixels: a.display.window.GetFramebufferSize, SetTitle: a.display.window.SetTitle,
		Free: func() session.Area {
			free := a.layout().View
			return session.Area{From: [2]float32{free.Min.X, free.Min.Y}, To: [2]float32{free.Max.X, free.Max.Y}}
		},
		Refresh: func() int { return refreshRate(a.display.window.Window) }, Waiting: func() bool { return a.input.interrupted() },
		Capture: func(width, height int) (*image.NRGBA, error) {
			return a.screen.capture(a.composition(width), width, height)
		},
		NewPicture: func() session.Picture { return &picture{} }, Wake: glfw.PostEmptyEvent, Remember: a.remember,
		AskForFile: func(title, folder string, found func(path string)) {
			a.input.capture(false)
			askForFile(a.session, title, folder, zenity.FileFilter{Name: "all files", Patterns: []string{"*"}}, found)
		},
	}
}

// loop draws frames until the window is closed.
func (a *app) loop() error {
	for !a.done && !a.display.window.ShouldClose() && a.session.Again.Left == "" {
		a.awaitEvents()
		a.display.window.Measure()
		if err := a.frame(); err != nil {
			return err
		}
		if a.session.Failure != nil {
			return a.session.Failure
		}
	}
	return nil
}

// awaitEvents handles events, and sleeps while there is nothing to draw.
func (a *app) awaitEvents() {
	switch {
	case a.display.window.Minimized():
		glfw.WaitEvents()
	case len(a.input.held) > 0, a.input.pad.acting:
		glfw.PollEvents()
	case a.session.Stage.Shown == nil:
		glfw.WaitEventsTimeout(overlayWait)
	case a.session.Frames.Idle && !a.session.Outline.Busy():
		a.input.await(idleWait)
	default:
		glfw.PollEvents()
	}
}

// frame is one frame. What takes long ends early when the user does something.
func (a *app) frame() error {
	// begin
	now := time.Now()
	dt := now.Sub(a.lastTime)
	a.lastTime = now
	step := min(dt.Seconds(), maxStep)

	// input: what the user did since the last frame, and what held keys do
	a.boost = false
	a.input.answer(now)
	a.input.holdKeys(step)
	a.input.usePad(now, step)

	// update: loading, the animation, samples
	a.session.Update(now, step)
	if a.display.window.Minimized() {
		return nil
	}
	user := session.UserState{
		Dragged: a.input.dragged, Held: a.input.holds(), Touched: a.input.touched, Statistics: a.overlay.page == session.StatisticsPage,
		Inspect: a.overlay.page == session.InspectorPage, Edit: a.overlay.page == session.EditPage, Over: a.input.overImage(), X: a.input.x, Y: a.input.y,
	}
	fresh, err := a.session.Render(user, now, dt)
	if err != nil || !fresh && !a.mustDraw(now) {
		return err
	}

	// draw: the image, and panels, which ask for commands
	a.shownAt = now
	var asked []session.Command
	a.draw(func() { asked = a.hud.Draw(a.model()) })
	for _, c := range asked {
		a.do(c)
	}

	// end
	if a.session.Stage.Shown != nil {
		a.session.Frames.Drawn(time.Since(now))
	}
	a.display.window.SwapBuffers()
	if a.session.Stage.Shown != nil && !a.pictured {
		a.pictured = true
		a.session.Log.Info("first picture", "seconds", math.Round(1e3*time.Since(a.session.Begun).Seconds())/1e3)
	}
	return nil
}

// mustDraw tells whether a frame is drawn although there is no new picture. On a processor drawing takes time from rendering.
func (a *app) mustDraw(now time.Time) bool {
	return !a.session.Sides.TimeSliced() || now.Sub(a.input.touched) < schedule.TouchedFor || now.Sub(a.shownAt) >= drawnEvery
}

// draw draws the image, and overlay on top.
func (a *app) draw(overlay func()) {
	width, height := a.display.window.GetFramebufferSize()
	gl.ClearColor(0.09, 0.09, 0.1, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	if a.session.Stage.Shown != nil {
		a.screen.present(a.composition(width), width, height)
	}
	a.hud.Frame(overlay)
}

// composition is how the sides are shown.
func (a *app) composition(width int) composition {
	return compositionOf(a.session.Sides, a.hud.Scale, width)
}

// model is what panels and overlays show.
func (a *app) model() *session.Model {
	m := a.session.Model(a.overlay.page == session.StatisticsPage)
	m.Mode, m.ShowPanel, m.ShowKeys, m.Page, m.Keys = a.input.mode, a.overlay.showPanel, a.overlay.showKeys, a.overlay.page, a.keys
	m.Sizes = view.Sizes()
	m.Size.Width, m.Size.Height = a.display.window.GetFramebufferSize()
	if a.overlay.page == session.EditPage {
		m.Edit = a.session.ScenePage.Model()
		if p, drawn := a.session.Outline.Picture.(*picture); drawn {
			m.Edit.Outline = p.texture
		}
	}
	if a.overlay.page == session.InspectorPage {
		m.Inspect = a.session.Inspector.Model()
		fillLoupe(a, m.Inspect)
	}
	if a.overlay.showKeys {
		m.Printed = keyRows(a.table, printedName)
	}
	if m.Compare != nil {
		m.Compare.OverDivider = a.input.grabbed || a.overDivider(a.input.x, a.input.y)
	}
	return m
}

// fillLoupe adds what the screen shows of the pixel that is inspected.
func fillLoupe(a *app, m *session.InspectModel) {
	if len(m.Facts) == 0 {
		return
	}
	m.Texture = pictureOf(a.session.Sides.Sides[m.Side]).texture
	_, height := a.display.window.GetFramebufferSize()
	var rgba [4]uint8
	gl.ReadPixels(int32(m.Pixel[0]), int32(height-1-m.Pixel[1]), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&rgba[0]))
	m.Shown = [3]uint8(rgba[:3])
}

// remember writes what the next window begins with.
func (a *app) remember() {
	if a.opts.state == "" {
		return
	}
	s := a.display.state()
	s.Remembered = a.session.Remembered()
	if a.hud != nil {
		s.Unfolded, s.Zoom = a.hud.UnfoldedHeadings(), a.hud.Zoom
	}
	if err := saveState(a.opts.state, s); err != nil {
		a.session.Log.Debug("the window's placement is not remembered", "err", err)
	}
}

// close remembers the window for the next time and releases everything: first what needs the rest.
func (a *app) close() error {
	a.remember()
	err := a.session.Close()
	if a.screen != nil {
		a.screen.close()
	}
	if a.hud != nil {
		a.hud.Close()
	}
	closeWindow(a.display.window.Window)
	return err
}
