package viewer

import (
	"errors"
	"fmt"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// ErrNoDisplay means that this session has no screen to open a window on.
var ErrNoDisplay = errors.New("no display: start glint from a desktop session, set DISPLAY, or render without a window by `glint render`")

const (
	minWidth, minHeight = 320, 240 // of the window, screen coordinates
	glMajor, glMinor    = 4, 1
)

// openWindow starts GLFW and makes a window at a place, with a current OpenGL 4.1 context. Call closeWindow in the end.
func openWindow(at place, visible bool) (w *glfw.Window, err error) {
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

func createWindow(at place, monitors []area) (*glfw.Window, error) {
	for hint, value := range map[glfw.Hint]int{
		glfw.ContextVersionMajor: glMajor, glfw.ContextVersionMinor: glMinor,
		glfw.OpenGLProfile: glfw.OpenGLCoreProfile, glfw.OpenGLForwardCompatible: glfw.True,
		glfw.DepthBits: 0, glfw.StencilBits: 0, glfw.SRGBCapable: glfw.False,
		glfw.Visible: glfw.False, glfw.Maximized: boolHint(at.Maximized),
		// Without a remembered place the size is in the user's idea of pixels.
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

// closeWindow gives the window and GLFW back.
func closeWindow(w *glfw.Window) {
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
