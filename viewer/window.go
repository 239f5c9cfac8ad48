package viewer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/ncruces/zenity"
	"github.com/pelletier/go-toml/v2"

	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/view"
	"glint/viewer/hud"
	"glint/viewer/session"
)

// ErrNoDisplay means that this session has no screen to open a window on.
var ErrNoDisplay = errors.New("no display: start glint from a desktop session, set DISPLAY, or render without a window by `glint render`")

const (
	minWidth, minHeight = 320, 240 // of the window, screen coordinates
	glMajor, glMinor    = 4, 1
)

// displayAvailable reports early that there is no X server: GLFW only writes to the log. Every Windows session has a desktop.
func displayAvailable() error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" {
		return ErrNoDisplay
	}
	return nil
}

// openWindow starts GLFW and opens a window with a current OpenGL 4.1 context. Call closeWindow in the end.
func openWindow(at placement, visible bool) (w *glfw.Window, err error) {
	if err := displayAvailable(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			glfw.Terminate()
		}
	}()
	if err := startGLFW(); err != nil {
		return nil, err
	}
	monitors := monitorAreas()
	if w, err = createWindow(at.onScreen(monitors), monitors); err != nil {
		return nil, err
	}
	w.MakeContextCurrent()
	if err := gl.Init(); err != nil {
		w.Destroy()
		return nil, fmt.Errorf("load OpenGL %d.%d: %w: update the graphics driver", glMajor, glMinor, err)
	}
	glfw.SwapInterval(1)
	w.SetSizeLimits(minWidth, minHeight, glfw.DontCare, glfw.DontCare)
	if visible {
		w.Show()
	}
	return w, nil
}

// startGLFW turns GLFW's silence about a display that does not answer into an error.
func startGLFW() (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%w (%v)", ErrNoDisplay, problem)
		}
	}()
	if err := glfw.Init(); err != nil {
		return fmt.Errorf("start GLFW: %w", err)
	}
	glfw.DefaultWindowHints() // panics when Init failed
	return nil
}

func createWindow(at placement, monitors []area) (*glfw.Window, error) {
	for hint, value := range map[glfw.Hint]int{
		glfw.ContextVersionMajor: glMajor, glfw.ContextVersionMinor: glMinor,
		glfw.OpenGLProfile: glfw.OpenGLCoreProfile, glfw.OpenGLForwardCompatible: glfw.True,
		glfw.DepthBits: 0, glfw.StencilBits: 0, glfw.SRGBCapable: glfw.False,
		glfw.Visible: glfw.False, glfw.Maximized: boolHint(at.Maximized),
		// The default size is in units of the desktop, which a dense display scales.
		glfw.ScaleToMonitor: boolHint(!at.Known),
	} {
		glfw.WindowHint(hint, value)
	}
	w, err := glfw.CreateWindow(at.Width, at.Height, "glint", nil, nil)
	if err != nil {
		return nil, fmt.Errorf("open a window with OpenGL %d.%d: %w: update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 "+
			"to draw in software; `glint render` works without a window", glMajor, glMinor, err)
	}
	if at.Known {
		w.SetPos(at.X, at.Y)
	} else {
		fit(w, monitors)
	}
	return w, nil
}

// fit makes a window that the display's scale has made bigger than the first monitor as big as that.
func fit(w *glfw.Window, monitors []area) {
	if len(monitors) == 0 {
		return
	}
	width, height := w.GetSize()
	w.SetSize(min(width, monitors[0].width), min(height, monitors[0].height))
}

func boolHint(b bool) int {
	if b {
		return glfw.True
	}
	return glfw.False
}

// monitorAreas are the parts of the monitors that windows may cover.
func monitorAreas() []area {
	var areas []area
	for _, m := range glfw.GetMonitors() {
		x, y, w, h := m.GetWorkarea()
		areas = append(areas, area{x, y, w, h})
	}
	return areas
}

// closeWindow closes the window and GLFW.
func closeWindow(w *glfw.Window) {
	glfw.SetJoystickCallback(nil) // which the binding would keep, and with it the window's scene
	w.Destroy()
	glfw.Terminate()
}

// monitorOf is the monitor that shows the middle of a window.
func monitorOf(w *glfw.Window) *glfw.Monitor {
	x, y := w.GetPos()
	width, height := w.GetSize()
	for _, m := range glfw.GetMonitors() {
		mx, my := m.GetPos()
		mode := m.GetVideoMode()
		if mode != nil && (area{mx, my, mode.Width, mode.Height}).holds(x+width/2, y+height/2) {
			return m
		}
	}
	return glfw.GetPrimaryMonitor()
}

// refreshRate is how often the window's monitor shows a picture, Hz.
func refreshRate(w *glfw.Window) int {
	if m := monitorOf(w); m != nil {
		if mode := m.GetVideoMode(); mode != nil && mode.RefreshRate > 0 {
			return mode.RefreshRate
		}
	}
	return schedule.UsualRefresh
}

const (
	defaultWidth, defaultHeight = 1280, 720
	maxWindowSide               = 16384 // of a window: more is an error in the file
	titleBarGrip                = 64    // of the title bar that must be on a monitor to be dragged, screen coordinates
)

// area is a rectangle of the desktop, screen coordinates.
type area struct{ x, y, width, height int }

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.width && y >= a.y && y < a.y+a.height
}

// placement is where the window is on the desktop, screen coordinates.
type placement struct {
	X         int  `toml:"x"`
	Y         int  `toml:"y"`
	Width     int  `toml:"width"`
	Height    int  `toml:"height"`
	Maximized bool `toml:"maximized"`
	Known     bool `toml:"-"` // false: the window system chooses the position
}

// windowState is what is remembered of the window for the next time.
type windowState struct {
	placement
	session.Remembered
	Unfolded []string `toml:"unfolded"` // headings of the panel that are open; nil: those that are open at first
	Zoom     float32  `toml:"zoom"`     // of the panels; 0: as usual
}

// defaultPlacement is that of a window that was never opened before.
func defaultPlacement() placement { return placement{Width: defaultWidth, Height: defaultHeight} }

// onScreen is the placement itself when its title bar can be reached on one of the monitors, and it is no bigger than all of them
// together. Otherwise the window system places the window, no bigger than the first monitor.
func (p placement) onScreen(monitors []area) placement {
	desktop := around(monitors)
	fits := p.Width <= desktop.width && p.Height <= desktop.height
	for _, m := range monitors {
		if p.Known && fits && m.holds(p.X+min(titleBarGrip, p.Width/2), max(p.Y, m.y)) && p.Y >= m.y-titleBarGrip {
			return p
		}
	}
	p.Known = false
	if len(monitors) > 0 {
		p.Width, p.Height = min(p.Width, monitors[0].width), min(p.Height, monitors[0].height)
	}
	return p
}

// around is the smallest area that holds all of some.
func around(areas []area) area {
	var all area
	for i, a := range areas {
		if i == 0 {
			all = a
			continue
		}
		right, bottom := max(all.x+all.width, a.x+a.width), max(all.y+all.height, a.y+a.height)
		all.x, all.y = min(all.x, a.x), min(all.y, a.y)
		all.width, all.height = right-all.x, bottom-all.y
	}
	return all
}

// maxState bounds the file that readState reads, bytes.
const maxState = 1 << 20

// readState reads what saveState wrote. Without a file, or with an error, it returns the default.
func readState(path string) (windowState, error) {
	usual := windowState{placement: defaultPlacement()}
	text, err := imageio.ReadBounded(path, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return usual, nil
	}
	if err != nil {
		return usual, fmt.Errorf("read the window's placement from %s: %w: remove it", path, err)
	}
	s := usual
	if err := toml.Unmarshal(text, &s); err != nil {
		return usual, fmt.Errorf("read the window's placement from %s: %w: remove the file", path, err)
	}
	if s.Width < minWidth || s.Height < minHeight || s.Width > maxWindowSide || s.Height > maxWindowSide {
		return usual, fmt.Errorf("read the window's placement from %s: size %d×%d makes no sense: remove the file",
			path, s.Width, s.Height)
	}
	s.Known = true
	return s, nil
}

// sized is the placement with another size; 0: with its own.
func (p placement) sized(width, height int) placement {
	if width > 0 && height > 0 {
		p.Width, p.Height, p.Maximized = width, height, false
	}
	return p
}

// startState is how the window was the last time.
func startState(o Options) windowState {
	at := windowState{placement: defaultPlacement()}
	if o.state != "" {
		var err error
		if at, err = readState(o.state); err != nil {
			o.Log.Warn("the window opens at its default placement, and begins a new file", "err", err, "kept", o.state+".old")
			_ = os.Rename(o.state, o.state+".old") // it may hold views; if that fails, they are lost
		}
	}
	return at
}

// saveState writes what is to be remembered, whole or not at all.
func saveState(path string, s windowState) error {
	text, err := toml.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the window's placement: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the window's placement: %w", err)
	}
	err = imageio.WriteAtomic(path, func(w io.WriteSeeker) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("write the window's placement to %s: %w", path, err)
	}
	return nil
}

// Check is one thing that the window needs or can make use of.
type Check struct {
	Name   string
	OK     bool
	Detail string // what was found
	Mend   string // what to do about it, when not OK
}

// Checks tries to open a hidden window, and says what draws in it. It must be called on the main goroutine, locked to its
// thread, while no window is open.
func Checks() []Check {
	return append(windowChecks(), dialogCheck())
}

func windowChecks() (checks []Check) {
	name := fmt.Sprintf("window with OpenGL %d.%d", glMajor, glMinor)
	defer func() {
		if problem := recover(); problem != nil {
			checks = []Check{{Name: name, Detail: fmt.Sprint(problem), Mend: "update the graphics driver"}}
		}
	}()
	w, err := openWindow(defaultPlacement(), false)
	if err != nil {
		return []Check{{Name: name, Detail: err.Error(), Mend: "use a desktop session; `glint render` works without a window"}}
	}
	defer closeWindow(w)
	text := func(what uint32) string { return gl.GoStr(gl.GetString(what)) }
	found := fmt.Sprintf("%s, %s, OpenGL %s", text(gl.VENDOR), text(gl.RENDERER), text(gl.VERSION))
	return []Check{{Name: name, OK: true, Detail: found}}
}

func dialogCheck() Check {
	if zenity.IsAvailable() {
		return Check{Name: "file dialog", OK: true, Detail: "found"}
	}
	return Check{Name: "file dialog", Detail: "not found", Mend: "install zenity, or drop files on the window"}
}

// display is the window on the desktop.
type display struct {
	window   *hud.Window
	windowed placement // where it was before it filled the screen
	vsync    bool
	usual    placement // to be remembered as long as the window has the size that it was opened with
	given    [2]int    // that size, where it was asked for this window alone; 0: it was not
}

// newDisplay is for a window that has opened, which was at usual the last time.
func newDisplay(w *hud.Window, usual placement, given bool) display {
	d := display{window: w, windowed: usual, vsync: true, usual: usual}
	if given {
		d.given[0], d.given[1] = w.GetSize()
	}
	return d
}

// width is that of the window, screen coordinates, at least 1.
func (d *display) width() float64 {
	w, _ := d.window.GetSize()
	return float64(max(w, 1))
}

// placement is where the window is now.
func (d *display) placement() placement {
	x, y := d.window.GetPos()
	w, h := d.window.GetSize()
	return placement{X: x, Y: y, Width: w, Height: h, Known: true}
}

// state is what is to be remembered of the window.
func (d *display) state() windowState {
	s := windowState{placement: d.windowed}
	if d.window.GetMonitor() == nil {
		s.placement = d.placement()
		s.Maximized = d.window.GetAttrib(glfw.Maximized) == glfw.True
	}
	if d.given == [2]int{s.Width, s.Height} && !s.Maximized {
		s.Width, s.Height, s.Maximized = d.usual.Width, d.usual.Height, d.usual.Maximized
	}
	return s
}

// density is how many pixels of the image a unit of the desktop has.
func (d *display) density() float64 {
	pixels, _ := d.window.GetFramebufferSize()
	return max(float64(pixels), 1) / d.width()
}

// workArea is what the window may cover of its monitor.
func (d *display) workArea() area {
	m := monitorOf(d.window.Window)
	if m == nil {
		return area{}
	}
	x, y, width, height := m.GetWorkarea()
	left, top, right, bottom := d.window.GetFrameSize()
	return area{x + left, y + top, width - left - right, height - top - bottom}
}

// room is the largest image that fits on the window's monitor.
func (d *display) room() view.Size {
	of, density := d.workArea(), d.density()
	return view.Size{Width: int(float64(of.width) * density), Height: int(float64(of.height) * density)}
}

// resize gives the image a size for which there is room, and brings the window where all of it is seen.
func (d *display) resize(to view.Size) {
	if d.window.GetMonitor() != nil {
		d.toggleFullscreen()
	}
	if d.window.GetAttrib(glfw.Maximized) == glfw.True {
		d.window.Restore()
	}
	density, of := d.density(), d.workArea()
	width, height := int(math.Round(float64(to.Width)/density)), int(math.Round(float64(to.Height)/density))
	d.given = [2]int{} // the user wants this one
	d.window.SetSize(width, height)
	x, y := d.window.GetPos()
	d.window.SetPos(max(min(x, of.x+of.width-width), of.x), max(min(y, of.y+of.height-height), of.y))
}

// restore gives the image the size that it had in another window, there perhaps on the whole screen. 0: there was none.
func (d *display) restore(to view.Size) {
	if w, h := d.window.GetFramebufferSize(); to.Width == 0 || w == to.Width && h == to.Height {
		return
	}
	if m := monitorOf(d.window.Window); m != nil && m.GetVideoMode() != nil && m.GetVideoMode().Width == to.Width && m.GetVideoMode().Height == to.Height {
		d.toggleFullscreen()
	} else if room := d.room(); to.Width <= room.Width && to.Height <= room.Height {
		d.resize(to)
	}
}

func (d *display) toggleFullscreen() {
	if d.window.GetMonitor() != nil {
		p := d.windowed
		d.window.SetMonitor(nil, p.X, p.Y, p.Width, p.Height, glfw.DontCare)
	} else if m := monitorOf(d.window.Window); m != nil && m.GetVideoMode() != nil {
		d.windowed = d.placement()
		mode := m.GetVideoMode()
		d.window.SetMonitor(m, 0, 0, mode.Width, mode.Height, mode.RefreshRate)
	}
	d.swapInterval() // some drivers forget it with the mode
}

// toggleVsync has frames wait for the display or not, and says which.
func (d *display) toggleVsync() string {
	d.vsync = !d.vsync
	d.swapInterval()
	return map[bool]string{true: "vsync: on", false: "vsync: off"}[d.vsync]
}

func (d *display) swapInterval() { glfw.SwapInterval(map[bool]int{true: 1, false: 0}[d.vsync]) }
