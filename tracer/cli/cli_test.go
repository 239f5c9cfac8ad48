package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/cli"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/scene/draco"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// run runs the command line and returns its exit code and what it printed.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return watched(t, func(string) {}, args...)
}

// runUntil is run with a context that may end.
func runUntil(ctx context.Context, t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return watchedUntil(ctx, t, func(string) {}, args...)
}

// watched is run; watch is called with what has been printed to standard error so far, again and again, until the command ends.
func watched(t *testing.T, watch func(stderr string), args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return watchedUntil(t.Context(), t, watch, args...)
}

func watchedUntil(parent context.Context, t *testing.T, watch func(stderr string), args ...string) (code int, stdout, stderr string) {
	t.Helper()
	errFile, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer errFile.Close()
	var out bytes.Buffer
	program := cli.Program{
		Version: "test", Stdout: &out, Stderr: errFile,
		View: func(context.Context, cli.ViewRequest) error { return nil },
		Keys: func(_ bool, own map[string][]string) string { return "keys\n" + strings.Join(own["exposure-up"], "\n") },
		CheckKeys: func(own map[string][]string) map[string]string {
			wrong := map[string]string{}
			for name := range own {
				if name != "exposure-up" {
					wrong[name] = "no such row"
				}
			}
			return wrong
		},
		Checks: func() []cli.Check { return nil },
	}
	ctx, stop := cli.WithSignals(parent, func(code int) { t.Errorf("ended at once, with code %d", code) })
	defer stop()
	ended, watching := make(chan struct{}), sync.WaitGroup{}
	watching.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(10 * time.Millisecond):
				text, _ := os.ReadFile(errFile.Name())
				watch(string(text))
			}
		}
	})
	code = program.Run(ctx, args)
	close(ended)
	watching.Wait()
	text, err := os.ReadFile(errFile.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, out.String(), string(text)
}

func TestMain(m *testing.M) {
	if draco.IsChild() {
		os.Exit(draco.Child())
	}
	if args := os.Getenv(asCommand); args != "" {
		os.Exit(runCommand(args))
	}
	// The user's own settings must not change what the tests see.
	dir, err := os.MkdirTemp("", "glint-cli")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CONFIG_HOME", dir)
	xdg.Reload()
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// small are the flags of a picture that takes no time.
func small(output string, more ...string) []string {
	return append([]string{"render", "cornell", "-o", output, "--size", "24x16", "--spp", "2", "--backend", "cpu"}, more...)
}

func TestRenderWritesEveryFormat(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.png", "a.exr", "a.pfm"} {
		path := filepath.Join(dir, name)
		if code, _, stderr := run(t, small(path)...); code != 0 {
			t.Fatalf("%s: exit %d: %s", name, code, stderr)
		}
		if name == "a.png" {
			checkPNG(t, path)
			continue
		}
		img, err := imageio.Read(path)
		if err != nil || img.Width != 24 || img.Height != 16 {
			t.Errorf("%s: %v, %v", name, img, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 3 {
		t.Errorf("files left behind: %v", left)
	}
}

// TestRenderWithFloor: a floor is seen below a sphere in the air.
func TestRenderWithFloor(t *testing.T) {
	dir := t.TempDir()
	var bottom [2]float32 // red of the first pixel of the last row
	for i, floor := range []string{"off", "on"} {
		path := filepath.Join(dir, floor+".pfm")
		code, _, stderr := run(t, "render", "white-furnace", "--backend", "cpu", "--size", "12x8", "--spp", "16", "--env", "studio",
			"--eye", "0,0.6,4", "--target", "0,0,0", "--floor", floor, "-o", path)
		if code != 0 {
			t.Fatal(stderr)
		}
		img, err := imageio.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		bottom[i] = img.Pix[3*12*7]
	}
	if bottom[0] == bottom[1] {
		t.Errorf("with and without a floor the picture has radiance %v at its lower edge", bottom[0])
	}
}

// checkPNG reads the picture back: its size, some light, and the text that says how it was made.
func checkPNG(t *testing.T, path string) {
	t.Helper()
	img := tracertest.ReadPNG(t, path)
	if img.Rect.Dx() != 24 || img.Rect.Dy() != 16 {
		t.Fatalf("the picture is of %v", img.Rect)
	}
	var light uint32
	for x := range 24 {
		r, _, _, _ := img.At(x, 12).RGBA()
		light += r
	}
	if light == 0 {
		t.Error("the picture is black")
	}
	text, err := imageio.ReadPNGText(path)
	if err != nil || text["scene"] != "cornell" || text["samples"] != "2" || !strings.Contains(text["settings"], "Bounces") {
		t.Errorf("text %v, %v", text, err)
	}
}

func TestStats(t *testing.T) {
	code, stdout, stderr := run(t, small(filepath.Join(t.TempDir(), "a.pfm"), "--stats", "-", "--bounces", "3", "--rr", "off")...)
	if code != 0 {
		t.Fatal(stderr)
	}
	var s struct {
		Scene      string
		Samples    int
		Paths      uint64
		Rays       uint64
		Mrays      float64            `json:"mrays_per_s"`
		PerKernel  map[string]float64 `json:"ms_per_kernel"`
		Alive      []float64          `json:"alive_per_bounce"`
		NaN        uint64             `json:"nan_count"`
		PeakMemory uint64             `json:"peak_memory_bytes"`
	}
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	if s.Scene != "cornell" || s.Samples != 2 || s.Paths != 24*16*2 || s.Rays <= s.Paths || s.Mrays <= 0 || s.PerKernel["trace_paths"] <= 0 {
		t.Errorf("stats %+v", s)
	}
	if len(s.Alive) != 3 || s.Alive[0] < s.Alive[2] || s.NaN != 0 || s.PeakMemory == 0 {
		t.Errorf("stats %+v", s)
	}
}

// watchedStats is what --stats says of kernels, kinds and memory.
type watchedStats struct {
	Timed   int     `json:"timed_frames"`
	Counted int     `json:"counted_frames"`
	Paths   uint64  `json:"paths"`
	Rays    uint64  `json:"rays"`
	Ms      float64 `json:"ms_per_frame"`
	Whole   struct {
		Frames int
		Mean   float64 `json:"mean_ms"`
	} `json:"whole_frames"`
	Kernels []struct {
		Name, Kind string
		Mean       float64 `json:"mean_ms"`
		Min        float64 `json:"min_ms"`
		Max        float64 `json:"max_ms"`
	}
	Kinds []struct {
		Kind, Unit string
		Ms         float64 `json:"ms_per_frame"`
		PerMillion float64 `json:"ms_per_million"`
	}
	Queues []struct{ Extension, Shadow float64 } `json:"queue_lengths"`
	Memory map[string]int                        `json:"device_memory_bytes"`
}

// TestStatsOfWaves: of a longer run about every eighth sample is timed and another counted, and the figures are of all.
func TestStatsOfWaves(t *testing.T) {
	code, stdout, stderr := run(t, "render", "cornell", "-o", filepath.Join(t.TempDir(), "a.pfm"), "--size", "24x16", "--spp", "16",
		"--backend", "cpu", "--stats", "-", "--exec", "wavefront")
	if code != 0 {
		t.Fatal(stderr)
	}
	var s watchedStats
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	if s.Timed != 8 || s.Counted != 8 || s.Paths != 24*16*16 || s.Rays < 2*s.Paths || s.Rays > 20*s.Paths {
		t.Errorf("stats %+v", s)
	}
	if s.Whole.Frames != 0 { // all are timed launch by launch, or counted
		t.Errorf("whole frames: %+v", s.Whole)
	}
	var sum float64
	for _, k := range s.Kinds {
		sum += k.Ms
		if k.Unit == "" || k.PerMillion <= 0 {
			t.Errorf("kind %+v", k)
		}
	}
	if len(s.Kinds) != 4 || sum < 0.99*s.Ms || sum > 1.01*s.Ms {
		t.Errorf("kinds take %v of %v ms: %+v", sum, s.Ms, s.Kinds)
	}
	for _, k := range s.Kernels {
		if k.Name == "" || k.Kind == "" || !(0 < k.Min && k.Min <= k.Mean && k.Mean <= k.Max) {
			t.Errorf("kernel %+v", k)
		}
	}
	if len(s.Queues) < 2 || s.Queues[0].Extension != 24*16 || s.Memory["film"] == 0 || s.Memory["pool"] == 0 || s.Memory["scene"] == 0 {
		t.Errorf("queues %v, memory %v", s.Queues, s.Memory)
	}
	if upscaler, told := s.Memory["upscaler"]; !told || upscaler != 0 { // which a still does without
		t.Errorf("memory %v", s.Memory)
	}
}

// Each of these cannot succeed by trying again: exit code 2, one line that names the trouble, and no file.
func TestUsageErrors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.png")
	for _, row := range []struct {
		want string
		args []string
	}{
		{"must end in", small(out + ".gif")},
		{"WIDTHxHEIGHT", small(out, "--size", "0x4")},
		{"at least one sample", small(out, "--spp", "0")},
		{"only .exr files have layers", small(out, "--layers")},
		{"three numbers", small(out, "--eye", "1,2")},
		{"stands on its target", small(out, "--eye", "1,2,3", "--target", "1,2,3")},
		{"--up 0,0,0: want a direction", small(out, "--up", "0,0,0")},
		{"path shares nothing", small(out, "--reuse-view", "age", "--integrator", "path")},
		{"--triangles 0: want at least 1", []string{"scene", "chess", "--triangles", "0", "-o", out + ".glb"}},
		{"--plan \"0x0\"", []string{"info", "cornell", "--plan", "0x0"}},
		{"bench: leave out --output: no effect with --rays", []string{"bench", "--rays", "-o", out}},
		{"leave out --frames and --bounces: no effect with --rays", []string{"bench", "--rays", "cornell", "--frames", "3", "--bounces", "2"}},
		{"leave out --launches: no effect with scenes", []string{"bench", "cornell", "--launches", "3"}},
		{"leave out --eye: no effect with published", []string{"bench", "--eye", "1,2,3"}},
		{"leave out --integrator: no effect", []string{"info", "cornell", "--integrator", "path"}},
		{"leave out --checkpoint: no effect", small(out, "--checkpoint", "30s")},
		{"name a scene", []string{"scene", "--triangles", "9"}},
		{"leave out --bounces: no effect with --join", []string{"video", "--join", "frames", "-o", out + ".mp4", "--bounces", "2"}},
		{"field of view", small(out, "--vfov", "200")},
		{"field of view", small(out, "--vfov", "0")},
		{"field of view", small(out, "--vfov", "NaN")},
		{"want a time above 0", small(out, "--time=-1s")},
		{"whole number from", small(out, "--bounces", "-1")},
		{"must be one of", small(out, "--tonemap", "sepia")},
		{"must be one of", small(out, "--rr", "maybe")},
		{"no such", []string{"render", "nothing.glb", "-o", out}},
		{"no such", small(out, "--env", "nothing.hdr")},
		{"finite", small(out, "--env", "-1,0,0")},
		{"--camera 7", small(out, "--camera", "7")},
		{"unknown flag", small(out, "--shiny")},
		{"backend", small(out, "--backend", "abacus")},
		{"name a scene", []string{"scene", "chess"}},
		{"did you mean chess", []string{"scene", "ches", "-o", out + ".glb"}},
		{"did you mean render?", []string{"rendr", "chess"}},
		{"did you mean doctor?", []string{"docotr"}},
		{"did you mean chess?", []string{"ches"}},
		{"did you mean chess?", []string{"render", "ches", "-o", out}},
		{"no such file or built-in scene", []string{"nothing.glb"}},
		{"at most 16777216", small(out, "--spp", "9223372036854775807")},
		{"at most 16777216", []string{"render", "cornell", "-o", out + ".exr", "--samples", "0:9223372036854775807"}},
		{"each at most 32768", small(out, "--size", "32769x1")},
		{"to 1073741824", small(out, "--seed", "-1")},
		{"many-spots has no variants", []string{"render", "many-spots", "-o", out, "--variant", "red"}},
		{"leave out the scene chess", []string{"video", "chess", "--join", "frames", "-o", out + ".mp4"}},
		{"want 0 to", []string{"bench", "cornell", "--seconds", "NaN"}},
		{"did you mean video?", []string{"help", "vidoe"}},
		{"want a time above 0", small(out, "--time", "0")},
		{"want a time above 0", small(out, "--time", "soon")},
		{"built in are sky, sky:8, studio, none", small(out, "--env", "skyy")},
		{"use it with glint view and glint video", small(out, "--render-scale", "0.5")},
		{"use it with glint view", small(out, "--target-fps", "60")},
		{"use it with glint view", []string{"video", "cornell", "--orbit", "2", "-o", out, "--target-fps", "60"}},
		{"--render-scale has no effect", []string{"compare", "cornell", "-o", out, "--a", "--render-scale 0.5", "--b", "--bounces 1"}},
		{"use it with glint view, glint compare, glint grid, glint video and glint bench", small(out, "--restir-settle", "4")},
		{"unknown flag --integrator", []string{"grid", "cornell", "-o", out, "--integrator", "path"}},
		{"unknown flag --exposure", []string{"bench", "cornell", "--exposure", "1"}},
		{"unknown flag --bounces", []string{"doctor", "--bounces", "1"}},
	} {
		code, _, stderr := run(t, row.args...)
		if code != 2 || !strings.Contains(stderr, row.want) {
			t.Errorf("%v: exit %d, %q does not say %q", row.args, code, stderr, row.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("%v wrote a file", row.args)
		}
	}
}

func TestLoadErrorsNameTheFileOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "broken.glb")
	if err := os.WriteFile(file, []byte("glTF, but no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := run(t, "info", file)
	if n := strings.Count(stderr, file); code != 2 || n != 1 {
		t.Errorf("exit %d, the file is named %d times: %s", code, n, stderr)
	}
}

// TestMissingDriver: a farm would run a command that ends with 75 again for ever.
func TestMissingDriver(t *testing.T) {
	_, err := driver.Devices(driver.Options{})
	missing := errors.Is(err, driver.ErrNotFound)
	for _, flags := range [][]string{{"--backend", "cuda"}, {"--devices", "0"}, {"--devices", "cpu,0"}, {"--devices", "0", "--samples", "0:16"}} {
		args := append([]string{"render", "cornell", "-o", filepath.Join(t.TempDir(), "a.exr"), "--size", "8x8"}, flags...)
		code, _, stderr := run(t, args...)
		if missing && (code != 2 || !strings.Contains(stderr, "install the NVIDIA driver")) || !missing && code == 2 {
			t.Errorf("%v: exit %d: %s", flags, code, stderr)
		}
	}
}

func TestNegativeCoordinates(t *testing.T) {
	code, _, stderr := run(t, small(filepath.Join(t.TempDir(), "a.pfm"), "--eye", "-0.1,1,3", "--target", "-1,-0.5,0")...)
	if code != 0 {
		t.Error(stderr)
	}
}

func TestSettingsFile(t *testing.T) {
	dir := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "glint")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("bounces = 2\nrr = false\ntonemap = \"neutral\"\nrender-scale = 0.5\ntarget-fps = 60\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.png")
	if code, _, stderr := run(t, small(path, "--tonemap", "aces")...); code != 0 {
		t.Fatal(stderr)
	}
	if code, _, stderr := run(t, "keys"); code != 0 { // which takes none of them
		t.Error(stderr)
	}
	text, err := imageio.ReadPNGText(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"Bounces":2`, `"Roulette":false`, `"ToneMap":"aces"`,
		`"RenderScale":1,`, `"TargetFPS":0}`} { // which are for views that move
		if !strings.Contains(text["settings"], want) {
			t.Errorf("settings %s lack %s", text["settings"], want)
		}
	}
}

// TestCommandsOfferTheirSettings: the window takes all, and no command takes one that would do nothing.
func TestCommandsOfferTheirSettings(t *testing.T) {
	for command, offered := range map[string]func(settings.Setting) bool{
		"view":   func(settings.Setting) bool { return true },
		"render": func(s settings.Setting) bool { return s.Views == settings.AllViews },
		"compare": func(s settings.Setting) bool {
			return s.Views <= settings.LiveViews && !strings.HasSuffix(s.Name, "-view")
		},
		"grid": func(s settings.Setting) bool {
			return s.Views <= settings.LiveViews && !strings.HasSuffix(s.Name, "-view") && s.Name != "integrator" && s.Name != "denoise"
		},
		"video": func(s settings.Setting) bool { return s.Views != settings.WindowViews },
		"bench": func(s settings.Setting) bool { // whose own --rays is another flag
			return s.Views <= settings.LiveViews && !strings.HasSuffix(s.Name, "-view") && s.Group != "Display" && s.Name != "rays"
		},
		"info": func(s settings.Setting) bool { // those that change how much memory --plan says
			return slices.Contains([]string{"bvh", "integrator", "exec", "denoise", "first-hit-cache", "restir-neighbours", "texture-filter", "background"}, s.Name)
		},
		"scene":  func(settings.Setting) bool { return false },
		"doctor": func(settings.Setting) bool { return false },
		"keys":   func(settings.Setting) bool { return false },
	} {
		code, help, stderr := run(t, command, "--help-all")
		if code != 0 {
			t.Fatal(stderr)
		}
		for _, row := range tracer.SettingsTable() {
			if found := strings.Contains(help, "\n  --"+row.Name+"="); found != offered(row) {
				t.Errorf("glint %s offers --%s: %v", command, row.Name, found)
			}
		}
	}
}

func TestInfoSceneKeysVersion(t *testing.T) {
	if code, out, _ := run(t, "info", "chess"); code != 0 || !strings.Contains(out, "triangles") {
		t.Errorf("info: %d %q", code, out)
	}
	if code, out, _ := run(t, "scene"); code != 0 || !strings.Contains(out, "white-furnace") {
		t.Errorf("scene: %d %q", code, out)
	}
	glb := filepath.Join(t.TempDir(), "c.glb")
	if code, _, stderr := run(t, "scene", "cornell", "-o", glb); code != 0 {
		t.Errorf("scene: %s", stderr)
	}
	if code, out, stderr := run(t, "info", glb); code != 0 || !strings.Contains(out, "KHR_materials_emissive_strength") {
		t.Errorf("info of the written file: %d %q %q", code, out, stderr)
	}
	if code, out, _ := run(t, "keys"); code != 0 || out != "keys\n" {
		t.Errorf("keys: %d %q", code, out)
	}
	if code, out, _ := run(t, "--version"); code != 0 || strings.TrimSpace(out) != "test" {
		t.Errorf("version: %d %q", code, out)
	}
	if code, out, _ := run(t, "doctor"); code != 0 || !strings.Contains(out, "CUDA") {
		t.Errorf("doctor: %d %q", code, out)
	}
}

// TestTimeAlone: without --spp a picture takes as many samples as fit, and a plain number is in seconds.
func TestTimeAlone(t *testing.T) {
	for _, row := range []struct {
		flags []string
		want  func(samples string) bool
	}{
		{[]string{"--time", "1"}, func(n string) bool { return len(n) > 2 }}, // more than the 64 of a picture without --time
		{[]string{"--time=10m", "--spp", "3"}, func(n string) bool { return n == "3" }},
	} {
		path := filepath.Join(t.TempDir(), "a.png")
		args := append([]string{"render", "cornell", "-o", path, "--size", "4x4", "--backend", "cpu"}, row.flags...)
		if code, _, stderr := run(t, args...); code != 0 {
			t.Fatal(stderr)
		}
		text, err := imageio.ReadPNGText(path)
		if err != nil || !row.want(text["samples"]) {
			t.Errorf("%v: %s samples, %v", row.flags, text["samples"], err)
		}
	}
}

func TestHelpCommand(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"help", "video"}} {
		_, want, _ := run(t, append(args[1:], "--help")...)
		if code, out, stderr := run(t, args...); code != 0 || out != want || !strings.HasPrefix(out, "Usage:") {
			t.Errorf("%v: exit %d: %q, %q", args, code, out, stderr)
		}
	}
	_, want, _ := run(t, "video", "--help-all")
	if code, out, _ := run(t, "help", "--all", "video"); code != 0 || out != want {
		t.Errorf("help --all video: exit %d, other words than those of video --help-all", code)
	}
}

// TestHelpIsShort: it has the settings that everybody needs, says how many more there are, and fits two large screens.
func TestHelpIsShort(t *testing.T) {
	for _, command := range []string{"view", "render", "compare", "video", "bench"} {
		_, help, _ := run(t, command, "--help")
		for _, row := range tracer.SettingsTable() {
			if strings.Contains(help, "\n  --"+row.Name+"=") && row.Level != settings.First {
				t.Errorf("glint %s --help explains --%s", command, row.Name)
			}
		}
		if lines := strings.Count(help, "\n"); lines > 120 || !strings.Contains(help, "more settings: glint help --all "+command) {
			t.Errorf("glint %s --help has %d lines:\n%s", command, lines, help)
		}
	}
}

func TestInfoOfARefusedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.gltf")
	text := `{"asset": {"version": "2.0"}, "extensionsUsed": ["EXT_made_up", "KHR_lights_punctual"],
		"extensionsRequired": ["EXT_made_up"]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := run(t, "info", file)
	if code != 2 || !strings.Contains(stderr, "take it out of extensionsRequired") ||
		!strings.Contains(out, "EXT_made_up          ignored, required") || !strings.Contains(out, "KHR_lights_punctual  supported") {
		t.Errorf("exit %d: %q, %q", code, out, stderr)
	}
	code, out, _ = run(t, "info", "--json", file)
	var about struct {
		Refused    string
		Extensions []struct{ Name, Support string }
	}
	if err := json.Unmarshal([]byte(out), &about); err != nil || code != 2 || len(about.Extensions) != 2 ||
		about.Extensions[0].Support != "ignored" || !strings.Contains(about.Refused, "requires the extension") {
		t.Errorf("exit %d: %v, %+v", code, err, about)
	}
}

func TestInfoJSON(t *testing.T) {
	code, out, stderr := run(t, "info", "--json", "cornell")
	var about struct {
		Scene     string
		Triangles int
		Open      int        `json:"single_sided_open_triangles"`
		Size      [3]float64 `json:"size_m"`
		BVH       struct{ Leaves int }
	}
	if err := json.Unmarshal([]byte(out), &about); err != nil || code != 0 || about.Scene != "cornell" || about.Triangles != 36 ||
		about.Open == 0 || about.Size[0] <= 0 || about.BVH.Leaves == 0 {
		t.Errorf("exit %d: %v, %+v, %s", code, err, about, stderr)
	}
}

// TestCompletions: the last word is the one to be completed.
func TestCompletions(t *testing.T) {
	for _, row := range []struct {
		words string
		want  string // words that are offered
		not   string // and some that are not
	}{
		{"", "render doctor chess", "__complete"},
		{"re", "render", "doctor"},
		{"render ", "chess cornell", "doctor"},
		{"render che", "chess", "cornell"},
		{"render --size 8x8 --ton", "--tonemap", "--size"},
		{"render --tonemap ", "agx aces", "chess"},
		{"render --tonemap a", "agx aces", "neutral"},
		{"render --tonemap=ag", "--tonemap=agx", "--tonemap=aces"},
		{"render --tonemap = ag", "agx", "aces"},
		{"render --env s", "sky studio", "none"},
		{"chess --target", "--target --target-fps", "--size"},
		{"--split chess --backend ", "auto cuda cpu", "render"},
		{"render -o ", "", "chess"},
		{"render chess --layers ", "", "--size"},
		{"doctor --", "--help --verbose", "--size"},
		{"completion ", "bash zsh fish", "chess"},
		{"help vi", "video view", "chess"},
	} {
		code, out, stderr := run(t, append([]string{"__complete"}, strings.Split(row.words, " ")...)...)
		if code != 0 {
			t.Errorf("%q: exit %d: %s", row.words, code, stderr)
		}
		offered := map[string]bool{}
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(line, "\t")
			offered[word] = true
		}
		for _, word := range strings.Fields(row.want) {
			if !offered[word] {
				t.Errorf("%q offers %q, not %s", row.words, out, word)
			}
		}
		for _, word := range strings.Fields(row.not) {
			if offered[word] {
				t.Errorf("%q offers %s", row.words, word)
			}
		}
	}
}

// TestCompletionScripts: bash reads its script and completes a word by asking this program.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if code, out, _ := run(t, "completion", shell); code != 0 || !strings.Contains(out, "__complete") {
			t.Errorf("%s: exit %d: %q", shell, code, out)
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash, whose completion is tried")
	}
	_, script, _ := run(t, "completion", "bash")
	// A stand-in for glint that shows the words that it was asked with.
	script += `
glint() { printf '%s|' "$@"; printf '\thelp\n'; }
COMP_WORDS=(glint render --tonemap = ag); COMP_CWORD=4
_glint
printf '%s\n' "${COMPREPLY[@]}"`
	out, err := exec.Command(bash, "-c", script).CombinedOutput()
	if err != nil || string(out) != "__complete|render|--tonemap|=|ag|\n" {
		t.Errorf("bash: %v: %s", err, out)
	}
}

// TestFlagsFarAway: the flags of a camera keep its direction wherever it is.
func TestFlagsFarAway(t *testing.T) {
	direction := func(eye, target string) mgl64.Vec3 {
		t.Helper()
		stats := filepath.Join(t.TempDir(), "a.json")
		if code, _, stderr := run(t, small(filepath.Join(t.TempDir(), "a.png"), "--eye", eye, "--target", target, "--stats", stats)...); code != 0 {
			t.Fatal(stderr)
		}
		text, err := os.ReadFile(stats)
		if err != nil {
			t.Fatal(err)
		}
		var said struct{ Camera scene.Camera }
		if err := json.Unmarshal(text, &said); err != nil {
			t.Fatal(err)
		}
		return said.Camera.Target.Sub(said.Camera.Eye)
	}
	want := direction("0,0,1", "0.25,0.125,0")
	for _, away := range []string{"1000000", "16000000", "400000000"} {
		if got := direction(away+","+away+",1", away+".25,"+away+".125,0"); got != want {
			t.Errorf("%s m away the camera looks along %v, want %v", away, got, want)
		}
	}
}

// TestReaderHasEnough: a command whose reader goes away, as head does, ends without a word.
func TestReaderHasEnough(t *testing.T) {
	for _, args := range [][]string{{"help", "grid"}, {"--help"}, {"scene"}, {"info", "cornell", "--json"}} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer writer.Close()
		reader.Close()
		errFile, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		defer errFile.Close()
		ctx, stop := cli.WithSignals(t.Context(), func(int) {})
		code := (&cli.Program{Version: "test", Stdout: writer, Stderr: errFile}).Run(ctx, args)
		stop()
		if said, _ := os.ReadFile(errFile.Name()); code != 128+int(syscall.SIGPIPE) || len(said) > 0 {
			t.Errorf("%v: exit %d: %q", args, code, said)
		}
	}
}
