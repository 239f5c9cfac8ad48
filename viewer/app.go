package viewer

import (
	"math"
	"sync"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
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

// app is the state of the window. All of it belongs to the main thread, except the mailbox.
type app struct {
	*frames
	*stage
	*loader

	opts   Options
	keys   []session.KeyRow // every key, as help shows it
	window *glfw.Window
	screen *screen
	hud    *hud.HUD
	input  input
	tasks  mailbox
	writes sync.WaitGroup  // screenshots on their way to disk
	shots  map[string]bool // paths of all screenshots

	mode         session.Mode
	captured     bool // the mouse is hidden and turns the camera
	boost        bool
	showPanel    bool
	showKeys     bool
	page         session.Page
	vsync        bool
	windowed     placement // where the window was before it filled the screen
	messages     session.Messages
	quitAsked    time.Time // when Esc was pressed with nothing open
	flyTried     time.Time // when keys that fly were pressed in orbit mode
	marker       session.FocusMarker
	lastDenoiser string // the one that was on last; empty before the first

	begun     time.Time
	lastTime  time.Time
	events    []func()  // what the user did since the last frame began
	touched   time.Time // when the user last did something
	lookedOut time.Time // for events
	drawn     time.Time // when the window was last drawn
	pictured  bool      // the first picture is there
	done      bool
	failure   error // ends the loop
}

// shownScene is the scene on the screen.
type shownScene struct {
	prepared *gpuscene.Prepared
	scene    *scene.Scene
	camera   int // the camera of the file that was chosen last
	choices  choices
	report   *session.ReportModel
	visited  visit
	source
}

// start opens the window and the device, and begins to load the first scene.
func start(o Options) (a *app, err error) {
	begun := time.Now()
	returnLargeMemory()
	at := startState(o)
	window, err := openWindow(at.placement, true)
	if err != nil {
		return nil, err
	}
	first := &session.Side{Name: "A", Picture: &picture{}, Settings: o.Settings, Start: o.Settings}
	a = &app{
		opts: o, keys: keyRows(keyName), window: window, input: newInput(), shots: map[string]bool{}, showPanel: true, vsync: true,
		windowed: at.placement, begun: begun, lastTime: begun,
	}
	a.frames = &frames{tasks: &a.tasks, comparison: &comparison{
		active: first, sides: []*session.Side{first}, compare: newCompare(), table: tracer.SettingsTable(),
		newPicture: func() session.Picture { return &picture{} }, messages: &a.messages, log: o.Log,
	}}
	a.stage = &stage{light: lighting{o.EnvironmentFlag, o.Environment}, messages: &a.messages}
	a.loader = &loader{
		read: o.Load, scenes: o.Scenes, folder: at.Folder, stage: a.stage, compared: a.comparison,
		tasks: &a.tasks, options: a.sceneOptions, done: a.loaded,
	}
	defer func() {
		if err != nil {
			_ = a.close() // the first error says why
		}
	}()
	a.rememberEnvironment(o.EnvironmentFlag)
	a.findMouse()
	a.listen(window)
	if a.hud, err = hud.New(window, o.scale); err != nil {
		return nil, err
	}
	a.hud.Unfold(at.Unfolded)
	if a.screen, err = newScreen(); err != nil {
		return nil, err
	}
	a.compose(func() { a.hud.DrawNote("starting the renderer") })
	device, err := o.open(o.Tracer)
	if err != nil {
		return nil, err
	}
	first.Device = device
	a.load(&loading{path: o.Path, variant: o.Variant, scene: o.Scene, first: true})
	if !at.Known {
		a.messages.SayFor("Drag to turn, wheel to zoom, Tab to fly, F1 for all keys", hintFor)
	}
	return a, nil
}

// startState is how the window opens: as it was the last time, at the size that options ask for.
func startState(o Options) windowState {
	at := windowState{placement: defaultPlacement()}
	if o.state != "" {
		var err error
		if at, err = readState(o.state); err != nil {
			o.Log.Warn("the window opens at its default placement", "err", err)
		}
	}
	if o.Width > 0 && o.Height > 0 {
		at.Width, at.Height, at.Maximized = o.Width, o.Height, false
	}
	return at
}

// loop draws frames until the window is closed.
func (a *app) loop() error {
	for !a.done && !a.window.ShouldClose() {
		a.awaitEvents()
		if err := a.frame(); err != nil {
			return err
		}
		if a.failure != nil {
			return a.failure
		}
	}
	return nil
}

// awaitEvents handles events, and sleeps while there is nothing to draw.
func (a *app) awaitEvents() {
	switch {
	case a.minimised():
		glfw.WaitEvents()
	case len(a.input.held) > 0:
		glfw.PollEvents()
	case a.shown == nil:
		glfw.WaitEventsTimeout(overlayWait)
	case a.idle:
		glfw.WaitEventsTimeout(idleWait)
	default:
		glfw.PollEvents()
	}
}

func (a *app) minimised() bool {
	width, height := a.window.GetFramebufferSize()
	return width == 0 || height == 0 || a.window.GetAttrib(glfw.Iconified) == glfw.True
}

// frame renders and draws one frame.
func (a *app) frame() error {
	now := time.Now()
	dt := now.Sub(a.lastTime)
	a.lastTime = now
	a.answer(now)
	a.tasks.run()
	a.holdKeys(min(dt.Seconds(), maxStep))
	a.loadNext()
	a.lookAtFiles(now)
	a.play(a.active.Device, min(dt.Seconds(), maxStep))
	if a.minimised() {
		return nil
	}
	if a.shown != nil {
		fresh, err := a.render(a.frameInput(now))
		if err == nil {
			err = a.updateStatistics(a.page == session.StatisticsPage, now)
		}
		if err != nil {
			return err
		}
		if !a.idle {
			a.history.Add(dt, a.paths())
			if a.timeSliced() {
				a.budget.Took(dt)
			}
		}
		if !fresh && !a.mustDraw(now) {
			return nil
		}
	}
	a.drawn = now
	var asked []session.Command
	a.draw(func() { asked = a.hud.Draw(a.model()) })
	for _, c := range asked {
		a.do(c)
	}
	if a.shown != nil && !a.timeSliced() && !a.idle {
		a.budget.Given = a.elapsed()
		a.budget.Took(time.Since(now)) // excluding the wait for the display
	}
	a.window.SwapBuffers()
	if a.shown != nil && !a.pictured {
		a.pictured = true
		a.log.Info("first picture", "seconds", math.Round(1e3*time.Since(a.begun).Seconds())/1e3)
	}
	return nil
}

// frameInput is what the next frame is of.
func (a *app) frameInput(now time.Time) frameInput {
	width, height := a.window.GetFramebufferSize()
	return frameInput{
		now: now, clock: now.Sub(a.begun), camera: a.controller.Camera, width: width, height: height, scene: a.shown, posed: a.player.posed,
		dragged: a.input.dragged, playing: a.player.playing, loading: a.loading != nil, statistics: a.page == session.StatisticsPage,
		touched: a.touched, refresh: func() int { return refreshRate(a.window) }, interrupted: a.interrupted,
	}
}

// mustDraw tells whether a frame is drawn although there is no new picture. On a processor drawing takes time from rendering.
func (a *app) mustDraw(now time.Time) bool {
	return !a.timeSliced() || now.Sub(a.touched) < session.TouchedFor || now.Sub(a.drawn) >= drawnEvery
}

// compose draws a frame and shows it at once.
func (a *app) compose(overlay func()) {
	a.draw(overlay)
	a.window.SwapBuffers()
}

// draw draws the image, and overlay on top.
func (a *app) draw(overlay func()) {
	width, height := a.window.GetFramebufferSize()
	gl.ClearColor(0.09, 0.09, 0.1, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	if a.shown != nil {
		a.screen.present(a.composition(width), width, height)
	}
	a.hud.Frame(overlay)
}

// close releases everything: first what needs the rest.
func (a *app) close() (err error) {
	a.writes.Wait()
	if a.loading != nil {
		a.loading.cancel()
	}
	a.tasks.close()
	a.saveState()
	a.closeSplit()
	a.dropChange()
	if a.screen != nil {
		a.active.Picture.Release()
		a.screen.close()
	}
	if a.active.Device != nil {
		err = a.active.Device.Close()
	}
	if a.hud != nil {
		a.hud.Close()
	}
	closeWindow(a.window)
	return err
}

// mailbox carries work from any goroutine to the main thread.
type mailbox struct {
	mu     sync.Mutex
	work   []func()
	closed bool
}

// post queues work for the next frame and wakes the window. After close it does nothing.
func (m *mailbox) post(work func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.work = append(m.work, work)
	glfw.PostEmptyEvent()
}

// run does the work that was posted so far.
func (m *mailbox) run() {
	m.mu.Lock()
	work := m.work
	m.work = nil
	m.mu.Unlock()
	for _, do := range work {
		do()
	}
}

// close refuses further work, since the window is about to go.
func (m *mailbox) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
}
