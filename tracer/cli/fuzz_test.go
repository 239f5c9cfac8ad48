package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/adrg/xdg"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

// notPrintable is what a terminal would obey.
func notPrintable(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }

// FuzzKeys: whatever a --path file holds, it is an error, or a motion of cameras that are numbers.
func FuzzKeys(f *testing.F) {
	f.Add("k.toml", "[[key]]\ntime = 0\neye = [0, 1, 4]\ntarget = [0, 0, 0]\n[[key]]\ntime = 2.5\neye = [4, 1, 0]\ntarget = [0, 0, 0]\nvfov = 30\nfocus = 3\n")
	f.Add("k.json", `[{"time":0,"eye":[0,1,4],"target":[0,0,0]},{"time":1e300,"eye":[1e38,1e308,0],"target":[0,0,0]}]`)
	f.Add("k.json", `{"key":[{"time":-1e308,"eye":[0,1,4],"target":[0,0,0],"vfov":40},{"time":1e308,"eye":[0,1,4],"target":[0,0,1]}]}`)
	f.Add("k.toml", "[[key]]\ntime = nan\neye = [inf, 0, 0]\ntarget = [0, 0, 0]\n\"\\u001b[31m\" = 1\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		path := filepath.Join(t.TempDir(), "keys.toml")
		if strings.HasSuffix(name, "json") {
			path = filepath.Join(t.TempDir(), "keys.json")
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		keys, err := readKeys(path)
		if err != nil {
			return
		}
		m, err := keyed(keys, scene.Camera{Eye: mgl64.Vec3{0, 0, 3}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}, 24)
		if err != nil {
			return
		}
		if m.frames < 1 || m.frames > maxFrames {
			t.Fatalf("%d frames", m.frames)
		}
		for _, frame := range []int{0, m.frames / 2, m.frames - 1} {
			p := m.at(frame)
			for _, v := range []float64{p.camera.Eye[0], p.camera.Eye[1], p.camera.Eye[2], p.camera.Target[0], float64(p.camera.VFov), p.focus} {
				if v != v {
					t.Fatalf("frame %d of %q: %v", frame, text, p)
				}
			}
		}
	})
}

// FuzzConfig: whatever the settings file holds, a command that needs none of it ends with 0 or 2 and prints nothing that a
// terminal would obey.
func FuzzConfig(f *testing.F) {
	f.Add("spp = 16\nbackend = \"cpu\"\n")
	f.Add("spp = [1, 2]\n[a.b]\nsize = 1979-05-27\n\"\\u001b[31m\" = true\n")
	f.Add("floor = true\nexposure = nan\nfloor = false\n")
	f.Add("\"")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "glint"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, configPath), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("XDG_CONFIG_HOME", dir)
		xdg.Reload()
		errs, err := os.Create(filepath.Join(dir, "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		defer errs.Close()
		var out bytes.Buffer
		p := Program{Version: "test", Stdout: &out, Stderr: errs, Keys: func(bool) string { return "" }}
		if code := p.Run(t.Context(), []string{"keys"}); code != 0 && code != exitUsage {
			t.Fatalf("exit %d", code)
		}
		said, err := os.ReadFile(errs.Name())
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(string(said)+out.String(), notPrintable) {
			t.Fatalf("prints %q", said)
		}
	})
}
