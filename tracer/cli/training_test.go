package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glint/cuda"
)

// TestTrainingData: each line of the index describes a file of its size, whose last moving frame and those that rest have a reference.
func TestTrainingData(t *testing.T) {
	folder := t.TempDir()
	const width, height, moving = 32, 24, 3
	code, _, stderr := run(t, "training-data", "cornell", "-o", folder, "--size", "32x24", "--frames", "3", "--variants", "6", "--sequences", "1", "--ratio", "1", "--least", "1",
		"--test", "--backend", "cpu")
	must(t, code, stderr)
	index, err := os.ReadFile(filepath.Join(folder, "index.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	rests := 0
	for _, line := range strings.Split(strings.TrimSpace(string(index)), "\n") {
		var about struct {
			File   string
			Planes int
			Frames []struct {
				Samples, Past int
				Target        bool
			}
		}
		if err := json.Unmarshal([]byte(line), &about); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(folder, about.File))
		if err != nil {
			t.Fatal(err)
		}
		if want := 2 * len(about.Frames) * about.Planes * width * height; len(data) != want {
			t.Errorf("%s has %d bytes: want %d", line, len(data), want)
		}
		for i, f := range about.Frames {
			reference := data[2*(i*about.Planes+int(cuda.RecordPlanes))*width*height:][:2*3*width*height]
			if has := strings.Trim(string(reference), "\x00") != ""; has != f.Target {
				t.Errorf("frame %d: a reference is there: %v, and in the index: %v", i, has, f.Target)
			}
			if i >= moving {
				rests++
				if f.Past != moving-2 || f.Samples != 2*about.Frames[i-1].Samples {
					t.Errorf("frame %d rests with %+v after %+v", i, f, about.Frames[i-1])
				}
			}
		}
	}
	if rests != 9 {
		t.Errorf("%d frames rest: want 9", rests)
	}
}
