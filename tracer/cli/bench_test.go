package cli_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBenchTables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	for range 2 { // a report takes the place of the one before
		code, stdout, stderr := run(t, "bench", "--tables", "roulette,alive", "--size", "64x64", "--frames", "2", "-o", dir, "--backend", "cpu")
		if code != 0 {
			t.Fatal(stderr)
		}
		lines := 0
		for s := bufio.NewScanner(strings.NewReader(stdout)); s.Scan(); lines++ {
			var f struct{ Table, Row, Side string }
			if err := json.Unmarshal(s.Bytes(), &f); err != nil || f.Table == "" || f.Row == "" || f.Side == "" {
				t.Errorf("line %q: %v", s.Text(), err)
			}
		}
		if lines != 4*3+4 {
			t.Errorf("%d lines", lines)
		}
	}
	for _, name := range []string{"report.md", "figures.jsonl", "summary.json", "roulette.png", "alive.png"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil || !strings.Contains(string(text), "## Russian roulette") || !strings.Contains(string(text), "64x64 pixels") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestBenchScene(t *testing.T) {
	code, stdout, stderr := run(t, "bench", "cornell", "--size", "32x24", "--frames", "2", "--bounces", "2", "--backend", "cpu")
	if code != 0 {
		t.Fatal(stderr)
	}
	var f struct {
		Scene  string
		Width  int
		FPS    float64
		Mrays  float64            `json:"mrays_per_s"`
		Alive  []float64          `json:"alive_per_bounce"`
		Kernel map[string]float64 `json:"ms_per_kernel"`
	}
	if err := json.Unmarshal([]byte(stdout), &f); err != nil || f.Scene != "cornell" || f.Width != 32 || f.FPS <= 0 || f.Mrays <= 0 || len(f.Alive) == 0 || len(f.Kernel) == 0 {
		t.Errorf("%v %+v", err, f)
	}
}

func TestBenchRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"choose from":   {"bench", "--tables", "roulete"},
		"leave out":     {"bench", "cornell", "-o", "x"},
		"at least one":  {"bench", "--tables", "alive", "--frames", "0"},
		"holds":         {"bench", "--tables", "alive", "-o", full},
		"no such":       {"bench", "nowhere.glb"},
		"WIDTHxHEIGHT":  {"bench", "--tables", "alive", "--size", "big"},
		"--launches 0:": {"bench", "--rays", "--launches", "0"},
	} {
		if code, _, stderr := run(t, args...); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %q does not say %q", args, code, stderr, want)
		}
	}
}
