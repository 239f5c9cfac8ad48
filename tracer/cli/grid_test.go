package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// gridded is what the test wants to know of summary.json.
type gridded struct {
	Variants []struct {
		Integrator, Denoiser string
		MsPerSample          float64 `json:"ms_per_sample"`
		Moving, Resting      struct {
			Samples               int
			RelMSE, FLIP, Flicker float64
		}
	}
	Files []string
}

// TestGrid: every integrator is there, with as many samples as its time allows; at rest the errors are smaller than in
// motion, where nothing but noise changes the picture.
func TestGrid(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "grid")
	code, _, stderr := run(t, "grid", "cornell", "-o", folder, "--size", "32x24", "--budget", "1ms", "--rest", "400ms", "--frames", "3",
		"--reference-spp", "256", "--backend", "cpu")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var g gridded
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	if got := names(t, folder); !slices.Equal(got, []string{"grid.md", "moving.png", "resting.png", "summary.json"}) || len(g.Files) != len(got) {
		t.Errorf("files %v, told of %v", got, g.Files)
	}
	if len(g.Variants) < 2 || g.Variants[0].Integrator != "path" || g.Variants[1].Integrator != "restir-gi" || g.Variants[0].Denoiser != "off" {
		t.Fatalf("variants %+v", g.Variants)
	}
	for _, l := range g.Variants[:2] {
		m, r := l.Moving, l.Resting
		if m.Samples < 1 || r.Samples <= m.Samples || !(m.RelMSE > 2*r.RelMSE) || !(m.FLIP > r.FLIP) || !(m.Flicker > 1) || r.Flicker != 0 {
			t.Errorf("%s: %+v", l.Integrator, l)
		}
	}
}

// TestGridReadsItsReference: errors are against the file then, which hears of no samples.
func TestGridReadsItsReference(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "reference.exr")
	if code, _, stderr := run(t, "render", "cornell", "--size", "32x24", "--spp", "64", "--backend", "cpu", "-o", file); code != 0 {
		t.Fatal(stderr)
	}
	if code, _, stderr := run(t, "grid", "cornell", "-o", filepath.Join(dir, "grid"), "--size", "32x24", "--budget", "1ms", "--rest", "1ms",
		"--frames", "2", "--reference", file, "--backend", "cpu"); code != 0 {
		t.Fatal(stderr)
	}
}

// TestGridRefuses what cannot be measured.
func TestGridRefuses(t *testing.T) {
	for _, flags := range [][]string{{"--budget", "0s"}, {"--rest", "-1s"}, {"--frames", "1"}, {"--reference-spp", "0"}} {
		if code, _, _ := run(t, append([]string{"grid", "cornell", "-o", filepath.Join(t.TempDir(), "x")}, flags...)...); code != 2 {
			t.Errorf("%v: exit %d, want 2", flags, code)
		}
	}
}
