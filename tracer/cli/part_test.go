package cli_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"glint/tracer/imageio"
	"glint/tracer/tracertest"
)

// still renders the cornell box, small.
func still(t *testing.T, output string, more ...string) (code int, stderr string) {
	t.Helper()
	args := []string{"render", "cornell", "-o", output, "--size", "48x32", "--backend", "cpu"}
	code, _, stderr = run(t, append(args, more...)...)
	return code, stderr
}

func must(t *testing.T, code int, stderr string) {
	t.Helper()
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
}

func readLayers(t *testing.T, path string) *imageio.Layered {
	t.Helper()
	l, err := imageio.ReadLayers(t.Context(), path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestPartsMergeToOneRun: whatever the parts, merged they are one run of all samples, bit for bit; and these are the samples of a
// picture without parts.
func TestPartsMergeToOneRun(t *testing.T) {
	for name, flags := range map[string][]string{
		"path":      {"--integrator", "path"},
		"wavefront": {"--integrator", "path", "--exec", "wavefront", "--first-hit-cache", "on", "--aperture", "0.05", "--dof", "on"},
		"restir":    {"--integrator", "restir"},
		"layers":    {"--layers", "--denoise", "atrous"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := func(name string) string { return filepath.Join(dir, name+".exr") }
			render := func(samples string) string {
				t.Helper()
				code, stderr := still(t, file(samples), append([]string{"--samples", samples}, flags...)...)
				must(t, code, stderr)
				return file(samples)
			}
			merge := func(name string, parts ...string) string {
				t.Helper()
				code, _, stderr := run(t, append([]string{"merge", "-o", file(name)}, parts...)...)
				must(t, code, stderr)
				return file(name)
			}
			one := readLayers(t, render("0:72"))
			a, b, c, d := render("0:16"), render("16:32"), render("32:48"), render("48:72")
			for i, parts := range [][]string{{d, b, a, c}, {merge("middle", c, b), a, d}, {merge("front", a, b, c), d}} {
				if got := readLayers(t, merge(fmt.Sprint("whole", i), parts...)); !reflect.DeepEqual(got, one) {
					t.Errorf("parts %v: the sum is another one than that of one run", parts)
				}
			}
			code, stderr := still(t, file("plain"), append([]string{"--spp", "72"}, flags...)...)
			must(t, code, stderr)
			if name == "restir" || name == "wavefront" { // neighbours, or points in the lens, are chosen anew with each block
				return
			}
			plain := readLayers(t, file("plain")).Image
			for _, l := range readLayers(t, file("plain")).Layers {
				for i := range l.Pix {
					if l.Name == "noisy" { // whose channels are B, G and R
						plain.Pix[i] = l.Pix[i/3*3+2-i%3]
					}
				}
			}
			for i, want := range plain.Pix {
				if got := one.Image.Pix[i]; math.Abs(float64(got-want)) > 1e-5*(1+math.Abs(float64(want))) {
					t.Fatalf("value %d is %v, without parts %v", i, got, want)
				}
			}
		})
	}
}

// TestPicturesOfParts: a picture that is made of a part is that of the same samples without parts, denoised or not.
func TestPicturesOfParts(t *testing.T) {
	for name, flags := range map[string][]string{"noisy": nil, "denoised": {"--denoise", "atrous"}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			part, plain, made := filepath.Join(dir, "part.exr"), filepath.Join(dir, "plain.png"), filepath.Join(dir, "made.png")
			code, stderr := still(t, part, append([]string{"--samples", "0:16"}, flags...)...)
			must(t, code, stderr)
			code, stderr = still(t, plain, append([]string{"--spp", "16"}, flags...)...)
			must(t, code, stderr)
			code, stderr = still(t, made, append([]string{"--resume", part}, flags...)...)
			must(t, code, stderr)
			a, b := tracertest.ReadPNG(t, plain), tracertest.ReadPNG(t, made)
			if !bytes.Equal(a.Pix, b.Pix) {
				t.Error("the picture is another one")
			}
			if text, err := imageio.ReadPNGText(made); err != nil || text["samples"] != "16" {
				t.Errorf("%v: %v", err, text)
			}
			// More samples than the part has.
			code, stderr = still(t, made, append([]string{"--resume", part, "--spp", "40"}, flags...)...)
			must(t, code, stderr)
			if text, err := imageio.ReadPNGText(made); err != nil || text["samples"] != "40" {
				t.Errorf("%v: %v", err, text)
			}
		})
	}
}

// TestPartsGoOn: a part that a signal has ended goes on to what it would have been.
func TestPartsGoOn(t *testing.T) {
	dir := t.TempDir()
	one, part := filepath.Join(dir, "one.exr"), filepath.Join(dir, "part.exr")
	flags := []string{"--resume", part, "--samples", "16:528"}
	var code int
	var stderr string
	for i := range 10 { // on a busy machine the signal may come before the first sample
		wait := someSamples << min(i, 3)
		code, _, stderr = signalledLater(t, syscall.SIGTERM, "nothing to go on from yet", wait, append([]string{"render", "cornell", "-o", part, "--size", "96x64", "--backend", "cpu"}, flags...)...)
		if !strings.Contains(stderr, "nothing was rendered yet") {
			break
		}
	}
	if code != 75 || !strings.Contains(stderr, "run it again with --resume") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	meta, err := imageio.ReadMeta(part)
	if err != nil || meta["samples"] == "16:528" || !strings.HasPrefix(meta["samples"], "16:") {
		t.Fatalf("%v: samples %s", err, meta["samples"])
	}
	for range 2 { // the second time there is nothing left to do
		code, _, stderr = run(t, append([]string{"render", "cornell", "-o", part, "--size", "96x64", "--backend", "cpu"}, flags...)...)
		must(t, code, stderr)
	}
	code, _, stderr = run(t, "render", "cornell", "-o", one, "--size", "96x64", "--backend", "cpu", "--samples", "16:528")
	must(t, code, stderr)
	if !reflect.DeepEqual(readLayers(t, one), readLayers(t, part)) {
		t.Error("it is another one than that of one run")
	}
}

// TestPartsEndWithWholeBlocks: one that does not cannot go on, and the message says which can.
func TestPartsEndWithWholeBlocks(t *testing.T) {
	part := filepath.Join(t.TempDir(), "part.exr")
	flags := []string{"render", "cornell", "--size", "24x16", "--backend", "cpu", "-o", part}
	code, _, stderr := run(t, append(flags, "--samples", "0:20")...)
	must(t, code, stderr)
	code, _, stderr = run(t, append(flags, "--samples", "0:40", "--resume", part)...)
	if code != 2 || !strings.Contains(stderr, "such as 0:16") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestPartsOutliveTheirTasks: what a task has written of a part before it is killed, or its devices fail, is gone on from.
func TestPartsOutliveTheirTasks(t *testing.T) {
	dir := t.TempDir()
	part := filepath.Join(dir, "part.exr")
	args := func(samples string) []string {
		return []string{"render", "cornell", "-o", part, "--resume", part, "--size", "96x64", "--backend", "cpu", "--samples", samples, "--checkpoint", "1ms"}
	}
	held := func() (end int) {
		t.Helper()
		meta, err := imageio.ReadMeta(part)
		if _, scanErr := fmt.Sscanf(meta["samples"], "0:%d", &end); err != nil || scanErr != nil {
			t.Fatalf("%v: samples %q", err, meta["samples"])
		}
		return end
	}
	killed := startTask(t, args("0:99984")...)
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(part); err == nil {
			break
		}
	}
	_ = killed.cmd.Process.Kill()
	if code := killed.wait(t); code != -1 {
		t.Fatalf("it ends with %d before it is killed: %s", code, &killed.stderr)
	}
	atKill := held()
	code, stderr := onFragile(t, map[int]int{0: 60, 1: 70}, append(args(fmt.Sprintf("0:%d", atKill+4096)), "--devices", "cpu,cpu")...)
	atLoss := held()
	if code != 75 || atLoss <= atKill || !strings.Contains(stderr, fmt.Sprintf("holds samples 0:%d: run it again", atLoss)) {
		t.Errorf("exit %d, samples 0:%d after 0:%d: %s", code, atLoss, atKill, stderr)
	}
	end := fmt.Sprintf("0:%d", atLoss+16)
	code, _, stderr = run(t, args(end)...)
	must(t, code, stderr)
	resumed := readLayers(t, part)
	if err := os.Remove(part); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = run(t, args(end)...)
	must(t, code, stderr)
	if !reflect.DeepEqual(readLayers(t, part), resumed) {
		t.Error("it is another one than that of one run")
	}
}

// TestPartsThatDoNotBelongTogether are refused, and the message says what differs.
func TestPartsThatDoNotBelongTogether(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name+".exr") }
	render := func(name, scene, samples string, more ...string) string {
		t.Helper()
		args := []string{"render", scene, "-o", file(name), "--size", "24x16", "--backend", "cpu", "--samples", samples}
		code, _, stderr := run(t, append(args, more...)...)
		must(t, code, stderr)
		return file(name)
	}
	first, second := render("first", "cornell", "0:16"), render("second", "cornell", "16:32")
	old := readLayers(t, second)
	old.Meta["version"] = "0.0.1"
	if err := imageio.WriteLayers(file("version"), old.Image, old.Layers, old.Meta); err != nil {
		t.Fatal(err)
	}
	lacking := readLayers(t, second)
	if err := imageio.WriteLayers(file("lacking"), lacking.Image, nil, lacking.Meta); err != nil {
		t.Fatal(err)
	}
	hostile := readLayers(t, first)
	hostile.Meta["set of planes"] = strconv.Itoa(1<<58 + 4) // their values overflow to the number that is there
	if err := imageio.WriteLayers(file("overflow"), hostile.Image, hostile.Layers, hostile.Meta); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("cut"), whole[:len(whole)-9], 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stderr := still(t, file("picture"), "--spp", "1"); code != 0 {
		t.Fatal(stderr)
	}
	for _, row := range []struct{ part, want string }{
		{render("scene", "box-open", "16:32"), "another scene"},
		{render("content", "cornell", "16:32", "--env", "1,1,1"), "another scene hash"},
		{render("camera", "cornell", "16:32", "--vfov", "20"), "another camera"},
		{render("settings", "cornell", "16:32", "--bounces", "2"), "another settings"},
		{render("seed", "cornell", "16:32", "--seed", "7"), "another settings"},
		{render("size", "cornell", "16:32", "--size", "16x16"), "another size"},
		{render("planes", "cornell", "16:32", "--layers"), "another set of planes"},
		{file("version"), "another version"},
		{render("gap", "cornell", "32:48"), "samples 16:32 are missing"},
		{render("overlap", "cornell", "0:32"), "leave one out"},
		{file("picture"), "is no part of a still"},
		{file("cut"), "ends before its last pixel"},
		{file("lacking"), "damaged"},
		{file("nothing"), "no such file"},
	} {
		code, _, stderr := run(t, "merge", first, row.part, "-o", file("merged"))
		if code != 2 || !strings.Contains(stderr, row.want) || !strings.Contains(stderr, row.part) {
			t.Errorf("%s: exit %d, %q does not say %q", row.part, code, stderr, row.want)
		}
		if _, err := os.Stat(file("merged")); err == nil {
			t.Fatalf("%s: something was written", row.part)
		}
	}
	for want, args := range map[string][]string{
		"multiple of 16":       {"--samples", "8:24", "-o", file("x")},
		"such as 0:100":        {"--samples", "16", "-o", file("x")},
		"--spp":                {"--samples", "0:16", "--spp", "4", "-o", file("x")},
		"--time":               {"--samples", "0:16", "--time", "4", "-o", file("x")},
		"a part is an .exr":    {"--samples", "0:16", "-o", filepath.Join(dir, "x.png")},
		"how many planes":      {"--samples", "0:48", "-o", file("x"), "--resume", file("overflow")},
		"does not go on from":  {"--samples", "16:48", "-o", file("x"), "--resume", first},
		"another camera":       {"--samples", "0:48", "-o", file("x"), "--resume", first, "--vfov", "20"},
		"from 0 on":            {"-o", file("x"), "--resume", second},
		"same --denoise":       {"-o", file("x"), "--resume", first, "--denoise", "atrous"},
		"same --denoise and -": {"-o", file("x"), "--samples", "0:32", "--resume", first, "--denoise", "atrous"},
		"would be lost":        {"-o", first, "--resume", first},
	} {
		code, _, stderr := run(t, append([]string{"render", "cornell", "--size", "24x16", "--backend", "cpu"}, args...)...)
		if code != 2 && code != 75 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %q does not say %q", args, code, stderr, want)
		}
	}
}

// TestPartsOfImpossibleValues: sums that no samples add up to are refused, and so are more samples than a pixel may have.
func TestPartsOfImpossibleValues(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.exr"), filepath.Join(dir, "bad.exr")
	code, stderr := still(t, good, "--samples", "0:16")
	must(t, code, stderr)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	const channels, samples = 4, 3
	for name, change := range map[string]func(l *imageio.Layered){
		"light NaN":          func(l *imageio.Layered) { l.Layers[0].Pix[0] = nan },
		"light infinite":     func(l *imageio.Layered) { l.Layers[0].Pix[1] = inf },
		"light negative":     func(l *imageio.Layered) { l.Layers[0].Pix[2] = -1 },
		"weight NaN":         func(l *imageio.Layered) { l.Layers[0].Pix[samples] = nan },
		"weight infinite":    func(l *imageio.Layered) { l.Layers[0].Pix[samples] = inf },
		"weight negative":    func(l *imageio.Layered) { l.Layers[0].Pix[samples] = -16 },
		"weight of a pixel":  func(l *imageio.Layered) { l.Layers[0].Pix[samples], l.Layers[0].Pix[0] = 0, 1 },
		"more than there is": func(l *imageio.Layered) { l.Layers[0].Pix[samples] = 17 },
		"no samples": func(l *imageio.Layered) {
			clear(l.Layers[0].Pix)
		},
		"samples": func(l *imageio.Layered) { l.Meta["samples"] = fmt.Sprintf("0:%d", 1<<44) },
		"a tree": func(l *imageio.Layered) {
			l.Meta["samples"], l.Layers[0].Name = fmt.Sprintf("0:%d", 1<<44), "sum-40-0"
		},
	} {
		l := readLayers(t, good)
		if len(l.Layers) != 1 || len(l.Layers[0].Channels) != channels {
			t.Fatalf("%d layers", len(l.Layers))
		}
		change(l)
		if err := imageio.WriteLayers(bad, l.Image, l.Layers, l.Meta); err != nil {
			t.Fatal(err)
		}
		merged := filepath.Join(dir, "merged.exr")
		if code, _, stderr := run(t, "merge", bad, "-o", merged); code != 2 || !strings.Contains(stderr, "damaged") {
			t.Errorf("%s: merge ends with %d: %s", name, code, stderr)
		}
		if code, stderr := still(t, merged, "--resume", bad); code != 2 || !strings.Contains(stderr, "damaged") {
			t.Errorf("%s: --resume ends with %d: %s", name, code, stderr)
		}
	}
}

// TestResumeIsCheckedFirst: what the header of a part says is judged before anything is loaded.
func TestResumeIsCheckedFirst(t *testing.T) {
	dir := t.TempDir()
	part := filepath.Join(dir, "part.exr")
	code, stderr := still(t, part, "--samples", "16:40")
	must(t, code, stderr)
	for want, flags := range map[string][]string{
		"from 0 on":          {"--resume", part},
		"another size":       {"--resume", part, "--size", "16x16"},
		"does not go on":     {"--resume", part, "--samples", "0:64"},
		"ends with a whole":  {"--resume", part, "--samples", "16:64"},
		"no such file":       {"--resume", filepath.Join(dir, "none.exr")},
		"not a regular file": {"--resume", dir},
	} {
		code, stderr := still(t, filepath.Join(dir, "out.exr"), flags...)
		if code != 2 || !strings.Contains(stderr, want) || strings.Contains(stderr, "loaded") {
			t.Errorf("%v: exit %d: %s", flags, code, stderr)
		}
	}
}

// TestCompareChecksItsSidesFirst: what --a and --b say is read before anything is loaded.
func TestCompareChecksItsSidesFirst(t *testing.T) {
	for _, side := range []string{"--a", "--b"} {
		for flags, want := range map[string]string{"--integrator nosuch": "nosuch", "--exposure 2": "same on both sides", "--scene x": "scene"} {
			code, _, stderr := run(t, "compare", "cornell", "-o", filepath.Join(t.TempDir(), "d"), "--backend", "cpu", "--size", "8x8", side, flags)
			if code != 2 || !strings.Contains(stderr, want) || !strings.Contains(stderr, side) || strings.Contains(stderr, "loaded") {
				t.Errorf("%s %q: exit %d: %s", side, flags, code, stderr)
			}
		}
	}
}
