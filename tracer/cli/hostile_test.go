package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// TestNamesReachNoTerminal: whatever a file calls its parts, nothing that a terminal would obey is printed, and no line is forged.
func TestNamesReachNoTerminal(t *testing.T) {
	const evil = `\u001b[31mRED\u001b]0;pwned\u0007\u009b5m\u202e\nglint: all is well`
	triangle := `"buffers":[{"byteLength":36,"uri":"data:;base64,AACAvwAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAwD8AAAAA"}],
		"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}]`
	for i, c := range []string{
		`"EVIL":1`,
		`"nodes":[{"EVIL":1}]`,
		`"extensions":{"EVIL":{}}`,
		`"extensions":{"EVIL":1}`,
		`"extensionsUsed":["EVIL"]`,
		`"extensionsUsed":["EVIL"],"extensionsRequired":["EVIL"]`,
		`"extensionsRequired":["EVIL",{"EVIL":1}]`,
		`"asset":{"version":"2.EVIL"}`,
		`"asset":{"version":"EVIL"}`,
		`"buffers":[{"byteLength":3,"uri":"EVIL","name":"EVIL"}]`,
		`"buffers":[{"byteLength":3,"uri":"data:EVIL"}]`,
		`"buffers":[{"byteLength":3,"uri":"EVIL:x"}]`,
		`"buffers":[{"byteLength":3,"uri":"%1b[31m%0a"}]`,
		`"cameras":[{"name":"EVIL","type":"perspective","perspective":{"yfov":1,"znear":1}}],"nodes":[{"camera":0}]`,
		`"cameras":[{"name":"EVIL","type":"perspective"}],"nodes":[{"camera":0}]`,
		`"cameras":[{"type":"EVIL"}]`,
		`"extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"EVIL","name":"EVIL"}]}},
			"nodes":[{"extensions":{"KHR_lights_punctual":{"light":0}}}]`,
		triangle + `,"images":[{"uri":"EVIL","name":"EVIL"}],"textures":[{"source":0,"name":"EVIL"}],
			"materials":[{"name":"EVIL","normalTexture":{"index":0},"extensions":{"EVIL":{}}}],
			"meshes":[{"name":"EVIL","primitives":[{"attributes":{"POSITION":0},"material":0}]}],"nodes":[{"mesh":0,"name":"EVIL"}]`,
		triangle + `,"meshes":[{"name":"EVIL","primitives":[{"attributes":{"POSITION":0,"EVIL":77}}]}],"nodes":[{"mesh":0}]`,
		`"nodes":[{"name":"EVIL","children":[0]}]`,
		`"x":` + strings.Repeat("9", 1<<20),
		`"extensionsUsed":["KHR_node_visibility"],"nodes":[{"extensions":{"KHR_node_visibility":{"visible":0.` + strings.Repeat("3", 1<<20) + `}}}]`,
		`"buffers":[{"byteLength":3,"uri":"` + strings.Repeat("x", 1<<20) + `"}]`,
	} {
		text := c
		if !strings.Contains(c, `"asset"`) {
			text = `"asset":{"version":"2.0","generator":"EVIL"},` + c
		}
		path := filepath.Join(t.TempDir(), "scene.gltf")
		if err := os.WriteFile(path, []byte("{"+strings.ReplaceAll(text, "EVIL", evil)+"}"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"info", path}, {"info", "--json", path},
			{"render", path, "--size", "8x8", "--spp", "1", "--backend", "cpu", "--camera", "none", "-o", path + ".png"}} {
			code, stdout, stderr := run(t, args...)
			if code != 0 && code != 2 {
				t.Errorf("%d, %s: exit %d", i, args[0], code)
			}
			if len(stdout)+len(stderr) > 5000 {
				t.Errorf("%d, %s prints %d bytes", i, args[0], len(stdout)+len(stderr))
			}
			for line := range strings.Lines(stdout + stderr) {
				bad := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
				if strings.ContainsFunc(line, bad) || strings.HasPrefix(line, "glint: all is well") {
					t.Errorf("%d, %s prints %s", i, args[0], fmt.Sprintf("%q", line))
				}
			}
		}
	}
}

// TestUnusableCameras are refused in words, wherever they come from.
func TestUnusableCameras(t *testing.T) {
	refused := func(where string, args ...string) {
		t.Helper()
		begun := time.Now()
		out := filepath.Join(t.TempDir(), "a%03d.png")
		code, _, stderr := run(t, append(args, "--size", "8x8", "--spp", "1", "--backend", "cpu", "-o", out)...)
		if code != 2 || !strings.Contains(stderr, "camera") && !strings.Contains(stderr, "number") && !strings.Contains(stderr, "vfov") {
			t.Errorf("%s: exit %d, %s", where, code, stderr)
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%s: it took %v", where, took)
		}
	}
	for _, flags := range [][]string{
		{"--eye", "2e19,0,0"}, {"--eye", "1e39,0,0"}, {"--eye", "nan,0,0"}, {"--target", "0,-inf,0"}, {"--target", "0,0,1e16"}, {"--up", "0,3e38,0"},
		{"--vfov", "nan"}, {"--vfov", "0"}, {"--vfov", "180"}, {"--vfov", "-inf"},
	} {
		refused(strings.Join(flags, " "), append([]string{"render", "cornell"}, flags...)...)
		refused(strings.Join(flags, " "), append([]string{"video", "cornell", "--orbit", "2", "--frames", "0:2"}, flags...)...)
	}
	config(t, func(path string) error { return os.WriteFile(path, []byte("eye = [2e19, 0, 0]\n"), 0o600) })
	refused("the settings file", "render", "cornell")
}

// TestPipesAreNoFiles: a pipe that nobody writes to ends every command that would read it, at once.
func TestPipesAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := func(name string) string {
		path := filepath.Join(dir, name)
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	exr, out := pipe("a.exr"), filepath.Join(dir, "out.exr")
	for _, args := range [][]string{
		{"merge", exr, exr, "-o", out},
		small(out, "--resume", exr),
		small(out, "--env", exr),
		{"info", pipe("a.glb")},
		{"info", pipe("a.gltf")},
		{"compare", "cornell", "--size", "8x8", "--backend", "cpu", "--reference", exr, "-o", filepath.Join(dir, "d")},
		{"video", "cornell", "--size", "8x8", "--backend", "cpu", "--path", pipe("keys.json"), "--frames", "0:2", "-o", filepath.Join(dir, "v")},
		{"video", "--join", filepath.Dir(pipe("a.png")), "-o", filepath.Join(t.TempDir(), "v.mp4")},
	} {
		begun := time.Now()
		code, _, stderr := run(t, args...)
		if code != 2 || !strings.Contains(stderr, "not a regular file") || time.Since(begun) > 20*time.Second {
			t.Errorf("%v: exit %d after %v: %s", args, code, time.Since(begun), stderr)
		}
	}
}

// TestNamesThatAreNotUTF8 are those of files as they are; only what is printed is made readable.
func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := t.TempDir()
	scene, picture := filepath.Join(dir, "a\xff\xfe.glb"), filepath.Join(dir, "a\xff\xfe.png")
	for _, args := range [][]string{
		{"scene", "cornell", "-o", scene},
		{"info", scene},
		{"render", scene, "-o", picture, "--size", "8x8", "--spp", "1", "--backend", "cpu"},
	} {
		code, stdout, stderr := run(t, args...)
		if code != 0 || !utf8.ValidString(stdout) || !utf8.ValidString(stderr) {
			t.Errorf("%q: exit %d: %q", args, code, stderr)
		}
	}
	for _, path := range []string{scene, picture} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
