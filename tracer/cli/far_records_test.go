package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/scene"
)

// TestFarRecords: info names the point that a scene is drawn about, and statistics have cameras in the file's coordinates.
func TestFarRecords(t *testing.T) {
	s, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	eye := s.Cameras[0].Eye
	s.Origin = mgl64.Vec3{500_000, 4_000_000, 0}
	want := s.ToFile(eye)
	folder := t.TempDir()
	path, stats := filepath.Join(folder, "far.glb"), filepath.Join(folder, "stats.json")
	if err := builtin.WriteGLB(path, s); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := run(t, "info", path); code != 0 || !strings.Contains(out, "far from the origin") {
		t.Errorf("info: %d %q %q", code, out, stderr)
	}
	code, _, stderr := run(t, "render", path, "--size", "8x8", "--spp", "1", "--backend", "cpu", "--stats", stats, "-o", filepath.Join(folder, "far.png"))
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(stats)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Camera scene.Camera }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if d := got.Camera.Eye.Sub(want).Len(); !(d < 1e-5) {
		t.Errorf("eye at %.10g, want %.10g", got.Camera.Eye, want)
	}
}
