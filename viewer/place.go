package viewer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

const (
	defaultWidth, defaultHeight = 1280, 720
	maxSide                     = 16384 // of a window that can have been real
	grip                        = 64    // of the title bar that must be on a monitor to be dragged, screen coordinates
)

// area is a rectangle of the desktop, screen coordinates.
type area struct{ x, y, width, height int }

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.width && y >= a.y && y < a.y+a.height
}

// place is where the window was, screen coordinates.
type place struct {
	X         int  `toml:"x"`
	Y         int  `toml:"y"`
	Width     int  `toml:"width"`
	Height    int  `toml:"height"`
	Maximized bool `toml:"maximized"`
	Known     bool `toml:"-"` // false: the window system chooses the position
}

// somewhere is the place of a window that was never opened before.
func somewhere() place { return place{Width: defaultWidth, Height: defaultHeight} }

// onScreen is the place itself when its title bar can be reached on one of the monitors; else its size, placed by the
// window system and no bigger than the first monitor.
func (p place) onScreen(monitors []area) place {
	for _, m := range monitors {
		if p.Known && m.holds(p.X+min(grip, p.Width/2), max(p.Y, m.y)) && p.Y >= m.y-grip {
			return p
		}
	}
	p.Known = false
	if len(monitors) > 0 {
		p.Width, p.Height = min(p.Width, monitors[0].width), min(p.Height, monitors[0].height)
	}
	return p
}

// readPlace reads what savePlace wrote. A file that is missing or makes no sense is as good as none.
func readPlace(path string) (place, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return somewhere(), nil
	}
	if err != nil {
		return somewhere(), fmt.Errorf("read the window's place: %w", err)
	}
	p := somewhere()
	if err := toml.Unmarshal(text, &p); err != nil {
		return somewhere(), fmt.Errorf("read the window's place from %s: %w: remove the file", path, err)
	}
	if p.Width < minWidth || p.Height < minHeight || p.Width > maxSide || p.Height > maxSide {
		return somewhere(), fmt.Errorf("read the window's place from %s: size %d×%d makes no sense: remove the file", path, p.Width, p.Height)
	}
	p.Known = true
	return p, nil
}

// savePlace writes a place, whole or not at all.
func savePlace(path string, p place) error {
	text, err := toml.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the window's place: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the window's place: %w", err)
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, text, 0o644); err != nil {
		return fmt.Errorf("write the window's place: %w", err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("write the window's place: %w", err)
	}
	return nil
}
