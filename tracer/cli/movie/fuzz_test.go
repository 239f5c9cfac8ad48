package movie

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

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
		keys, err := ReadKeys(path)
		if err != nil {
			return
		}
		m, err := Keyed(keys, scene.Camera{Eye: mgl64.Vec3{0, 0, 3}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}, 24)
		if err != nil {
			return
		}
		if m.Frames < 1 || m.Frames > MaxFrames {
			t.Fatalf("%d frames", m.Frames)
		}
		for _, frame := range []int{0, m.Frames / 2, m.Frames - 1} {
			p := m.At(frame)
			for _, v := range []float64{p.Camera.Eye[0], p.Camera.Eye[1], p.Camera.Eye[2], p.Camera.Target[0], float64(p.Camera.VFov), p.focus} {
				if v != v {
					t.Fatalf("frame %d of %q: %v", frame, text, p)
				}
			}
		}
	})
}
