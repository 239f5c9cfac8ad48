package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"glint/tracer/imageio"
)

// comparison is what the tests want to know of summary.json.
type comparison struct {
	Sides []struct {
		Name, Flags string
		Samples     int
		Seconds     float64
		RelMSE      float64
		FLIP        float64
		HDRFLIP     float64 `json:"hdr_flip"`
		Settings    map[string]any
		Live        *struct{ Samples int } `json:"last_live_frame"`
		Curve       []struct{ Samples int }
	}
	Reference struct {
		Samples int
		RelMSE  float64
	}
	Ratios map[string]struct {
		Samples         int
		Seconds, RelMSE float64
	} `json:"a_over_b"`
	Verdict string
	Bias    string
	Files   []string
}

// compared runs a small comparison and reads what it says.
func compared(t *testing.T, folder string, more ...string) comparison {
	t.Helper()
	args := []string{"compare", "cornell", "-o", folder, "--size", "32x24", "--spp", "16", "--reference-spp", "64", "--backend", "cpu"}
	code, _, stderr := run(t, append(args, more...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c comparison
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Sides) != 2 {
		t.Fatalf("%d sides", len(c.Sides))
	}
	return c
}

// names are what lies in a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestCompareSaysWhichIsBetter: in words, with how sure that is, where errors fall as samples grow: not after denoising.
func TestCompareSaysWhichIsBetter(t *testing.T) {
	c := compared(t, filepath.Join(t.TempDir(), "a"), "--b", "--integrator naive", "--reference-spp", "256")
	if !strings.HasPrefix(c.Verdict, "A has ") || !strings.Contains(c.Verdict, "times less error at equal samples") {
		t.Errorf("the verdict is %q", c.Verdict)
	}
	if c := compared(t, filepath.Join(t.TempDir(), "b"), "--b", "--denoise atrous", "--reference-spp", "256"); c.Verdict != "" {
		t.Errorf("after denoising the verdict is %q", c.Verdict)
	}
}

// TestCompareSaysWhetherMeansDiffer: those of path and restir do not, light after one bounce is missed, and few samples say nothing.
func TestCompareSaysWhetherMeansDiffer(t *testing.T) {
	for _, c := range []struct{ spp, b, want string }{
		{"64", "--integrator restir", "No bias is seen"}, {"64", "--bounces 1", "B is darker by"}, {"16", "--bounces 1", ""},
	} {
		folder := filepath.Join(t.TempDir(), "compared")
		got := compared(t, folder, "--spp", c.spp, "--b", c.b)
		if !strings.HasPrefix(got.Bias, c.want) || (got.Bias == "") != (c.want == "") {
			t.Errorf("%s samples, %s: %q, want %q", c.spp, c.b, got.Bias, c.want)
		}
		if slices.Contains(got.Files, "bias.png") != (c.want != "") || slices.Contains(names(t, folder), "bias.png") != (c.want != "") {
			t.Errorf("%s samples: %v", c.spp, got.Files)
		}
	}
}

func TestCompareAtEqualSamples(t *testing.T) {
	parent := t.TempDir()
	folder := filepath.Join(parent, "new", "cornell")
	c := compared(t, folder, "--live", "3", "--bounces", "3", "--b", "--integrator restir-gi --restir-mis=basic")
	a, b := c.Sides[0], c.Sides[1]
	if a.Samples != 16 || b.Samples != 16 || a.Seconds <= 0 || len(a.Curve) != 5 || a.Live == nil || b.Live.Samples != 3 {
		t.Errorf("sides %+v %+v", a, b)
	}
	if a.Settings["Integrator"] != "path" || b.Settings["RestirMIS"] != "basic" || a.Settings["Bounces"] != 3. || b.Settings["Bounces"] != 3. {
		t.Errorf("settings %v, %v", a.Settings, b.Settings)
	}
	if !(a.RelMSE > 2*c.Reference.RelMSE && c.Reference.RelMSE > 0 && a.HDRFLIP > 0 && a.FLIP > 0 && a.FLIP < 0.5) {
		t.Errorf("errors of %+v against a reference with %+v", a, c.Reference)
	}
	if r := c.Ratios["equal_samples"]; r.Samples != 16 || r.RelMSE != a.RelMSE/b.RelMSE || c.Ratios["live"].Samples != 3 || c.Ratios["equal_time"].Seconds <= 0 {
		t.Errorf("ratios %+v", c.Ratios)
	}
	have := names(t, folder)
	slices.Sort(c.Files)
	if !slices.Equal(have, c.Files) || len(have) != 20 {
		t.Errorf("files %v, the summary names %v", have, c.Files)
	}
	if left := names(t, filepath.Dir(folder)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	checkCurve(t, filepath.Join(folder, "errors.csv"), []string{"1", "2", "4", "8", "16"})
	checkCurve(t, filepath.Join(folder, "live.csv"), []string{"1", "2", "3"})
	if text, err := imageio.ReadPNGText(filepath.Join(folder, "b.png")); err != nil || !strings.Contains(text["settings"], `"RestirMIS":"basic"`) || text["samples"] != "16" {
		t.Errorf("b.png says %v, %v", text, err)
	}

	// The folder is glint's own: a second run replaces it, and measures the same against the same reference.
	reference := filepath.Join(parent, "reference.exr")
	if err := os.Rename(filepath.Join(folder, "reference.exr"), reference); err != nil {
		t.Fatal(err)
	}
	again := compared(t, folder, "--bounces", "3", "--reference", reference)
	if again.Sides[0].RelMSE != a.RelMSE || again.Sides[0].FLIP != a.FLIP || slices.Contains(names(t, folder), "live.csv") {
		t.Errorf("measured %+v, and then %+v", a, again.Sides[0])
	}
}

// checkCurve wants the counts for both sides, and errors.
func checkCurve(t *testing.T, path string, counts []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 1+2*len(counts) {
		t.Fatalf("%s: %v, %v", path, rows, err)
	}
	for i, row := range rows[1:] {
		side := string("AB"[i/len(counts)])
		relMSE, err := strconv.ParseFloat(row[3], 64)
		if row[0] != side || row[1] != counts[i%len(counts)] || err != nil || !(relMSE > 0) {
			t.Errorf("%s: row %v", path, row)
		}
	}
}

// TestCompareSaysWhatIsNotKnown: the noise of a reference of one sample, and how many times larger an error is than none.
func TestCompareSaysWhatIsNotKnown(t *testing.T) {
	dir := t.TempDir()
	size := []string{"--size", "32x24", "--spp", "4", "--backend", "cpu"}
	code, _, stderr := run(t, append([]string{"compare", "cornell", "-o", filepath.Join(dir, "one"), "--reference-spp", "1"}, size...)...)
	if code != 0 || !strings.Contains(stderr, "not known") || !strings.Contains(stderr, "too noisy") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	exact := filepath.Join(dir, "exact.exr")
	code, _, stderr = run(t, append([]string{"render", "cornell", "-o", exact, "--integrator", "path"}, size...)...)
	must(t, code, stderr)
	code, _, stderr = run(t, append([]string{"compare", "cornell", "-o", filepath.Join(dir, "two"), "--reference", exact, "--a", "--integrator restir",
		"--b", "--integrator path"}, size...)...)
	must(t, code, stderr)
	summary, err := os.ReadFile(filepath.Join(dir, "two", "summary.json"))
	if err != nil || !strings.Contains(string(summary), `"relmse": null`) {
		t.Errorf("%v: %s", err, summary)
	}
}

// Two sides of the same settings are the same picture, whatever their turns were.
func TestCompareWithItself(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "same")
	c := compared(t, folder, "--a", "", "--b", "--integrator path")
	if c.Ratios["equal_samples"].RelMSE != 1 {
		t.Errorf("ratios %+v", c.Ratios)
	}
	var sides [2]*imageio.Image
	for i, name := range []string{"a.exr", "b.exr"} {
		var err error
		if sides[i], err = imageio.Read(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(sides[0].Pix, sides[1].Pix) {
		t.Error("the pictures differ")
	}
}

func TestCompareAtEqualTime(t *testing.T) {
	c := compared(t, filepath.Join(t.TempDir(), "timed"), "--time", "60ms", "--b", "--integrator naive --bounces 1")
	a, b := c.Sides[0], c.Sides[1]
	if a.Seconds < 0.06 || b.Seconds < 0.06 || b.Samples < 1 || a.Samples < 1 {
		t.Errorf("%d samples in %v s, %d in %v s", a.Samples, a.Seconds, b.Samples, b.Seconds)
	}
	if r := c.Ratios["equal_time"]; r.Seconds != min(a.Seconds, b.Seconds) || !(r.RelMSE > 0) {
		t.Errorf("ratios %+v", c.Ratios)
	}
}

func TestCompareErrors(t *testing.T) {
	parent := t.TempDir()
	foreign, file, out := filepath.Join(parent, "foreign"), filepath.Join(parent, "file"), filepath.Join(parent, "out")
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(foreign, "precious.txt"), filepath.Join(foreign, "summary.json"), file} {
		if err := os.WriteFile(path, []byte(`{"files": ["summary.json"]}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wide := filepath.Join(parent, "wide.pfm")
	if err := imageio.Write(wide, &imageio.Image{Width: 9, Height: 5, Pix: make([]float32, 135)}, nil); err != nil {
		t.Fatal(err)
	}
	before := len(names(t, parent))
	for _, row := range []struct {
		want string
		args []string
	}{
		{"--a", []string{"--a", "--bounces many"}},
		{"--b", []string{"--b", "--integrator teleport"}},
		{"outside", []string{"--a", "--exposure 1"}},
		{"--floor must be the same on both sides", []string{"--b", "--floor on"}},
		{"no setting --size", []string{"--a", "--size 3x3"}},
		{"want settings as --name value", []string{"--b", "restir-gi"}},
		{"at least one sample", []string{"--spp", "0"}},
		{"at least one sample", []string{"--reference-spp", "-1"}},
		{"--time", []string{"--time", "-1s"}},
		{"--live", []string{"--live", "-1"}},
		{"precious.txt", []string{"-o", foreign}},
		{"not a directory", []string{"-o", file}},
		{"no such", []string{"--reference", filepath.Join(parent, "nothing.exr")}},
		{"--size 9x5", []string{"--reference", wide}},
		{"black", []string{"--light-scale", "0"}},
	} {
		args := append([]string{"compare", "cornell", "-o", out, "--size", "16x12", "--spp", "1", "--reference-spp", "1", "--backend", "cpu"}, row.args...)
		code, _, stderr := run(t, args...)
		if code != 2 || !strings.Contains(stderr, row.want) {
			t.Errorf("%v: exit %d, %q does not say %q", row.args, code, stderr, row.want)
		}
		if len(names(t, parent)) != before || len(names(t, foreign)) != 2 {
			t.Fatalf("%v left something behind: %v", row.args, names(t, parent))
		}
	}
}
