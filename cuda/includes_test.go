package cuda_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"glint/cuda"
	"glint/cuda/sources"
)

// folderRow says which other folders of the kernels a folder may include.
type folderRow struct {
	folder  string
	allowed []string
}

// includesAllowed has a row for each folder. What it names must have a row above it, so there is no cycle.
var includesAllowed = []folderRow{
	{"params", nil},
	{"core", []string{"params"}},
	{"scene", []string{"core"}},
	{"film", []string{"core"}},
	{"bvh", []string{"core", "scene"}},
	{"motion", []string{"core", "scene", "bvh"}},
	{"bsdf", []string{"core", "scene"}},
	{"light", []string{"core", "scene"}},
	{"path", []string{"core", "scene", "film", "bvh", "bsdf", "light"}},
	{"restir", []string{"core", "scene", "film", "bvh", "bsdf", "path"}},
	{"replay", []string{"path", "restir"}},
	{"wavefront", []string{"core", "film", "bvh", "path", "restir"}},
	{"denoise", []string{"core", "scene", "film", "path"}},
	{"upscale", []string{"core", "film", "denoise"}},
	{"display", []string{"core", "film", "restir"}},
	{"hardware", []string{"core", "bvh", "restir", "wavefront"}},
}

var includeLine = regexp.MustCompile(`(?m)^\s*#\s*include\s*"([^"]+)"`)

// wrongInclude explains why a kernel source may not include another, or is empty when it may.
func wrongInclude(from, to string, exists func(string) bool) string {
	if !exists(to) {
		return from + " includes " + to + ", which is no file seen from the root of the kernels: NVRTC finds no others"
	}
	own, other := path.Dir(from), path.Dir(to)
	own, _, _ = strings.Cut(own, "/")
	other, _, _ = strings.Cut(other, "/")
	if own == other || from == sources.Main {
		return ""
	}
	for _, row := range includesAllowed {
		if row.folder == own && slices.Contains(row.allowed, other) {
			return ""
		}
	}
	return from + " must not include " + to
}

// kernelSources are all sources of the kernels.
func kernelSources(t *testing.T) []sources.File {
	t.Helper()
	folder, err := cuda.Sources()
	if err != nil {
		t.Fatal(err)
	}
	files, err := sources.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestIncludes: sources include each other by their names from the root, and folders only those below them.
func TestIncludes(t *testing.T) {
	for i, row := range includesAllowed {
		for _, other := range row.allowed {
			if !slices.ContainsFunc(includesAllowed[:i], func(r folderRow) bool { return r.folder == other }) {
				t.Errorf("%s may include %s, which has no row above it", row.folder, other)
			}
		}
	}
	files := kernelSources(t)
	exists := func(name string) bool {
		return slices.ContainsFunc(files, func(f sources.File) bool { return f.Name == name })
	}
	includes := 0
	for _, f := range files {
		if path.Dir(f.Name) == "." && f.Name != sources.Main {
			t.Errorf("%s: kernel sources stand in folders", f.Name)
		}
		for _, m := range includeLine.FindAllStringSubmatch(string(f.Text), -1) {
			includes++
			if wrong := wrongInclude(f.Name, m[1], exists); wrong != "" {
				t.Error(wrong)
			}
		}
	}
	if includes < len(files) {
		t.Errorf("only %d includes found in %d files", includes, len(files))
	}
}

// callLine is the definition of a function that is not inlined, up to its arguments' end.
var callLine = regexp.MustCompile(`(?m)^DEVICE_CALL [^(]*\(([^)]*)\)`)

// TestCallsTakeValues: a function that is not inlined takes no address of its caller's variables; core/device.h says why.
func TestCallsTakeValues(t *testing.T) {
	files := kernelSources(t)
	calls := 0
	for _, f := range files {
		for _, m := range callLine.FindAllStringSubmatch(string(f.Text), -1) {
			calls++
			for argument := range strings.SplitSeq(m[1], ",") {
				if strings.Contains(argument, "&") || strings.Contains(argument, "*") && !strings.Contains(argument, "const ") {
					t.Errorf("%s: a call must not take %q", f.Name, strings.TrimSpace(argument))
				}
			}
		}
	}
	if calls < 8 {
		t.Errorf("only %d calls are found", calls)
	}
}

func TestIncludesRefuse(t *testing.T) {
	exists := func(name string) bool {
		return slices.Contains([]string{"bsdf/bsdf.cuh", "bsdf/lobes/glass.cuh", "path/path.cuh", "restir/temporal.cuh"}, name)
	}
	for _, c := range []struct {
		from, to string
		allowed  bool
	}{
		{"bsdf/bsdf.cuh", "bsdf/lobes/glass.cuh", true},
		{"bsdf/bsdf.cuh", "lobes/glass.cuh", false},
		{"bsdf/lobes/glass.cuh", "../bsdf.cuh", false},
		{"path/path.cuh", "bsdf/bsdf.cuh", true},
		{"bsdf/bsdf.cuh", "path/path.cuh", false},
		{"path/path.cuh", "restir/temporal.cuh", false},
		{"sheen/sheen.cuh", "bsdf/bsdf.cuh", false},
		{sources.Main, "restir/temporal.cuh", true},
	} {
		if wrong := wrongInclude(c.from, c.to, exists); (wrong == "") != c.allowed {
			t.Errorf("%s → %s: allowed should be %v, got %q", c.from, c.to, c.allowed, wrong)
		}
	}
}
