package tracer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// arrows says which of our packages each package may import; a package without a row may not exist. A name ending in
// /... stands for everything below it.
func arrows() map[string][]string {
	return map[string][]string{
		"glint":                      {"glint/viewer", "glint/viewer/session", "glint/tracer", "glint/tracer/cli", "glint/tracer/early", "glint/tracer/scene/draco"},
		"glint/viewer":               {"glint/tracer/guard", "glint/tracer/schedule", "glint/viewer/...", "glint/tracer", "glint/tracer/settings", "glint/tracer/view", "glint/tracer/device", "glint/tracer/gpuscene", "glint/tracer/film", "glint/tracer/integrator", "glint/tracer/denoise", "glint/tracer/upscale", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/imageio", "glint/tracer/metric", "glint/shaders", "glint/assets"},
		"glint/viewer/...":           {"glint/viewer/...", "glint/shaders", "glint/assets"},
		"glint/viewer/session":       {"glint/tracer/replay", "glint/tracer/diagnose", "glint/tracer/document", "glint/tracer/guard", "glint/tracer", "glint/tracer/schedule", "glint/tracer/crew", "glint/tracer/settings", "glint/tracer/view", "glint/tracer/device", "glint/tracer/gpuscene", "glint/tracer/film", "glint/tracer/integrator", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/imageio", "glint/tracer/metric"},
		"glint/viewer/hud":           {"glint/tracer/diagnose", "glint/tracer/replay", "glint/viewer/session", "glint/tracer/schedule", "glint/tracer/scene", "glint/tracer/settings", "glint/tracer/film", "glint/tracer/integrator", "glint/tracer/profile", "glint/tracer/guard"},
		"glint/tracer":               {"glint/tracer/guard", "glint/tracer/schedule", "glint/tracer/settings", "glint/tracer/view", "glint/tracer/device", "glint/tracer/gpuscene", "glint/tracer/film", "glint/tracer/integrator", "glint/tracer/denoise", "glint/tracer/upscale", "glint/tracer/display", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/bvh", "glint/tracer/imageio", "glint/tracer/metric", "glint/tracer/builtin", "glint/tracer/rays", "glint/tracer/replay", "glint/tracer/oidn", "glint/cuda", "glint/cuda/driver"},
		"glint/tracer/settings":      {},
		"glint/tracer/view":          {"glint/tracer/settings", "glint/tracer/scene", "glint/cuda"},
		"glint/tracer/device":        {"glint/tracer/guard", "glint/cuda", "glint/cuda/compiled", "glint/cuda/driver", "glint/cuda/images", "glint/cuda/optix"},
		"glint/tracer/gpuscene":      {"glint/tracer/guard", "glint/tracer/device", "glint/tracer/settings", "glint/tracer/scene", "glint/tracer/bvh", "glint/tracer/imageio", "glint/cuda"},
		"glint/tracer/film":          {"glint/tracer/guard", "glint/tracer/device", "glint/tracer/settings", "glint/tracer/imageio", "glint/cuda"},
		"glint/tracer/profile":       {"glint/tracer/device", "glint/cuda"},
		"glint/tracer/integrator":    {"glint/tracer/schedule", "glint/tracer/device", "glint/tracer/film", "glint/tracer/settings", "glint/tracer/view", "glint/cuda"},
		"glint/tracer/denoise":       {"glint/tracer/denoise/net", "glint/tracer/guard", "glint/tracer/schedule", "glint/tracer/device", "glint/tracer/film", "glint/tracer/settings", "glint/tracer/view", "glint/tracer/oidn", "glint/tracer/imageio", "glint/cuda"},
		"glint/tracer/denoise/net":   {"glint/tracer/device", "glint/cuda"},
		"glint/tracer/schedule":      {"glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/upscale":       {"glint/tracer/device", "glint/tracer/schedule", "glint/tracer/imageio", "glint/tracer/view", "glint/cuda"},
		"glint/tracer/display":       {"glint/tracer/device", "glint/tracer/settings", "glint/tracer/imageio", "glint/cuda"},
		"glint/tracer/cli":           {"glint/tracer", "glint/tracer/...", "glint/cuda", "glint/cuda/driver", "glint/cuda/optix"},
		"glint/tracer/builtin":       {"glint/tracer/scene", "glint/tracer/imageio"},
		"glint/tracer/crew":          {"glint/tracer/schedule", "glint/tracer", "glint/tracer/settings", "glint/tracer/view", "glint/tracer/device", "glint/tracer/film", "glint/tracer/gpuscene", "glint/tracer/guard", "glint/tracer/profile", "glint/tracer/scene"},
		"glint/tracer/diagnose":      {"glint/tracer/imageio", "glint/tracer/scene", "glint/tracer/settings"},
		"glint/tracer/document":      {"glint/tracer/guard", "glint/tracer/imageio", "glint/tracer/scene", "glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/replay":        {"glint/tracer/device", "glint/tracer/imageio", "glint/cuda"},
		"glint/tracer/metric":        {"glint/tracer/imageio"},
		"glint/tracer/bench":         {"glint/tracer/guard", "glint/tracer/schedule", "glint/tracer", "glint/tracer/settings", "glint/tracer/view", "glint/tracer/device", "glint/tracer/gpuscene", "glint/tracer/profile", "glint/tracer/rays", "glint/tracer/scene", "glint/tracer/chart", "glint/cuda"},
		"glint/tracer/tracertest":    {"glint/tracer/schedule", "glint/tracer", "glint/tracer/settings", "glint/tracer/view", "glint/tracer/device", "glint/tracer/gpuscene", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/imageio", "glint/tracer/metric", "glint/tracer/builtin", "glint/tracer/oidn", "glint/cuda"}, // for tests: a fence keeps others out
		"glint/tracer/scene":         {"glint/tracer/guard", "glint/tracer/scene/..."},
		"glint/tracer/scene/...":     {},
		"glint/tracer/scene/draco":   {"glint/tracer/guard"},
		"glint/tracer/bvh":           {"glint/tracer/guard"},
		"glint/tracer/chart":         {},
		"glint/tracer/guard":         {},
		"glint/tracer/early":         {},
		"glint/tracer/rays":          {"glint/cuda"},
		"glint/tracer/imageio":       {"glint/tracer/guard"},
		"glint/tracer/oidn":          {"glint/cuda/dynlib"},
		"glint/cuda":                 {},
		"glint/cuda/compiled":        {"glint/cuda", "glint/cuda/images", "glint/cuda/sources"},
		"glint/cuda/driver":          {"glint/cuda/dynlib"},
		"glint/cuda/optix":           {"glint/cuda/dynlib"},
		"glint/cuda/driver/...":      {"glint/cuda/driver/..."},
		"glint/cuda/dynlib":          {},
		"glint/cuda/images":          {},
		"glint/cuda/sources":         {},
		"glint/cuda/tools/gen":       {},
		"glint/cuda/tools/albedo":    {"glint/cuda"},
		"glint/cuda/tools/nvrtc":     {"glint/cuda/images", "glint/cuda/sources"},
		"glint/cuda/probe":           {"glint/cuda"}, // for tests: no row allows it
		"glint/shaders":              {},
		"glint/assets":               {},
		"glint/assets/licenses":      {},
		"glint/docs/tables":          {},
		"glint/tracer/scene/picture": {"glint/tracer/guard", "glint/tracer/scene/jpeg", "glint/tracer/scene/ktx2"},
		"glint/tracer/cli/compare":   {"glint/tracer/diagnose", "glint/tracer/schedule", "glint/tracer", "glint/tracer/chart", "glint/tracer/cli/flags", "glint/tracer/cli/interrupt", "glint/tracer/cli/job", "glint/tracer/cli/measure", "glint/tracer/cli/save", "glint/tracer/cli/terminal", "glint/tracer/cli/training", "glint/tracer/film", "glint/tracer/imageio", "glint/tracer/metric", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/cli/flags":     {"glint/cuda/driver", "glint/tracer", "glint/tracer/cli/terminal", "glint/tracer/device", "glint/tracer/guard", "glint/tracer/imageio", "glint/tracer/scene", "glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/cli/grid":      {"glint/tracer/schedule", "glint/tracer", "glint/tracer/bench", "glint/tracer/chart", "glint/tracer/cli/flags", "glint/tracer/cli/interrupt", "glint/tracer/cli/job", "glint/tracer/cli/measure", "glint/tracer/cli/movie", "glint/tracer/cli/save", "glint/tracer/denoise", "glint/tracer/device", "glint/tracer/imageio", "glint/tracer/integrator", "glint/tracer/metric", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/cli/interrupt": {"glint/tracer/guard"},
		"glint/tracer/cli/job":       {"glint/tracer/document", "glint/tracer/schedule", "glint/cuda/driver", "glint/tracer", "glint/tracer/builtin", "glint/tracer/crew", "glint/tracer/cli/flags", "glint/tracer/cli/interrupt", "glint/tracer/cli/save", "glint/tracer/cli/terminal", "glint/tracer/device", "glint/tracer/film", "glint/tracer/gpuscene", "glint/tracer/guard", "glint/tracer/imageio", "glint/tracer/integrator", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/cli/measure":   {"glint/tracer/schedule", "glint/tracer", "glint/tracer/chart", "glint/tracer/cli/flags", "glint/tracer/cli/interrupt", "glint/tracer/cli/job", "glint/tracer/cli/terminal", "glint/tracer/display", "glint/tracer/film", "glint/tracer/imageio", "glint/tracer/metric", "glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/cli/movie":     {"glint/tracer/document", "glint/tracer/schedule", "glint/tracer/cli/flags", "glint/tracer/cli/interrupt", "glint/tracer/cli/job", "glint/tracer/cli/part", "glint/tracer/cli/save", "glint/tracer/cli/terminal", "glint/tracer/denoise", "glint/tracer/guard", "glint/tracer/imageio", "glint/tracer/integrator", "glint/tracer/scene", "glint/tracer/settings", "glint/tracer/upscale", "glint/tracer/view"},
		"glint/tracer/cli/part":      {"glint/tracer/document", "glint/cuda", "glint/tracer/cli/flags", "glint/tracer/cli/job", "glint/tracer/film", "glint/tracer/guard", "glint/tracer/imageio", "glint/tracer/profile", "glint/tracer/view"},
		"glint/tracer/cli/save":      {"glint/tracer/imageio"},
		"glint/tracer/cli/training":  {"glint/cuda", "glint/tracer", "glint/tracer/cli/flags", "glint/tracer/cli/job", "glint/tracer/cli/measure", "glint/tracer/denoise/net", "glint/tracer/device", "glint/tracer/gpuscene", "glint/tracer/imageio", "glint/tracer/integrator", "glint/tracer/profile", "glint/tracer/scene", "glint/tracer/schedule", "glint/tracer/settings", "glint/tracer/view"},
		"glint/tracer/cli/terminal":  {},
	}
}

// fences says which of our packages alone may import a library, or a package of ours that is for tests.
func fences() map[string][]string {
	return map[string][]string{
		"github.com/go-gl/glfw/...":          {"glint/viewer", "glint/viewer/hud"},
		"github.com/go-gl/gl/...":            {"glint/viewer", "glint/viewer/hud"},
		"github.com/AllenDang/cimgui-go/...": {"glint/viewer", "glint/viewer/hud"},
		"github.com/ncruces/zenity":          {"glint/viewer", "glint/viewer/..."},
		"github.com/alecthomas/kong":         {"glint", "glint/tracer/cli", "glint/tracer/cli/flags"},
		"glint/tracer/tracertest":            {}, // tests alone, whose imports are not looked at
	}
}

// covers tells whether pattern stands for the package at path.
func covers(pattern, path string) bool {
	below, tree := strings.CutSuffix(pattern, "/...")
	return pattern == path || tree && strings.HasPrefix(path, below+"/")
}

func anyCovers(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, path) })
}

// row is the row for path: its own, else the narrowest that ends in /... and covers it.
func row(table map[string][]string, path string) (allowed []string, found bool) {
	if allowed, found = table[path]; found {
		return allowed, true
	}
	longest := ""
	for pattern := range table {
		if covers(pattern, path) && len(pattern) > len(longest) {
			longest = pattern
		}
	}
	return table[longest], longest != ""
}

// wrongImport explains why from may not import to, or is empty when it may.
func wrongImport(from, to string) string {
	ours := to == "glint" || strings.HasPrefix(to, "glint/")
	if allowed, found := row(arrows(), from); !found {
		return from + " has no row in the table of arrows"
	} else if ours && !anyCovers(allowed, to) {
		return from + " must not import " + to
	}
	if allowed, fenced := row(fences(), to); fenced && !anyCovers(allowed, from) {
		return from + " must not import " + to + ": only " + strings.Join(append(allowed, "tests"), ", ") + " may"
	}
	return ""
}

func TestArrows(t *testing.T) {
	for _, imports := range listPackages(t) {
		from := imports[0]
		for _, to := range append([]string{"fmt"}, imports[1:]...) { // fmt: a package without imports needs a row too
			if wrong := wrongImport(from, to); wrong != "" {
				t.Error(wrong)
			}
		}
	}
}

func TestArrowsRefuse(t *testing.T) {
	for _, c := range []struct {
		from, to string
		allowed  bool
	}{
		{"glint", "glint/viewer", true},
		{"glint", "glint/cuda", false},
		{"glint/viewer", "glint/tracer/scene", true},
		{"glint/viewer", "glint/viewer/internal/warm", true},
		{"glint/viewer", "glint/cuda/driver", false},
		{"glint/viewer/internal/warm", "glint/tracer", false},
		{"glint/tracer", "glint/viewer", false},
		{"glint/tracer", "github.com/go-gl/glfw/v3.3/glfw", false},
		{"glint/viewer", "github.com/go-gl/glfw/v3.3/glfw", true},
		{"glint/tracer/scene", "glint/cuda", false},
		{"glint/cuda/compiled", "glint/cuda/sources", true},
		{"glint/cuda/driver", "glint/cuda", false},
		{"glint/tracer", "glint/cuda/probe", false},
		{"glint/tracer/cli", "glint/tracer/metric", true},
		{"glint/tracer/cli", "glint/tracer/tracertest", false},
		{"glint/tracer/unheard", "fmt", false},
	} {
		if wrong := wrongImport(c.from, c.to); (wrong == "") != c.allowed {
			t.Errorf("%s -> %s: allowed should be %v, got %q", c.from, c.to, c.allowed, wrong)
		}
	}
}

// listPackages has a slice for each of our packages: its path, then what it imports outside its tests.
func listPackages(t *testing.T) [][]string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command to list packages")
	}
	list := exec.Command("go", "list", "-f", `{{ .Dir }}|{{ .ImportPath }} {{ join .Imports " " }}`, "./...")
	list.Dir = repositoryRoot(t)
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages [][]string
	for line := range strings.Lines(string(out)) {
		dir, imports, _ := strings.Cut(line, "|")
		if _, err := os.ReadDir(dir); err != nil { // tells go test's cache that the verdict depends on these files
			t.Fatal(err)
		}
		packages = append(packages, strings.Fields(imports))
	}
	if len(packages) < 3 {
		t.Fatalf("go list found only %d packages in %s", len(packages), list.Dir)
	}
	return packages
}

// repositoryRoot is the nearest folder above the test's that holds go.mod.
func repositoryRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test's folder")
		}
	}
}
