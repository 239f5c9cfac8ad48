package tracer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// frameOwners says which package fills in each part of cuda.Frame. Nobody else may write it.
func frameOwners() map[string][]string {
	return map[string][]string{
		"Camera":    {"view"},
		"Previous":  {"integrator", "denoise", "upscale"}, // the frame before of what each carries over
		"Sampling":  {"integrator", "upscale"},
		"Scene":     {"gpuscene"},
		"Film":      {"film", "upscale"}, // which has guides of its own
		"FirstHits": {"integrator"},
		"Wavefront": {"integrator"},
		"Restir":    {"integrator"},
		"Guides":    {"gpuscene"},
		"Denoise":   {"denoise"},
		"ErrorMap":  {"denoise"},
		"Net":       {"net"},
		"Upscale":   {"upscale"},
		"Display":   {"display"},
		"Rays":      {"tracer", "bench"},
		"Replay":    {"replay"},
		"Build":     {"gpuscene"},
		// Fields that several fill in, each for a pass of its own or a flag of its own.
		"Sampling.Flags":    {"integrator", "upscale", "film", "profile", "tracer"},
		"Film.Accumulation": {"film", "denoise"},              // a half image, when that is denoised
		"Film.SampleWeight": {"film", "integrator"},           // of a frame of several paths
		"Display.Shown":     {"tracer", "denoise", "upscale"}, // whose picture is shown
		"Denoise.Denoised":  {"denoise", "upscale"},
		// The filter that has learned meters what it is given, in its copy of the frame.
		"Display.Meter":         {"display", "denoise"},
		"Display.Histogram":     {"display", "denoise"},
		"Display.AdaptDarker":   {"display", "denoise"},
		"Display.AdaptBrighter": {"display", "denoise"},
	}
}

// frameWrite finds f.Part or f.Part.Field on the left of an assignment to a frame of the given names.
var frameWrite = regexp.MustCompile(`(?m)^\s*((?:(?:f|frame|small|b\.frame|s\.frame)\.[A-Z][\w.]*(?:\[\w+\])?,? ?)+)(?:[|&^+]*=)[^=]`)

// TestFramePartsHaveOwners reads the code: each part of the frame is filled in by one package.
func TestFramePartsHaveOwners(t *testing.T) {
	owners, found := frameOwners(), map[string]bool{}
	for _, path := range trackedFiles(t) {
		room := filepath.Base(filepath.Dir(path))
		if !strings.HasPrefix(path, "tracer/") || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(repositoryRoot(t), path))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(`"glint/cuda"`)) {
			continue
		}
		for _, m := range frameWrite.FindAllStringSubmatch(string(text), -1) {
			for _, target := range strings.Split(m[1], ",") {
				words := strings.Split(strings.TrimSpace(target), ".")
				part := words[slices.Index(words, words[0])+1]
				if words[1] == "frame" && len(words) > 2 {
					part = words[2]
				}
				allowed, known := owners[part]
				if !known {
					continue
				}
				found[part] = true
				if field, several := owners[strings.Join(words[len(words)-2:], ".")]; several {
					allowed = field
				}
				if !slices.Contains(allowed, room) {
					t.Errorf("%s writes %s, which belongs to %v", path, strings.TrimSpace(target), allowed)
				}
			}
		}
	}
	if len(found) < 12 {
		t.Errorf("only %d parts of the frame are written anywhere: the test does not see the code", len(found))
	}
}
