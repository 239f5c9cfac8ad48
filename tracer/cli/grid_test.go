package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"glint/tracer/tracertest"
)

// gridded is what the tests want to know of summary.json.
type gridded struct {
	Scenes []struct {
		Name   string
		Change map[string]float64
	}
	Outcomes []struct {
		Scene, Motion, Denoiser, Integrator string
		Budget                              float64 `json:"budget_ms"`
		Samples                             int
		RelMSE, FLIP, Flicker               float64
	}
	Ratios []struct {
		Motion, Denoiser, Integrator string
		Ratios                       map[string]struct {
			Mean   float64 `json:"geometric_mean"`
			Scenes map[string]float64
		}
	} `json:"over_first"`
	Files []string
}

// runGrid measures small pictures and reads the summary.
func runGrid(t *testing.T, cache string, args ...string) (g gridded, stdout string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "grid")
	code, stdout, stderr := run(t, append([]string{"grid", "-o", folder, "--size", "32x24", "--backend", "cpu", "--cache", cache, "--frames", "3", "--warm-up", "3"}, args...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	if got := names(t, folder); len(g.Files) != len(got) {
		t.Errorf("files %v, told of %v", got, g.Files)
	}
	return g, stdout
}

// TestGrid: every integrator is there for each scene, motion, budget and denoiser. More time has more samples and less
// error; only what moves flickers, and what moves shows another picture in each frame.
func TestGrid(t *testing.T) {
	g, stdout := runGrid(t, t.TempDir(), "cornell", "box-open", "--budget", "1ms,20ms", "--rest", "50ms", "--reference-spp", "64",
		"--denoisers", "off,atrous", "--integrators", "path,restir")
	if len(g.Scenes) != 2 || len(g.Outcomes) != 2*2*2*(2*2+1) || len(g.Files) != 2*5+2 {
		t.Fatalf("%d scenes, %d outcomes, files %v", len(g.Scenes), len(g.Outcomes), g.Files)
	}
	for _, s := range g.Scenes {
		for _, motion := range []string{"orbit", "walk"} {
			if !(s.Change[motion] > 0.5) {
				t.Errorf("%s, %s: pixels change by %g of 255 from frame to frame", s.Name, motion, s.Change[motion])
			}
		}
	}
	for i, o := range g.Outcomes {
		if want := []string{"path", "restir"}[i%2]; o.Integrator != want || o.Samples < 1 || (o.Flicker > 0) != (o.Motion != "rest") {
			t.Errorf("%+v", o)
		}
		if o.Budget == 1 && o.Denoiser == "off" {
			more := g.Outcomes[i+2] // the larger budget
			if more.Budget != 20 || more.Samples <= o.Samples || !(more.RelMSE < o.RelMSE) && o.Integrator == "path" {
				t.Errorf("%+v has less error than %+v", o, more)
			}
		}
	}
	if len(g.Ratios) != 2*(2*2+1) {
		t.Fatalf("%d ratios", len(g.Ratios))
	}
	for _, r := range g.Ratios {
		if r.Integrator != "restir" || len(r.Ratios["flip"].Scenes) != 2 || !(r.Ratios["flip"].Mean > 0) {
			t.Errorf("%+v", r)
		}
	}
	if !strings.Contains(stdout, "| orbit | 20 | atrous | restir |") {
		t.Errorf("printed %q", stdout)
	}
}

// TestGridKeepsItsReferences: a second run reads them, whatever else it measures, and another camera has others.
func TestGridKeepsItsReferences(t *testing.T) {
	cache := t.TempDir()
	flags := []string{"cornell", "--budget", "1ms", "--rest", "1ms", "--reference-spp", "4", "--denoisers", "off", "--motion", "walk"}
	runGrid(t, cache, flags...)
	before := contents(t, cache)
	if len(before) != 2*(3+1) {
		t.Fatalf("%d files", len(before))
	}
	pictures := map[string]bool{}
	for name, file := range before {
		if strings.HasSuffix(name, ".pfm") {
			pictures[string(file.text)] = true
		}
	}
	if len(pictures) != 4 {
		t.Errorf("%d pictures differ, want those of three frames and of the resting view", len(pictures))
	}
	runGrid(t, cache, append(flags, "--restir-cap", "5", "--integrators", "naive", "--exposure", "1")...)
	after := contents(t, cache)
	for name, file := range before {
		if now := after[name]; !slices.Equal(file.text, now.text) || now.modified != file.modified {
			t.Errorf("%s was written again", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
	for i, other := range [][]string{{"--eye", "0,1,3"}, {"--bounces", "2"}, {"--env", "1"}} {
		runGrid(t, cache, append(flags, other...)...)
		if got, want := len(contents(t, cache)), (i+2)*len(before); got != want {
			t.Errorf("%v: %d files, want %d", other, got, want)
		}
	}
}

// TestGridPlays: each frame is another moment of the animation, and other motions show the moment that is asked for. References of one
// moment are not those of another.
func TestGridPlays(t *testing.T) {
	cache := t.TempDir()
	flags := []string{tracertest.MovingFile(t), "--budget", "1ms", "--rest", "1ms", "--reference-spp", "8", "--denoisers", "off", "--integrators", "path,restir"}
	g, _ := runGrid(t, cache, append(flags, "--motion", "play,orbit", "--at", "0.5")...)
	if len(g.Scenes) != 1 || !(g.Scenes[0].Change["play"] > 0.05) || len(g.Outcomes) != 2*3 {
		t.Fatalf("%+v", g)
	}
	const first, later = 2 * (3 + 3 + 1), 2 * (3 + 1) // references and their notes
	if got := len(contents(t, cache)); got != first {
		t.Errorf("%d files, want %d", got, first)
	}
	runGrid(t, cache, append(flags, "--motion", "orbit", "--at", "1")...)
	if got := len(contents(t, cache)); got != first+later {
		t.Errorf("%d files, want %d", got, first+later)
	}
}

type cachedFile struct {
	text     []byte
	modified int64
}

func contents(t *testing.T, folder string) map[string]cachedFile {
	t.Helper()
	files := map[string]cachedFile{}
	for _, name := range names(t, folder) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = cachedFile{text, info.ModTime().UnixNano()}
	}
	return files
}

// TestGridRefusesScenes before it measures any.
func TestGridRefusesScenes(t *testing.T) {
	parent := t.TempDir()
	var scenes []string
	for _, folder := range []string{"a", "b"} {
		scenes = append(scenes, filepath.Join(parent, folder, "scene.glb"))
		if err := os.MkdirAll(filepath.Dir(scenes[len(scenes)-1]), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(scenes[len(scenes)-1], nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for want, names := range map[string][]string{"no such file": {"cornell", "nothing.glb"}, "tables call both scene.glb": scenes, "call both cornell": {"cornell", "cornell"}} {
		code, _, stderr := run(t, append(append([]string{"grid"}, names...), "-o", filepath.Join(parent, "x"), "--cache", parent, "--backend", "cpu")...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %q does not say %q", names, code, stderr, want)
		}
	}
}

// TestGridRefuses what cannot be measured: also a camera that motions would leave where it is, and one that sees the same
// in every frame.
func TestGridRefuses(t *testing.T) {
	for _, row := range []struct {
		want  string
		flags []string
	}{
		{"above 0", []string{"--budget", "0s"}},
		{"above 0", []string{"--budget", "1ms,soon"}},
		{"above 0", []string{"--rest", "-1s"}},
		{"--frames 1", []string{"--frames", "1"}},
		{"--warm-up -1", []string{"--warm-up", "-1"}},
		{"--reference-spp 1", []string{"--reference-spp", "1"}},
		{`"restir-go" is none of`, []string{"--integrators", "path,restir-go"}},
		{`"auto" is none of`, []string{"--integrators", "auto"}},
		{"path is named twice", []string{"--integrators", "path,path"}},
		{`"magic" is none of`, []string{"--denoisers", "magic"}},
		{"name each motion once", []string{"--motion", "walk,walk"}},
		{"name each time once", []string{"--budget", "20ms,0.02"}},
		{"--motion", []string{"--motion", "run"}},
		{"no animation", []string{"--motion", "play"}},
		{"stands on its target", []string{"--eye", "0,1,3", "--target", "0,1,3"}},
		{"shows the same picture in every frame", []string{"--eye", "0,1,3", "--target", "0,1,4", "--env", "1"}},
	} {
		code, _, stderr := run(t, append([]string{"grid", "cornell", "-o", filepath.Join(t.TempDir(), "x"), "--cache", t.TempDir(), "--size", "16x12",
			"--backend", "cpu", "--frames", "2", "--reference-spp", "2"}, row.flags...)...)
		if code != 2 || !strings.Contains(stderr, row.want) {
			t.Errorf("%v: exit %d, %q does not say %q", row.flags, code, stderr, row.want)
		}
	}
}
