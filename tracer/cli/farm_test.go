package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"glint/tracer/cli/interrupt"
	"glint/tracer/tracertest"
)

// task is glint in a process of its own, as a farm runs it.
type task struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
}

func startTask(t *testing.T, args ...string) *task {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k := &task{cmd: exec.Command(program)}
	k.cmd.Env = append(os.Environ(), asCommand+"="+strings.Join(args, "\n"))
	k.cmd.Stderr = &k.stderr
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.cmd.Process.Kill() })
	return k
}

// wait is the exit code; −1 after a signal that ended the process.
func (k *task) wait(t *testing.T) int {
	t.Helper()
	var ended *exec.ExitError
	if err := k.cmd.Wait(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return k.cmd.ProcessState.ExitCode()
}

// whenThere waits for a number of frames in a folder: glint makes other files there, too, and removes them.
func whenThere(t *testing.T, folder string, files int) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		if there, err := filepath.Glob(filepath.Join(folder, "frame-*.png")); err == nil && len(there) >= files {
			return
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("%s does not fill up", folder)
		}
	}
}

// TestFilmByShards: 24 frames by four tasks, of which one is killed, one is asked to end, and one meets a full disk. After each has
// been run again, the frames are those of a single run, bit for bit.
func TestFilmByShards(t *testing.T) {
	const frames = 24
	dir := t.TempDir()
	film := func(folder string, more ...string) []string {
		return append([]string{"video", "cornell", "-o", folder, "--orbit", "24", "--size", "48x32", "--spp", "40", "--backend", "cpu"}, more...)
	}
	single, parts := filepath.Join(dir, "single"), filepath.Join(dir, "parts")
	if code, _, stderr := run(t, film(single, "--frames", "0:24")...); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	part := func(i int) []string { return film(parts, "--frames", "0:24", "--shard", fmt.Sprintf("%d/4", i)) }

	killed := startTask(t, part(0)...)
	whenThere(t, parts, 1)
	_ = killed.cmd.Process.Kill()
	if code := killed.wait(t); code != -1 {
		t.Errorf("the killed task ends with %d before it is killed", code)
	}
	for i, signal := range map[int]syscall.Signal{1: syscall.SIGTERM, 3: syscall.SIGUSR1} {
		before := len(names(t, parts)) // of tasks that have ended, so there are only frames
		stopped := startTask(t, part(i)...)
		whenThere(t, parts, before+1)
		_ = stopped.cmd.Process.Signal(signal)
		if code := stopped.wait(t); code != 75 || !strings.Contains(stopped.stderr.String(), "run it again to go on") {
			t.Errorf("%v: exit %d: %s", signal, code, &stopped.stderr)
		}
	}
	fillDisk(t, parts, part(2))

	// What is there now are whole frames.
	for _, name := range names(t, parts) {
		if strings.HasSuffix(name, ".png") {
			tracertest.ReadPNG(t, filepath.Join(parts, name))
		}
	}
	for i := range 4 {
		again := startTask(t, part(i)...)
		if code := again.wait(t); code != 0 {
			t.Fatalf("task %d, run again: exit %d: %s", i, code, &again.stderr)
		}
	}
	if have := names(t, parts); len(have) != frames {
		t.Errorf("%d files: %v", len(have), have)
	}
	for frame := range frames {
		name := fmt.Sprintf("frame-%05d.png", frame)
		a, errA := os.ReadFile(filepath.Join(single, name))
		b, errB := os.ReadFile(filepath.Join(parts, name))
		if err := errors.Join(errA, errB); err != nil {
			t.Error(err)
		} else if !bytes.Equal(a, b) {
			t.Errorf("frame %d differs from that of a single run", frame)
		}
	}
	idle := startTask(t, part(0)...)
	if code := idle.wait(t); code != 0 || !strings.Contains(idle.stderr.String(), "frames=6") {
		t.Errorf("with nothing left to do: exit %d: %s", code, &idle.stderr)
	}
}

// TestTaskEndedBeforeItBegins: a farm that takes a task away while it loads its scene runs it again, too.
func TestTaskEndedBeforeItBegins(t *testing.T) {
	for name, args := range map[string][]string{
		"film":  cornell("video", filepath.Join(t.TempDir(), "frames"), "--orbit", "4", "--frames", "0:4"),
		"still": cornell("render", filepath.Join(t.TempDir(), "part.exr"), "--samples", "0:16"),
	} {
		t.Run(name, func(t *testing.T) {
			ctx, end := context.WithCancelCause(t.Context())
			end(&interrupt.Signal{Signal: syscall.SIGTERM})
			if code, _, stderr := runUntil(ctx, t, args...); code != 75 || !strings.Contains(stderr, "nothing was rendered yet: run it again") {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	}
}

// fillDisk runs a task that writes to a folder on a disk that is too small. Its frames are moved to where the others are.
func fillDisk(t *testing.T, folder string, args []string) {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=20k"); err != nil {
		t.Logf("without a full disk, which only root can make: %v", err)
		return
	}
	defer func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	}()
	small := filepath.Join(disk, "frames")
	elsewhere := make([]string, len(args))
	for i, arg := range args {
		elsewhere[i] = strings.Replace(arg, folder, small, 1)
	}
	full := startTask(t, elsewhere...)
	if code := full.wait(t); code != 75 || !strings.Contains(full.stderr.String(), "no space left") {
		t.Errorf("on a full disk: exit %d: %s", code, &full.stderr)
	}
	whole := names(t, small)
	if len(whole) == 0 {
		t.Error("nothing fits on the disk: make it larger")
	}
	for _, name := range whole {
		data, err := os.ReadFile(filepath.Join(small, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), data, 0o666)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// TestShardsShareTheWork: each frame belongs to one shard, frames that share a history to the same, and whoever renders them, they
// are the same.
func TestShardsShareTheWork(t *testing.T) {
	dir := t.TempDir()
	for name, more := range map[string][]string{
		"path":           {"--spp", "1"},
		"with a history": {"--spp", "12", "--integrator", "restir"},
		"denoised":       {"--spp", "16", "--denoise", "atrous"},
		"upscaled":       {"--spp", "4", "--render-scale", "0.5"},
		"motion":         {"--spp", "1", "--aov-view", "motion"},
	} {
		t.Run(name, func(t *testing.T) {
			film := func(folder string, flags ...string) {
				t.Helper()
				args := append([]string{"--orbit", "40", "--size", "32x24", "--frames", "0:40", "--every", "3"}, append(flags, more...)...)
				if code, stderr := filmed(t, filepath.Join(dir, name, folder), args...); code != 0 {
					t.Fatalf("exit %d: %s", code, stderr)
				}
			}
			film("single")
			var counts [3]int
			for _, i := range []int{2, 0, 1} {
				film("parts", "--shard", fmt.Sprintf("%d/3", i))
				counts[i] = len(names(t, filepath.Join(dir, name, "parts")))
			}
			if counts[1] != 14 || counts[2] == 0 || counts[2] >= counts[0] || counts[0] >= counts[1] {
				t.Errorf("frames after the third, first and second part: %d, %d, %d of 14", counts[2], counts[0], counts[1])
			}
			for frame := 0; frame < 40; frame += 3 {
				file := fmt.Sprintf("frame-%05d.png", frame)
				a := tracertest.ReadPNG(t, filepath.Join(dir, name, "single", file))
				if b := tracertest.ReadPNG(t, filepath.Join(dir, name, "parts", file)); !bytes.Equal(a.Pix, b.Pix) {
					t.Errorf("frame %d depends on who renders it", frame)
				}
				if name == "motion" && frame > 0 && bytes.Equal(a.Pix[4:], a.Pix[:len(a.Pix)-4]) {
					t.Errorf("frame %d shows no motion", frame)
				}
			}
		})
	}
}

// TestJoinedFilm: all frames that were asked for must be there and belong together.
func TestJoinedFilm(t *testing.T) {
	heard := filepath.Join(t.TempDir(), "heard")
	t.Setenv("HEARD", heard)
	withFFmpeg(t, `echo "$@" > "$HEARD"; wc -c >> "$HEARD"; `+anyVideo)
	dir := t.TempDir()
	frames, video := filepath.Join(dir, "frames"), filepath.Join(dir, "film.mp4")
	join := func() (int, string) {
		code, _, stderr := run(t, "video", "--join", frames, "-o", video)
		return code, stderr
	}
	refused := func(want string, code int) {
		t.Helper()
		if got, stderr := join(); got != code || !strings.Contains(stderr, want) {
			t.Errorf("exit %d, %q does not say %q", got, stderr, want)
		}
		if _, err := os.Stat(video); err == nil {
			t.Fatal("a video was made")
		}
	}
	refused("no such file", 2)
	if err := os.Mkdir(frames, 0o777); err != nil {
		t.Fatal(err)
	}
	refused("no frames are there", 2)
	for i := range 2 {
		if code, stderr := filmed(t, frames, "--fps", "12", "--shard", fmt.Sprintf("%d/2", i)); code != 0 {
			t.Fatal(stderr)
		}
		if i == 0 {
			refused("2 frames are missing: 1, 3", 75)
		}
	}
	other := filepath.Join(dir, "other")
	if code, stderr := filmed(t, other, "--exposure", "1", "--frames", "0:5"); code != 0 {
		t.Fatal(stderr)
	}
	foreign := filepath.Join(frames, "more.png")
	for _, row := range []struct{ from, want string }{
		{filepath.Join(other, "frame-00002.png"), "another film"},
		{filepath.Join(frames, "frame-00002.png"), "both frame 2"},
	} {
		data, err := os.ReadFile(row.from)
		if err == nil {
			err = os.WriteFile(foreign, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		refused(row.want, 2)
	}
	if err := os.Remove(foreign); err != nil {
		t.Fatal(err)
	}
	if code, stderr := join(); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(heard)
	if err != nil || !strings.Contains(string(text), "-video_size 24x16 -framerate 12 -i pipe:0") || !strings.Contains(string(text), fmt.Sprintf("\n%d\n", 5*24*16*3)) {
		t.Errorf("%v: %s", err, text)
	}
}
