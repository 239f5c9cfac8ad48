package viewer

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"glint/viewer/session"
)

// Keys are the keys that the user has for rows of the key table in place of its own, by the names of rows; none: the row has no key.
type Keys map[string][]string

// Options say what the window opens with.
type Options struct {
	session.Options
	// Width and Height are the window's size in screen coordinates; 0 means as big as the last time.
	Width, Height int
	Keys          Keys
	// StartAgain starts the program again, with GoOn at a file that this window has left. The window is closed then. nil: that cannot be done.
	StartAgain func(file string) error

	scale float32 // of the display; 0: as it says. Tests have others
	state string  // file that keeps the window's placement
}

func (o Options) withDefaults() Options {
	o.Log = o.Logger()
	if o.state == "" {
		path, err := xdg.StateFile("glint/window.toml")
		if err != nil {
			o.Log.Debug("the window's placement will not be remembered", "err", err)
		}
		o.state = path
	}
	if o.StartAgain != nil && o.state != "" {
		o.Leave = filepath.Join(filepath.Dir(o.state), fmt.Sprintf("go-on-%d.exr", os.Getpid()))
	}
	return o
}
