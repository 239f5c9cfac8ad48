package viewer

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPlaceOnScreen(t *testing.T) {
	two := []area{{0, 0, 1920, 1080}, {1920, 0, 1280, 1024}}
	for _, c := range []struct {
		name     string
		at       place
		monitors []area
		known    bool
		width    int
	}{
		{"on the first monitor", place{X: 100, Y: 100, Width: 800, Height: 600, Known: true}, two, true, 800},
		{"on the second", place{X: 2000, Y: 10, Width: 800, Height: 600, Known: true}, two, true, 800},
		{"the second is gone", place{X: 2000, Y: 10, Width: 800, Height: 600, Known: true}, two[:1], false, 800},
		{"title bar above the top", place{X: 100, Y: -400, Width: 800, Height: 600, Known: true}, two, false, 800},
		{"decoration just above the top", place{X: 100, Y: -20, Width: 800, Height: 600, Known: true}, two, true, 800},
		{"wider than the screen", place{X: 9000, Y: 0, Width: 8000, Height: 600, Known: true}, two, false, 1920},
		{"never opened", somewhere(), two, false, defaultWidth},
		{"no monitor", place{X: 1, Y: 1, Width: 800, Height: 600, Known: true}, nil, false, 800},
	} {
		if got := c.at.onScreen(c.monitors); got.Known != c.known || got.Width != c.width {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestPlaceFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "glint", "window.toml")
	if p, err := readPlace(path); err != nil || p != somewhere() {
		t.Errorf("no file: %+v, %v", p, err)
	}
	want := place{X: -5, Y: 7, Width: 640, Height: 480, Maximized: true, Known: true}
	if err := savePlace(path, want); err != nil {
		t.Fatal(err)
	}
	if got, err := readPlace(path); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"x = [", "width = 3\nheight = 4", "width = 999999999\nheight = 600", "x = \"left\""} {
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := readPlace(path); err == nil || p != somewhere() {
			t.Errorf("%q: %+v, %v", bad, p, err)
		}
	}
}
