package hud

import "github.com/go-gl/glfw/v3.3/glfw"

// Window is a window that knows its sizes. To ask for one is a round trip to the display's server, and that may be busy with the frame before.
type Window struct {
	*glfw.Window
	size, pixels [2]int
	iconified    bool
}

// NewWindow measures a window.
func NewWindow(w *glfw.Window) *Window {
	known := &Window{Window: w}
	known.Measure()
	return known
}

// Measure asks for all sizes, once a frame.
func (w *Window) Measure() {
	w.size[0], w.size[1] = w.Window.GetSize()
	w.pixels[0], w.pixels[1] = w.Window.GetFramebufferSize()
	w.iconified = w.GetAttrib(glfw.Iconified) == glfw.True
}

// GetSize is that in screen coordinates, at the beginning of the frame.
func (w *Window) GetSize() (width, height int) { return w.size[0], w.size[1] }

// GetFramebufferSize is that in pixels.
func (w *Window) GetFramebufferSize() (width, height int) { return w.pixels[0], w.pixels[1] }

// Minimized tells whether nothing of it can be seen.
func (w *Window) Minimized() bool { return w.pixels[0] == 0 || w.pixels[1] == 0 || w.iconified }
