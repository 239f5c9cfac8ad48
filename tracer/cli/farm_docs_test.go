package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"glint/tracer/tracertest"
)

// farmExample is a block of code in docs/farm.md, by the name of its file.
func farmExample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/farm.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?ms)^```\\w+ " + regexp.QuoteMeta(name) + "\n(.*?)^```").FindSubmatch(text)
	if block == nil {
		t.Fatalf("docs/farm.md has no %s", name)
	}
	return string(block[1])
}

// TestGNUParallel runs the example of docs/farm.md on a small film: its frames are those of a single run.
func TestGNUParallel(t *testing.T) {
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skip("needs GNU parallel")
	}
	withFFmpeg(t, "cat > /dev/null; "+anyVideo)
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	wrapper := filepath.Join(dir, "glint")
	glint := "#!/bin/sh\nfor a; do args=\"${args:+$args\n}$a\"; done\nexec env " + asCommand + "=\"$args\" '" + program + "'\n"
	if err := os.WriteFile(wrapper, []byte(glint), 0o755); err != nil {
		t.Fatal(err)
	}
	script := farmExample(t, "film.sh")
	changes := [][2]string{
		{"scene.glb", "cornell --backend cpu --size 24x16 --spp 2"},
		{"240", "12"},
		{"parallel ", "parallel --will-cite "},
		{"glint ", wrapper + " "}, // last: the digits of the wrapper's folder are random, and may hold a 240
	}
	for _, change := range changes {
		if !strings.Contains(script, change[0]) {
			t.Fatalf("the example says nothing of %q", change[0])
		}
		script = strings.ReplaceAll(script, change[0], change[1])
	}
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if code, stderr := filmed(t, filepath.Join(dir, "single"), "--orbit", "12", "--frames", "0:12"); code != 0 {
		t.Fatal(stderr)
	}
	for frame := range 12 {
		name := fmt.Sprintf("frame-%05d.png", frame)
		a, b := tracertest.ReadPNG(t, filepath.Join(dir, "single", name)), tracertest.ReadPNG(t, filepath.Join(dir, "frames", name))
		if !bytes.Equal(a.Pix, b.Pix) {
			t.Errorf("frame %d differs from that of a single run", frame)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "film.mp4")); err != nil {
		t.Error(err)
	}
}

// TestRayExampleIsPython parses the script of docs/farm.md.
func TestRayExampleIsPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	cmd := exec.Command(python, "-c", "import ast, sys; ast.parse(sys.stdin.read())")
	cmd.Stdin = strings.NewReader(farmExample(t, "film.py"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
