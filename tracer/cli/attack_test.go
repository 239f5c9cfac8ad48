package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"glint/tracer/cli"
)

// asCommand makes the test binary glint itself, with these arguments, one a line.
const asCommand = "GLINT_TEST_COMMAND"

// runCommand does what TestMain should when the test binary stands for the program.
func runCommand(args string) int {
	p := cli.Program{Version: "test", Stdout: os.Stdout, Stderr: os.Stderr, Keys: func(bool, map[string][]string) string { return "" }, CheckKeys: func(map[string][]string) map[string]string { return nil }, Checks: func() []cli.Check { return nil }}
	ctx, stop := cli.WithSignals(context.Background(), os.Exit)
	defer stop()
	return p.Run(ctx, strings.Split(args, "\n"))
}

// attack runs a command in a process of its own, which must end with 0 or 2 within 20 s and 6 GiB, and print no panic and
// nothing that a terminal would obey. It returns what was printed.
func attack(t *testing.T, args ...string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program)
	command.Env = append(os.Environ(), asCommand+"="+strings.Join(args, "\n"))
	begun := time.Now()
	printed, err := command.CombinedOutput()
	state := command.ProcessState
	if state == nil {
		t.Fatal(err)
	}
	name := filepath.Base(args[len(args)-1])
	// Other processes may hold the cores: what counts is the time that this one had.
	if spent := state.UserTime() + state.SystemTime(); spent > 40*time.Second || time.Since(begun) > 2*time.Minute {
		t.Errorf("%s: %v of processor time, %v in all", name, spent, time.Since(begun))
	}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok && usage.Maxrss > 6<<20 {
		t.Errorf("%s: %d MiB", name, usage.Maxrss>>10)
	}
	if code := state.ExitCode(); code != 0 && code != 2 {
		t.Errorf("%s: exit %d: %.2000s", name, code, printed)
	}
	text := string(printed)
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) || strings.Contains(text, "goroutine ") || strings.Contains(text, "internal error") {
		t.Errorf("%s: prints %.2000q", name, text)
	}
	return text
}

// TestAttacks repeats what once crashed glint, filled the memory or took minutes.
func TestAttacks(t *testing.T) {
	files, err := filepath.Glob("../../../shared/scenes/faults/attack/*")
	if err != nil || len(files) == 0 {
		t.Skip("needs hostile files that do not come with the project")
	}
	says := map[string]string{
		"case_": "glTF spells it ", "quad_": "9000000 triangles", "img_4x": "made of 4 images", "j_esc": `"\x1b[31mRED\x1b]0;pwned\a"`, "x_camera_NaN": "stands where numbers overflow",
	}
	for _, path := range files {
		said := attack(t, "info", path)
		for prefix, want := range says {
			if strings.HasPrefix(filepath.Base(path), prefix) && !strings.Contains(said, want) {
				t.Errorf("%s: %q does not say %q", filepath.Base(path), said, want)
			}
		}
		attack(t, "render", "--size", "8x8", "--spp", "1", "--backend", "cpu", "-o", filepath.Join(t.TempDir(), "a.png"), path)
	}
}

// TestSpellings: no property of a sound file gets past the checks in another case.
func TestSpellings(t *testing.T) {
	const sound = `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"children":[]},{"camera":0}],
		"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0,"mode":4}]}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
		"images":[{"bufferView":0,"mimeType":"image/png"}],"textures":[{"source":0,"sampler":0}],"samplers":[{"wrapS":10497}],
		"accessors":[{"bufferView":0,"byteOffset":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
		"bufferViews":[{"buffer":0,"byteLength":36,"byteStride":12},{"buffer":0,"byteOffset":4,"byteLength":3}],
		"buffers":[{"byteLength":36,"uri":"data:;base64,AACAvwAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAwD8AAAAA"}]}`
	var doc any
	if err := json.Unmarshal([]byte(sound), &doc); err != nil {
		t.Fatal(err)
	}
	dir, tried := t.TempDir(), 0
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, child := range v {
				visit(child)
			}
		case map[string]any:
			var keys []string
			for key := range v {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				visit(v[key])
				for _, spelt := range []string{strings.ToUpper(key), strings.ToUpper(key[:1]) + key[1:], strings.ToLower(key)} {
					if spelt == key {
						continue
					}
					for _, evil := range []any{99, []any{}} {
						v[spelt] = evil
						text, err := json.Marshal(doc)
						delete(v, spelt)
						if err != nil {
							t.Fatal(err)
						}
						path := filepath.Join(dir, strconv.Itoa(tried)+".gltf")
						tried++
						if err := os.WriteFile(path, text, 0o644); err != nil {
							t.Fatal(err)
						}
						if code, _, stderr := run(t, "info", "--env", "none", path); code != 0 && code != 2 || strings.Contains(stderr, "internal error") {
							t.Errorf("%s as %s: exit %d, %s", key, spelt, code, stderr)
						}
					}
				}
			}
		}
	}
	visit(doc)
	if tried < 100 {
		t.Errorf("only %d files", tried)
	}
}
