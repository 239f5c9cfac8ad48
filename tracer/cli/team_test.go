package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/cli"
	"glint/tracer/device"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/tracertest"
)

// fragile is a processor that fails as a GPU does that was lost, once it has been waited for so many times.
type fragile struct {
	device.Device
	left  *atomic.Int32
	whole *atomic.Int32 // devices that are still to fail
}

func (f fragile) Sync() error {
	switch left := f.left.Add(-1); {
	case left == -1:
		f.whole.Add(-1)
		fallthrough
	case left < 0:
		return fmt.Errorf("injected: %w", driver.ErrDeviceLost)
	}
	return f.Device.Sync()
}

// patient is a processor that leaves work to those that are still to fail, which on a busy machine might not come to it.
type patient struct {
	device.Device
	whole *atomic.Int32
}

func (p patient) Sync() error {
	if p.whole.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	return p.Device.Sync()
}

// TestUnknownGPU: a number that no GPU has is refused before anything is loaded, and the message names the GPUs.
func TestUnknownGPU(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc to build a stand-in for libcuda: ", err)
	}
	dir := t.TempDir()
	library := filepath.Join(dir, "libcuda.so.1")
	if out, err := exec.Command(gcc, "-shared", "-fPIC", "-o", library, "../../cuda/driver/testdata/fakecuda.c").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out := filepath.Join(dir, "a.png")
	for _, flags := range []string{"--devices 7", "--devices 0,7", "--device 7", "--device 7 --backend cuda"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asCommand+"="+strings.Join(append([]string{"render", "cornell", "-o", out}, strings.Fields(flags)...), "\n"), "LD_LIBRARY_PATH="+dir)
		text, err := cmd.CombinedOutput()
		if want := strings.Fields(flags)[0] + ": no GPU has the number 7: this machine has 0 (Fake 40), 1 (Fake 41)"; cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %s", flags, err, text)
		}
	}
}

// onFragile runs a command on processors, of which some, by number, fail after so many waits.
func onFragile(t *testing.T, fails map[int]int, args ...string) (code int, stderr string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	opened, whole := 0, &atomic.Int32{}
	whole.Store(int32(len(fails)))
	program := cli.Program{Version: "test", Stdout: &bytes.Buffer{}, Stderr: file,
		Open: func(_ tracer.Options, p profile.Policy) (*tracer.Renderer, error) {
			var d device.Device = device.NewCPU("")
			if waits, ok := fails[opened]; ok {
				left := &atomic.Int32{}
				left.Store(int32(waits))
				d = fragile{d, left, whole}
			} else {
				d = patient{d, whole}
			}
			opened++
			return tracer.OpenOn(d, p)
		}}
	code = program.Run(t.Context(), args)
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(text)
}

// TestDevicesShareAStill: whatever devices render it, and whichever of them fail, a still has the bits of one.
func TestDevicesShareAStill(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	args := func(output string, more ...string) []string {
		return append([]string{"render", "cornell", "-o", output, "--size", "48x32", "--denoise", "atrous", "--layers", "--backend", "cpu"}, more...)
	}
	for _, row := range []struct {
		name string
		more []string
	}{{"one.exr", []string{"--devices", "cpu", "--spp", "150"}}, {"part.exr", []string{"--samples", "0:150"}}} {
		code, _, stderr := run(t, args(file(row.name), row.more...)...)
		must(t, code, stderr)
	}
	code, _, stderr := run(t, args(file("developed.exr"), "--resume", file("part.exr"))...)
	must(t, code, stderr)
	want := readLayers(t, file("one.exr"))
	same := func(name string) {
		t.Helper()
		if got := readLayers(t, file(name)); !reflect.DeepEqual(got.Image, want.Image) || !reflect.DeepEqual(got.Layers, want.Layers) {
			t.Errorf("%s is another picture than that of one device", name)
		}
	}
	same("developed.exr")
	for name, fails := range map[string]map[int]int{
		"none":       nil,
		"the second": {1: 20},
		"the first":  {0: 30},
		"two":        {0: 25, 2: 40},
	} {
		code, stderr := onFragile(t, fails, args(file("many.exr"), "--devices", "cpu,cpu,cpu", "--spp", "150")...)
		if code != 0 || strings.Count(stderr, "a device has failed") != len(fails) {
			t.Errorf("%s: exit %d: %s", name, code, stderr)
			continue
		}
		same("many.exr")
	}
	code, stderr = onFragile(t, map[int]int{0: 30, 1: 25}, args(file("lost.exr"), "--devices", "cpu,cpu", "--spp", "150")...)
	if code != 75 || !strings.Contains(stderr, "all devices have failed") {
		t.Errorf("all fail: exit %d: %s", code, stderr)
	}
	if _, err := os.Stat(file("lost.exr")); err == nil {
		t.Error("something was written")
	}
	code, stderr = onFragile(t, map[int]int{1: 20}, args(file("many-part.exr"), "--devices", "cpu,cpu", "--samples", "0:150")...)
	must(t, code, stderr)
	if !reflect.DeepEqual(readLayers(t, file("many-part.exr")), readLayers(t, file("part.exr"))) {
		t.Error("the part is another one than that of one device")
	}
}

// TestDevicesShareAFilm: the same of frames, with a history.
func TestDevicesShareAFilm(t *testing.T) {
	dir := t.TempDir()
	film := func(folder string, more ...string) []string {
		return append([]string{"video", "cornell", "-o", filepath.Join(dir, folder), "--orbit", "12", "--frames", "0:12", "--size", "24x16",
			"--spp", "20", "--integrator", "restir", "--backend", "cpu"}, more...)
	}
	code, _, stderr := run(t, film("one")...)
	must(t, code, stderr)
	code, stderr = onFragile(t, map[int]int{1: 60}, film("many", "--devices", "cpu,cpu,cpu")...)
	if code != 0 || !strings.Contains(stderr, "a device has failed") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for frame := range 12 {
		name := fmt.Sprintf("frame-%05d.png", frame)
		a, b := tracertest.ReadPNG(t, filepath.Join(dir, "one", name)), tracertest.ReadPNG(t, filepath.Join(dir, "many", name))
		if !bytes.Equal(a.Pix, b.Pix) {
			t.Errorf("frame %d is another one than that of one device", frame)
		}
		text, err := imageio.ReadPNGText(filepath.Join(dir, "many", name))
		if err != nil || text["frame"] != fmt.Sprint(frame) {
			t.Errorf("frame %d: %v: %v", frame, err, text)
		}
	}
}

// TestDevicesShareAComparison: sides and reference have the bits of one device, and a device that fails is made up for.
func TestDevicesShareAComparison(t *testing.T) {
	dir := t.TempDir()
	compare := func(folder, devices string, more ...string) []string {
		return append([]string{"compare", "cornell", "-o", filepath.Join(dir, folder), "--size", "24x16", "--reference-spp", "72", "--devices", devices}, more...)
	}
	code, _, stderr := run(t, compare("one", "cpu", "--spp", "40")...)
	must(t, code, stderr)
	for name, fails := range map[string]map[int]int{"many": nil, "rest": {1: 40}} {
		code, stderr := onFragile(t, fails, compare(name, "cpu,cpu,cpu", "--spp", "40", "--live", "2")...)
		if code != 0 || strings.Count(stderr, "a device has failed") != len(fails) {
			t.Fatalf("%s: exit %d: %s", name, code, stderr)
		}
		for _, file := range []string{"a.exr", "b.exr", "reference.exr"} {
			one, err := imageio.Read(filepath.Join(dir, "one", file))
			if err != nil {
				t.Fatal(err)
			}
			many, err := imageio.Read(filepath.Join(dir, name, file))
			if err != nil || !reflect.DeepEqual(one.Pix, many.Pix) {
				t.Errorf("%s: %s is another one than that of one device: %v", name, file, err)
			}
		}
	}
	code, stderr = onFragile(t, map[int]int{0: 40}, compare("none", "cpu,cpu", "--spp", "40")...)
	if code != 75 && code != 2 || !strings.Contains(stderr, "leave it out of --devices") && !strings.Contains(stderr, "injected") {
		t.Errorf("the first device fails: exit %d: %s", code, stderr)
	}

	code, _, stderr = run(t, compare("timed", "cpu,cpu", "--time", "0.5")...)
	must(t, code, stderr)
	var summary struct {
		Sides []struct {
			Samples int
			Seconds float64
			Curve   []struct{ Samples int }
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "timed", "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &summary)
	}
	if err != nil || len(summary.Sides) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	for _, s := range summary.Sides {
		if s.Samples%16 != 0 || s.Samples < 32 || s.Seconds < 0.5 || s.Seconds > 2 || s.Curve[0].Samples != 16 || s.Curve[len(s.Curve)-1].Samples != s.Samples {
			t.Errorf("%+v", s)
		}
	}
}

func TestDevicesErrors(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"is no device": {"render", "--devices", "first"},
		"auto alone":   {"render", "--devices", "auto,cpu"},
		"--time":       {"render", "--devices", "cpu", "--time", "1"},
		"--frames":     {"video", "--orbit", "3", "--devices", "cpu,cpu"},
	} {
		output := "a.png"
		if args[0] == "video" {
			withFFmpeg(t, anyVideo)
			output = "a.mp4"
		}
		code, _, stderr := run(t, append(args, "cornell", "-o", filepath.Join(dir, output), "--size", "8x8")...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %q does not say %q", args, code, stderr, want)
		}
	}
}
