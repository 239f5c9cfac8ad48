package scene

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBrokenFiles loads other loaders' test suites of malformed, hostile and odd files.
func TestBrokenFiles(t *testing.T) {
	dir := filepath.Join(sharedScenes(t), "broken")
	var silent []string
	var loaded, failed int
	mustLoad := listLoadable(t, dir)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".gltf", ".glb"}, filepath.Ext(path)) {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		s, err := loadTimed(t, path)
		switch {
		case err == nil:
			loaded++
			checkSound(t, s)
			if len(s.Report.Notes) == 0 && !mustLoad(name) {
				silent = append(silent, name)
			}
		case mustLoad(name):
			t.Errorf("%s must load: %v", name, err)
		case !strings.Contains(err.Error(), path):
			t.Errorf("%s: the error does not name the file: %v", name, err)
		default:
			failed++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(silent)
	if !slices.Equal(silent, soundSeeds) {
		t.Errorf("these load without a warning: %q, want %q", silent, soundSeeds)
	}
	if loaded < 300 || failed < 100 {
		t.Errorf("%d load and %d fail: the folder should hold more of both", loaded, failed)
	}
}

// soundSeeds have nothing wrong with them, though neither their name nor their folder says so.
var soundSeeds = []string{
	"cgltf-fuzz/Box.glb",
	"meshopt/fuzz.glb",
	"tinygltf-models/SparseMorphTargets-issue280/singleBlendshapeCube_sparse.glb",
	"tinygltf-models/box01.glb",
	"tinygltf-models/regression/zero-sized-bin-chunk-issue-440.glb",
}

// loadTimed fails the test when one file takes seconds or a gigabyte.
func loadTimed(t *testing.T, path string) (*Scene, error) {
	t.Helper()
	type result struct {
		s   *Scene
		err error
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan result, 1)
	go func() {
		s, err := Load(context.Background(), path, Options{Scene: -1})
		done <- result{s, err}
	}()
	select {
	case r := <-done:
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<30 {
			t.Errorf("%s took %d MiB", path, taken>>20)
		}
		return r.s, r.err
	case <-time.After(5 * time.Second):
		t.Fatalf("%s: still loading after 5 s", path)
		return nil, nil
	}
}

// listLoadable says which files must load: those named valid, and the positive ones that their manifest calls loadable.
func listLoadable(t *testing.T, dir string) func(name string) bool {
	t.Helper()
	positive := filepath.Join(dir, "asset-generator-positive")
	data, err := os.ReadFile(filepath.Join(positive, "Manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var folders []struct {
		Models []struct {
			FileName string
			Loadable bool
		}
	}
	if err := json.Unmarshal(data, &folders); err != nil {
		t.Fatal(err)
	}
	refused := map[string]bool{}
	for _, f := range folders {
		for _, m := range f.Models {
			refused[m.FileName] = !m.Loadable
		}
	}
	return func(name string) bool {
		base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		if strings.Contains(name, "asset-generator-positive") {
			return !refused[filepath.Base(name)]
		}
		return base == "valid" || strings.HasPrefix(base, "valid_") || strings.HasSuffix(base, "_valid")
	}
}
