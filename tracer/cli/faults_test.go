package cli_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"glint/tracer/imageio"
)

// unknowable are files whose value nobody can tell: of this JPEG one byte of light is left and none of colour, so that libjpeg shows the same
// grey.
var unknowable = []string{"img-jpg-cut8.glb"}

// TestOddFiles renders files after public bug reports, and compares the middle of each picture with the radiance that must be there.
func TestOddFiles(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "scenes", "faults", "files")
	table, err := os.Open(filepath.Join(dir, "expected.jsonl"))
	if err != nil {
		t.Skip("needs files that do not come with the project")
	}
	defer func() { _ = table.Close() }()
	rows := bufio.NewScanner(table)
	for rows.Scan() {
		var row struct {
			File, Flags string
			Expected    [3]float64
			Tolerance   float64
		}
		if err := json.Unmarshal(rows.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(unknowable, row.File) {
			continue
		}
		t.Run(row.File, func(t *testing.T) {
			middle := renderMiddle(t, dir, row.File, strings.Fields(row.Flags))
			for i, want := range row.Expected {
				if bound := max(row.Tolerance, 0.02*want); !(math.Abs(middle[i]-want) <= bound) {
					t.Errorf("%.4g, want %v within %.2g", middle, row.Expected, bound)
					break
				}
			}
		})
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// renderMiddle is the mean radiance of the middle half of a picture. An environment lights a scene of its own.
func renderMiddle(t *testing.T, dir, file string, flags []string) (mean [3]float64) {
	t.Helper()
	for i, flag := range flags {
		if slices.Contains([]string{".hdr", ".exr"}, filepath.Ext(flag)) {
			flags[i] = filepath.Join(dir, "env", flag)
		}
	}
	if strings.HasPrefix(file, "env/") {
		file = "env/env.glb"
	}
	out := filepath.Join(t.TempDir(), "out.pfm")
	if code, _, stderr := run(t, append([]string{"render", filepath.Join(dir, file), "--backend", "cpu", "-o", out}, flags...)...); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	img, err := imageio.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	count := 0.0
	for y := img.Height / 4; y < img.Height-img.Height/4; y++ {
		for x := img.Width / 4; x < img.Width-img.Width/4; x++ {
			count++
			for c := range mean {
				mean[c] += float64(img.Pix[3*(y*img.Width+x)+c])
			}
		}
	}
	for c := range mean {
		mean[c] /= count
	}
	return mean
}
