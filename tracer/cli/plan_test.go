package cli_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlansHold: what is planned of a picture's memory is what rendering it takes.
func TestPlansHold(t *testing.T) {
	type memory struct {
		Film, Restir, Pool, Denoiser, Scene int
	}
	for _, row := range []struct{ scene, flags string }{
		{"cornell", "--exec wavefront"},
		{"cornell", "--exec megakernel --integrator restir --denoise atrous"},
		{"chess", "--exec wavefront --integrator restir-gi"},
	} {
		flags := strings.Fields(row.flags)
		code, stdout, stderr := run(t, append([]string{"info", row.scene, "--json", "--plan", "96x64"}, flags...)...)
		must(t, code, stderr)
		var planned struct {
			Plan struct {
				Device memory `json:"device_memory_bytes"`
				Peak   int    `json:"device_peak_bytes"`
				Host   int    `json:"host_peak_bytes"`
			}
		}
		if err := json.Unmarshal([]byte(stdout), &planned); err != nil {
			t.Fatal(err)
		}
		args := []string{"render", row.scene, "-o", filepath.Join(t.TempDir(), "a.exr"), "--size", "96x64", "--spp", "1", "--backend", "cpu", "--stats", "-"}
		code, stdout, stderr = run(t, append(args, flags...)...)
		must(t, code, stderr)
		var measured struct {
			Device memory `json:"device_memory_bytes"`
		}
		if err := json.Unmarshal([]byte(stdout), &measured); err != nil {
			t.Fatal(err)
		}
		p, m := planned.Plan.Device, measured.Device
		scene := float64(p.Scene) / float64(m.Scene)
		p.Scene, m.Scene = 0, 0
		if p != m || math.Abs(scene-1) > 0.12 { // a processor keeps other trees
			t.Errorf("%s %s: planned %+v, measured %+v, the scene %.3f times", row.scene, row.flags, p, m, scene)
		}
		if sum := p.Film + p.Restir + p.Pool + p.Denoiser; planned.Plan.Peak < sum || planned.Plan.Host <= 0 {
			t.Errorf("%s %s: %+v", row.scene, row.flags, planned.Plan)
		}
	}
	if code, _, stderr := run(t, "info", "cornell", "--plan", "big"); code != 2 || !strings.Contains(stderr, "big") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
