package cli_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"glint/tracer/imageio"
	"glint/tracer/tracertest"
)

// animated runs a command on the moving scene, small and quick.
func animated(t *testing.T, command string, more ...string) (code int, stderr string) {
	t.Helper()
	args := []string{command, tracertest.MovingFile(t), "--size", "48x32", "--spp", "3", "--backend", "cpu", "--integrator", "path"}
	code, _, stderr = run(t, append(args, more...)...)
	return code, stderr
}

func pixelsOf(t *testing.T, path string) []byte {
	t.Helper()
	return tracertest.ReadPNG(t, path).Pix
}

// A still shows the moment that a film from there begins with, bit for bit; frames of a film are the same whether they were
// rendered one after another or alone; and one that comes back to a moment shows what was there.
func TestStillsAndFilmsAgree(t *testing.T) {
	dir := t.TempDir()
	frame := func(folder string, n int) string { return filepath.Join(dir, folder, fmt.Sprintf("frame-%05d.png", n)) }
	film := func(folder string, more ...string) {
		t.Helper()
		if code, stderr := animated(t, "video", append(more, "--animate", "--fps", "2", "-o", filepath.Join(dir, folder))...); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
	}
	film("whole", "--frames", "0:5")
	film("alone", "--frames", "3:4")
	if !bytes.Equal(pixelsOf(t, frame("whole", 3)), pixelsOf(t, frame("alone", 3))) {
		t.Error("frame 3 depends on those before")
	}
	for _, at := range []float64{0, 0.7, 1.5, 2} {
		text, still := strconv.FormatFloat(at, 'g', -1, 64), filepath.Join(dir, fmt.Sprintf("still-%v.png", at))
		if code, stderr := animated(t, "render", "--at", text, "-o", still); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		film("at "+text, "--at", text, "--frames", "0:1")
		if !bytes.Equal(pixelsOf(t, still), pixelsOf(t, frame("at "+text, 0))) {
			t.Errorf("%v s: the still is not the film's first frame", at)
		}
	}
	if bytes.Equal(pixelsOf(t, frame("at 0", 0)), pixelsOf(t, frame("at 0.7", 0))) {
		t.Error("nothing moved")
	}
}

// The film lasts as long as the animation, 2 s, and in a loop as long as the camera's way.
func TestLengthOfAnAnimatedFilm(t *testing.T) {
	for _, row := range []struct {
		more   []string
		frames string
	}{
		{[]string{"--fps", "3"}, "frames=7"},
		{[]string{"--fps", "3", "--at", "1"}, "frames=4"},
		{[]string{"--fps", "3", "--orbit", "9"}, "frames=9"},
	} {
		withFFmpeg(t, "cat > /dev/null; "+anyVideo)
		args := append([]string{"--animate", "-o", filepath.Join(t.TempDir(), "film.mp4"), "--size", "16x16"}, row.more...)
		if code, stderr := animated(t, "video", args...); code != 0 || !strings.Contains(stderr, row.frames) {
			t.Errorf("%v: exit %d, want %s: %s", row.more, code, row.frames, stderr)
		}
	}
}

func TestMomentsThatAreNot(t *testing.T) {
	for _, row := range []struct {
		more  []string
		words string
	}{
		{[]string{"--at", "-1"}, "want 0 to"},
		{[]string{"--at", "NaN"}, "want 0 to"},
		{[]string{"--at", "1e9"}, "want 0 to"},
		{[]string{"--clip", "everything"}, "--at SECONDS"},
		{[]string{"--at", "1", "--clip", "everythin"}, "did you mean everything"},
		{[]string{"--at", "1", "--clip", "7"}, "no animation has this name or number"},
	} {
		code, stderr := animated(t, "render", append(row.more, "-o", filepath.Join(t.TempDir(), "still.png"))...)
		if code != 2 || !strings.Contains(stderr, row.words) {
			t.Errorf("%v: exit %d, want %q: %s", row.more, code, row.words, stderr)
		}
	}
	still := []string{"cornell", "--size", "16x16", "--backend", "cpu", "-o", filepath.Join(t.TempDir(), "still.png")}
	if code, _, stderr := run(t, append([]string{"render", "--at", "1"}, still...)...); code != 2 || !strings.Contains(stderr, "no animation") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestPicturesSayWhatTheyShow: light, moment and animation, and settings as they were rendered.
func TestPicturesSayWhatTheyShow(t *testing.T) {
	out, file := filepath.Join(t.TempDir(), "a.png"), tracertest.MovingFile(t)
	t.Chdir(filepath.Dir(file))
	code, stdout, stderr := run(t, "render", filepath.Base(file), "--size", "12x8", "--spp", "1", "--backend", "cpu", "--env", "sky:30", "--at", "100", "--stats", "-", "-o", out)
	if code != 0 || !strings.Contains(stderr, "its last moment is shown") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := imageio.ReadPNGText(out)
	if err != nil {
		t.Fatal(err)
	}
	if text["scene"] != filepath.Base(file) || text["file"] != file || text["environment"] != "sky:30" || text["at"] != "100" || text["clip"] == "" || !strings.Contains(text["settings"], `"Integrator":"path"`) {
		t.Errorf("the picture says %v", text)
	}
	for _, want := range []string{`"file": "` + file + `"`, `"environment": "sky:30"`, `"at": 100`, `"clip": "`, `"Exec": "megakernel"`} {
		if !strings.Contains(stdout, want) {
			t.Errorf("statistics lack %s", want)
		}
	}
}
