package viewer

import (
	"fmt"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/ncruces/zenity"
)

// Check is one thing that the window needs, or is the better for.
type Check struct {
	Name   string
	OK     bool
	Detail string // what was found
	Mend   string // what to do about it, when not OK
}

// Checks tries to open a window out of sight, and says what draws in it. It must be called on the main goroutine, locked to
// its thread, while no window is open.
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
	w, err := openWindow(somewhere(), false)
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
