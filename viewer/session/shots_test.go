package session

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"glint/tracer/document"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// TestShotsAreOfAllSamples: a denoised picture that is saved is of all samples that there are, and says so, although the one on the screen is
// of fewer. That is the one on the screen from then on.
func TestShotsAreOfAllSamples(t *testing.T) {
	t.Chdir(t.TempDir())
	s := opened(t, "cornell", headless(64, 48), func(s *settings.Settings) { s.Denoise, s.Integrator = "atrous", "path" })
	side := s.Sides.Active
	until(t, s, "a picture that is behind", func() bool { return side.Stats.Shown >= 8 && side.Stats.Samples >= side.Stats.Shown+4 })
	shown := func() []byte {
		img := image.NewNRGBA(image.Rect(0, 0, 64, 48))
		if err := side.Device.Show(side.View, side.Used, view.Target{Pixels: img.Pix}); err != nil {
			t.Fatal(err)
		}
		return img.Pix
	}
	before, all := shown(), side.Stats.Samples
	s.Screenshot()
	s.Shots.Writes.Wait()
	files, err := filepath.Glob("*.png")
	if err != nil || len(files) != 1 {
		t.Fatalf("saved %v, %v", files, err)
	}
	d, err := document.Read(files[0], s.Sides.Table)
	if err != nil || d.Samples != all || !strings.Contains(files[0], fmt.Sprintf("%04dsamp", all)) {
		t.Errorf("%s says that it is of %d samples, of %d: %v", files[0], d.Samples, all, err)
	}
	saved, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(saved))
	if err != nil {
		t.Fatal(err)
	}
	after := shown()
	if pix := img.(*image.RGBA).Pix; !bytes.Equal(pix, after) || bytes.Equal(pix, before) {
		t.Errorf("the picture is the one that was shown before: %v; that is shown now: %v", bytes.Equal(pix, before), bytes.Equal(pix, after))
	}
}

func TestShotName(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for scene, want := range map[string]string{
		"duck.glb":               "duck.20260304-050607.0042samp",
		"/a/b/old.duck.glb":      "old.duck.20260304-050607.0042samp",
		"what? a:b":              "what_ a_b.20260304-050607.0042samp",
		"":                       "scene.20260304-050607.0042samp",
		"..":                     "scene.20260304-050607.0042samp",
		"a\x1b[2J\u009bb\x7f":    "a_[2J_b_.20260304-050607.0042samp",
		strings.Repeat("é", 300): strings.Repeat("é", longestBase) + ".20260304-050607.0042samp",
	} {
		if got := shotName(scene, at, 42); got != want {
			t.Errorf("%q: %s, want %s", scene, got, want)
		}
	}
	if got := shotName("x", at, 123456); got != "x.20260304-050607.123456samp" {
		t.Error(got)
	}
}
