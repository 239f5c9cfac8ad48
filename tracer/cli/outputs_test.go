package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// copyOf puts a copy of a built-in scene into a folder.
func sceneFile(t *testing.T, path string) string {
	t.Helper()
	if code, _, stderr := run(t, "scene", "cornell", "-o", path); code != 0 {
		t.Fatal(stderr)
	}
	return path
}

// TestOutputsAreCheckedFirst: what could not be written in the end is refused before the scene is loaded.
func TestOutputsAreCheckedFirst(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"folder.png", "folder.mp4", "taken"} {
		if err := os.Mkdir(path(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path("file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path("taken/other"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"null.png": "/dev/null", "null.glb": "/dev/null", "nowhere.png": path("nosuch/x.png")} {
		if err := os.Symlink(to, path(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(path("fifo.exr"), 0o666); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	video := func(output string, more ...string) []string {
		return append([]string{"video", "cornell", "--orbit", "5", "-o", path(output)}, more...)
	}
	for _, row := range []struct {
		want string
		args []string
	}{
		{"make it first", small(path("nosuch/a.png"))},
		{"not a directory", small(path("file/a.png"))},
		{"it is a folder", small(path("folder.png"))},
		{"it is a device", small(path("null.png"))},
		{"it is a device, pipe", small(path("fifo.exr"))},
		{"leads nowhere", small(path("nowhere.png"))},
		{"--stats " + path("nosuch/s.json"), small(path("a.png"), "--stats", path("nosuch/s.json"))},
		{"--stats /dev/null", small(path("a.png"), "--stats", "/dev/null")},
		{"--size 32768x32768", small(path("a.png"), "--size", "32768x32768")},
		{"it is a folder", video("folder.mp4")},
		{"make it first", video("nosuch/a.mp4")},
		{"not a directory", video("file/frames", "--frames", "0:2")},
		{"not a directory", cornell("compare", path("file/compared"))},
		{"has not made", cornell("compare", path("taken"))},
		{"not a directory", cornell("grid", path("file/grid"))},
		{"not a directory", []string{"bench", "-o", path("file/report")}},
		{"must end in .glb", []string{"scene", "cornell", "-o", path("file")}},
		{"it is a device", []string{"scene", "cornell", "-o", path("null.glb")}},
	} {
		withFFmpeg(t, "exit 1")
		code, _, stderr := run(t, row.args...)
		if code != 2 || !strings.Contains(stderr, row.want) || strings.Contains(stderr, "loaded") {
			t.Errorf("%v: exit %d, %q does not say %q before anything else", row.args, code, stderr, row.want)
		}
	}
	if after := names(t, dir); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("%v became %v", before, after)
	}
}

// TestInputsAreNotOverwritten: by whatever path they are reached.
func TestInputsAreNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	scene := sceneFile(t, path("s.glb"))
	if code, _, stderr := run(t, small(path("env.exr"))...); code != 0 {
		t.Fatal(stderr)
	}
	if code, _, stderr := run(t, cornell("compare", path("compared"), "--spp", "1", "--reference-spp", "2")...); code != 0 {
		t.Fatal(stderr)
	}
	for link, to := range map[string]string{"link.glb": scene, "wood.png": path("env.exr")} {
		if err := os.Symlink(to, path(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(scene, path("hard.glb")); err != nil {
		t.Fatal(err)
	}
	parts := `{"asset":{"version":"2.0"},"images":[{"uri":"data:,x"},{"uri":"w%6Fod.png"}]}`
	if err := os.WriteFile(path("parts.gltf"), []byte(parts), 0o666); err != nil {
		t.Fatal(err)
	}
	held := map[string][]byte{}
	for _, name := range []string{"s.glb", "env.exr", "parts.gltf", "compared/reference.exr"} {
		text, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		held[name] = text
	}
	render := func(scene, output string, more ...string) []string {
		return append([]string{"render", scene, "-o", output, "--size", "24x16", "--spp", "1", "--backend", "cpu"}, more...)
	}
	for _, row := range []struct {
		want string
		args []string
	}{
		{"file of the scene", render(scene, path("a.png"), "--stats", scene)},
		{"file of the scene", render(scene, path("a.png"), "--stats", path("link.glb"))},
		{"file of the scene", render(scene, path("a.png"), "--stats", path("hard.glb"))},
		{"file of the scene", render(path("parts.gltf"), path("wood.png"))},
		{"file of --env", render("cornell", path("env.exr"), "--env", dir+"/../"+filepath.Base(dir)+"/env.exr")},
		{"file of -o", render("cornell", path("a.exr"), "--stats", path("./a.exr"))},
		{"would be lost", cornell("compare", path("compared"), "--reference", path("compared/reference.exr"))},
		{"would be lost", cornell("grid", path("kept"), "--cache", path("kept"))},
		{"would be lost", cornell("grid", path("compared"), "--cache", path("compared/cache"))},
	} {
		code, _, stderr := run(t, row.args...)
		if code != 2 || !strings.Contains(stderr, row.want) || strings.Contains(stderr, "loaded") {
			t.Errorf("%v: exit %d, %q does not say %q before anything else", row.args, code, stderr, row.want)
		}
	}
	for name, want := range held {
		if text, err := os.ReadFile(path(name)); err != nil || !bytes.Equal(text, want) {
			t.Errorf("%s has changed: %v", name, err)
		}
	}
}

// TestLinksAreFollowed: an output that is a link is written where it leads.
func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.png"), filepath.Join(dir, "b.png")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.png", link); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, small(link)...); code != 0 {
		t.Fatal(stderr)
	}
	checkPNG(t, file)
	if to, err := os.Readlink(link); err != nil || to != "a.png" {
		t.Errorf("the link is gone: %v", err)
	}
}

// TestTooLittleMemory: a picture that does not fit is refused in words, before the process is out of memory.
func TestTooLittleMemory(t *testing.T) {
	if args := os.Getenv("GLINT_TEST_ARGUMENTS"); args != "" {
		code, _, stderr := run(t, strings.Fields(args)...)
		t.Logf("exit %d: %s", code, stderr)
		return
	}
	out := filepath.Join(t.TempDir(), "a.exr")
	cmd := exec.Command("sh", "-c", `ulimit -v 6291456; exec "$0" -test.v -test.run '^TestTooLittleMemory$'`, os.Args[0])
	cmd.Env = append(os.Environ(), "GLINT_TEST_ARGUMENTS=render cornell --backend cpu --size 16384x8192 --spp 1 --layers -o "+out)
	said, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "exit 2: ") || !strings.Contains(string(said), "take a smaller one") || strings.Contains(string(said), "goroutine") {
		t.Errorf("%v: %.2000s", err, said)
	}
}

// TestLongValuesAreCut: a number of millions of digits, in a flag or in a file, does not fill the terminal.
func TestLongValuesAreCut(t *testing.T) {
	dir := t.TempDir()
	digits := strings.Repeat("1", 3_000_000)
	keys := filepath.Join(dir, "keys.json")
	if err := os.WriteFile(keys, []byte(`{"key":[{"time":`+digits+`}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	withFFmpeg(t, "exit 1")
	for _, args := range [][]string{
		{"video", "cornell", "-o", filepath.Join(dir, "a.mp4"), "--path", keys},
		small(filepath.Join(dir, "a.png"), "--spp", digits),
		small(filepath.Join(dir, "a.png"), "--eye", digits+",0"),
		small(filepath.Join(dir, "a.png"), "--integrator", digits),
		small(filepath.Join(dir, "a.png"), "--size", digits+"x1"),
		small(filepath.Join(dir, digits+".png")),
	} {
		code, _, stderr := run(t, args...)
		if code != 2 || len(stderr) > 1000 || !strings.Contains(stderr, "characters)") {
			t.Errorf("%s: exit %d, %d bytes: %.300s", args[0], code, len(stderr), stderr)
		}
	}
}
