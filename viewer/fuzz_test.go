package viewer

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzWindowState: whatever the file of the window's placement holds, the window opens at a size that it can have.
func FuzzWindowState(f *testing.F) {
	f.Add("x = 10\ny = 20\nwidth = 1280\nheight = 720\nmaximized = true\nunfolded = [\"light\"]\n")
	f.Add("width = -1\nheight = 9223372036854775807\n")
	f.Add("width = 1e9\n")
	f.Add("unfolded = [[]]")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "window.toml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := readState(path)
		if s.Width < minWidth || s.Height < minHeight || s.Width > maxWindowSide || s.Height > maxWindowSide || err != nil && s.Known {
			t.Fatalf("%+v, %v", s, err)
		}
	})
}
