package cli_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"glint/tracer/cli"
	"glint/tracer/cli/interrupt"
	"glint/tracer/imageio"
)

// someSamples is time for a few, unless the machine is busy.
const someSamples = 200 * time.Millisecond

// signalled runs a command that would take minutes, and sends a signal to it once it has printed a text.
func signalled(t *testing.T, signal syscall.Signal, after string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return signalledLater(t, signal, after, someSamples, args...)
}

// signalledLater waits for so long after the text.
func signalledLater(t *testing.T, signal syscall.Signal, after string, wait time.Duration, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var sent atomic.Bool
	begun := time.Now()
	code, stdout, stderr = watched(t, func(stderr string) {
		if strings.Contains(stderr, after) && !sent.Swap(true) {
			time.Sleep(wait)
			if err := syscall.Kill(os.Getpid(), signal); err != nil {
				t.Error(err)
			}
		}
	}, args...)
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %v to end", took)
	}
	return code, stdout, stderr
}

// cornell are the flags of a command about a small picture on the CPU.
func cornell(command, output string, more ...string) []string {
	return append([]string{command, "cornell", "-o", output, "--size", "24x16", "--backend", "cpu"}, more...)
}

func TestRenderKeepsThePictureWhenASignalComes(t *testing.T) {
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		if signal.Ignored(sig) {
			t.Logf("%v does not come: these tests run under nohup, say", sig)
			continue
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "a.exr")
		got, stdout, stderr := signalled(t, sig, "loaded", cornell("render", path, "--time", "5m", "--stats", "-")...)
		if got != code || !strings.Contains(stderr, "holds the picture so far") || !strings.Contains(stdout, `"samples"`) {
			t.Errorf("%v: exit %d, %s, %q", sig, got, stderr, stdout)
		}
		if img, err := imageio.Read(path); err != nil || img.Width != 24 {
			t.Errorf("%v: %v", sig, err)
		}
		if left := names(t, dir); len(left) != 1 {
			t.Errorf("%v: left behind: %v", sig, left)
		}
	}
}

func TestCompareKeepsItsFolderWhenASignalComes(t *testing.T) {
	for _, c := range []struct{ name, after, flags, want, file string }{
		{"while the sides accumulate", "reference samples=4", "--reference-spp 4 --time 5m", "compares the pictures so far", "a.exr"},
		{"in the reference", "loaded", "--reference-spp 9999999", "holds the reference alone", "reference.exr"},
		{"in live frames", "side B", "--reference-spp 4 --spp 2 --live 9999999", "compares the pictures so far", "live.csv"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "compared")
			code, _, stderr := signalled(t, syscall.SIGINT, c.after, cornell("compare", dir, strings.Fields(c.flags)...)...)
			if code != 130 || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d, %s", code, stderr)
			}
			if strings.Contains(stderr, "not known") {
				t.Errorf("the noise of the reference: %s", stderr)
			}
			if _, err := os.Stat(filepath.Join(dir, c.file)); err != nil {
				t.Error(err)
			}
			// The folder is one of glint's own, to be replaced.
			again := cornell("compare", dir, "--reference-spp", "4", "--spp", "2")
			if code, _, stderr := run(t, again...); code != 0 {
				t.Errorf("exit %d, %s", code, stderr)
			}
		})
	}
}

func TestGridKeepsItsTablesWhenASignalComes(t *testing.T) {
	dir, cache := filepath.Join(t.TempDir(), "grid"), t.TempDir()
	flags := []string{"--cache", cache, "--reference-spp", "2", "--frames", "2", "--warm-up", "1", "--denoisers", "off", "--integrators", "path",
		"--motion", "orbit", "--budget", "2ms", "--rest", "999h"}
	args := slices.Insert(cornell("grid", dir, flags...), 2, "box-closed")
	code, _, stderr := signalled(t, syscall.SIGTERM, "measured", args...)
	if code != 143 || !strings.Contains(stderr, "holds the tables so far, of 1 of 2 scenes") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "grid.md")); err != nil || !strings.Contains(string(text), "| orbit |") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestBenchKeepsItsFiguresWhenASignalComes(t *testing.T) {
	code, _, stderr := signalled(t, syscall.SIGINT, "", "bench", "cornell", "--size", "24x16", "--backend", "cpu", "--frames", "99999999", "--seconds", "600")
	if code != 130 || !strings.Contains(stderr, "0 of 1 scenes") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	dir := filepath.Join(t.TempDir(), "report")
	code, _, stderr = signalled(t, syscall.SIGINT, "", "bench", "-o", dir, "--size", "24x16", "--backend", "cpu", "--frames", "99999999", "--seconds", "600")
	if code != 130 || !strings.Contains(stderr, "rows of tables were measured") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.md")); err != nil {
		t.Error(err)
	}
}

func TestVideoKeepsItsFramesWhenASignalComes(t *testing.T) {
	t.Run("as pictures", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "frames")
		code, _, stderr := signalled(t, syscall.SIGTERM, "loaded", cornell("video", dir, "--orbit", "9999", "--spp", "1", "--frames", "0:9999")...)
		count := len(names(t, dir))
		if code != 75 || count == 0 || !strings.Contains(stderr, fmt.Sprintf("%d frames were written: run it again to go on", count)) {
			t.Errorf("exit %d, %d files, %s", code, count, stderr)
		}
	})
	t.Run("as a video", func(t *testing.T) {
		withFFmpeg(t, `cat > /dev/null; `+anyVideo)
		dir := t.TempDir()
		path := filepath.Join(dir, "a.mp4")
		code, _, stderr := signalled(t, syscall.SIGTERM, "loaded", cornell("video", path, "--orbit", "9999", "--spp", "1")...)
		if code != 143 || !strings.Contains(stderr, path+" holds the first ") {
			t.Errorf("exit %d, %s", code, stderr)
		}
		if left := names(t, dir); len(left) != 1 || left[0] != "a.mp4" {
			t.Errorf("files: %v", left)
		}
	})
}

// TestSecondSignalLeavesNothing: ffmpeg, which does not end, has begun a file.
func TestSecondSignalLeavesNothing(t *testing.T) {
	if dir := os.Getenv("GLINT_TEST_FOLDER"); dir != "" {
		program := cli.Program{Stdout: os.Stdout, Stderr: os.Stderr}
		ctx, stop := cli.WithSignals(t.Context(), func(code int) {
			program.Abandon()
			os.Exit(code)
		})
		// As main does: where ffmpeg's end is noticed before the second signal ends the process, the code is that of the first.
		code := program.Run(ctx, cornell("video", filepath.Join(dir, "a.mp4"), "--orbit", "9999", "--spp", "1"))
		stop()
		os.Exit(code)
	}
	withFFmpeg(t, `trap "" INT TERM; echo begun > "$out"; kill -TERM $PPID; sleep 1; kill -TERM $PPID; cat > /dev/null; sleep 2`)
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestSecondSignalLeavesNothing$")
	cmd.Env = append(os.Environ(), "GLINT_TEST_FOLDER="+dir)
	err := cmd.Run()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.ExitCode() != 143 {
		t.Errorf("ended with %v", err)
	}
	if left := names(t, dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	ended := make(chan int, 1)
	ctx, stop := cli.WithSignals(t.Context(), func(code int) { ended <- code })
	defer stop()
	for i := range 2 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			<-ctx.Done()
		}
	}
	select {
	case code := <-ended:
		if code != 143 {
			t.Errorf("exit %d", code)
		}
	case <-time.After(10 * time.Second):
		t.Error("it goes on")
	}
	var why *interrupt.Signal
	if !errors.As(context.Cause(ctx), &why) || why.Signal != syscall.SIGTERM {
		t.Error(context.Cause(ctx))
	}
}

// TestClosedPipe: who closes glint's standard output does not end it.
func TestClosedPipe(t *testing.T) {
	if alive := os.Getenv("GLINT_TEST_ALIVE"); alive != "" {
		_, stop := cli.WithSignals(t.Context(), os.Exit)
		defer stop()
		_, err := fmt.Fprintln(os.Stdout, "nobody reads this")
		if err := os.WriteFile(alive, fmt.Append(nil, err), 0o666); err != nil {
			t.Error(err)
		}
		return
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	alive := filepath.Join(t.TempDir(), "alive")
	cmd := exec.Command(os.Args[0], "-test.run=^TestClosedPipe$")
	cmd.Env, cmd.Stdout = append(os.Environ(), "GLINT_TEST_ALIVE="+alive), writer
	_ = cmd.Run() // what the test itself prints is lost, too
	if text, err := os.ReadFile(alive); err != nil || !strings.Contains(string(text), "broken pipe") {
		t.Errorf("%v: %s", err, text)
	}
}
