package early_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"glint/tracer/cli"
	_ "glint/tracer/early"
)

// asProgram makes the test binary a program like glint.
const asProgram = "GLINT_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		ctx, stop := cli.WithSignals(context.Background(), os.Exit)
		code := (&cli.Program{Stdout: os.Stdout, Stderr: os.Stderr}).Run(ctx, os.Args[1:])
		stop()
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// TestSignalAtAnyMoment: a command that a signal ends says so, whenever the signal comes after the system has loaded the program, and
// ends soon.
func TestSignalAtAnyMoment(t *testing.T) {
	for _, row := range []struct{ name, args string }{
		{"render", "--spp 9999"},
		{"compare", "--spp 9999 --reference-spp 2"},
	} {
		loaded := time.Duration(0)
		for delay := time.Duration(0); delay <= time.Second; delay += max(20*time.Millisecond, delay/4) {
			out := t.TempDir() + "/a.png"
			args := append([]string{row.name, "cornell", "-o", out, "--size", "1920x1080", "--backend", "cpu"}, strings.Fields(row.args)...)
			cmd := exec.Command(os.Args[0], args...)
			cmd.Env = append(os.Environ(), asProgram+"=1")
			var stderr strings.Builder
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(delay)
			begun := time.Now()
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			took := time.Since(begun)
			status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if ok && status.Signaled() && loaded == 0 { // the system was still loading it
				continue
			}
			loaded = delay
			if cmd.ProcessState.ExitCode() != 130 || !strings.Contains(stderr.String(), "glint: interrupted") {
				t.Errorf("%s, signal after %v: %v, %s", row.name, delay, cmd.ProcessState, stderr.String())
			}
			// Other processes may hold the cores: what counts is the time that this one had.
			if spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > 2*time.Second && spent > delay*2+4*time.Second {
				t.Errorf("%s, signal after %v: it ended %v later, after %v of work", row.name, delay, took, spent)
			}
		}
	}
}
