package viewer

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"glint/tracer/scene/draco"
)

// A window belongs to the main thread, where the testing package runs nothing: tests send their windows here.
var onMain = make(chan func())

func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	if draco.IsChild() {
		os.Exit(draco.Child())
	}
	stop := startDisplay()
	code := make(chan int)
	go func() { code <- m.Run() }()
	for {
		select {
		case do := <-onMain:
			do()
		case c := <-code:
			stop()
			os.Exit(c)
		}
	}
}

// main runs something on the main thread and waits for it.
func main(do func()) {
	done := make(chan struct{})
	onMain <- func() {
		defer close(done)
		do()
	}
	<-done
}

// keepDisplay makes the tests use the display that they were started on, with its own graphics driver: the way to test a
// window on a GPU machine.
const keepDisplay = "GLINT_TEST_KEEP_DISPLAY"

// startDisplay makes a display of our own, drawn in software, so that keys and mouse of the tests disturb nobody. Without
// Xvfb there is none, and needDisplay skips.
func startDisplay() (stop func()) {
	if os.Getenv(keepDisplay) != "" {
		return func() {}
	}
	os.Unsetenv("DISPLAY")
	os.Setenv("LIBGL_ALWAYS_SOFTWARE", "1")
	read, write, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	defer read.Close()
	// -r: no key repeats, however late a busy machine lets it go.
	server := exec.Command("Xvfb", "-r", "-displayfd", "3", "-screen", "0", "1600x1000x24", "+extension", "GLX", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{write}
	err = server.Start()
	write.Close()
	if err != nil {
		return func() {}
	}
	number := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(read).ReadString('\n')
		number <- strings.TrimSpace(line)
	}()
	select {
	case n := <-number:
		if n != "" {
			os.Setenv("DISPLAY", ":"+n)
		}
	case <-time.After(20 * time.Second):
		fmt.Fprintln(os.Stderr, "Xvfb does not answer")
	}
	return func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}
}

// needDisplay skips a test of the window where there is no Xvfb or xdotool.
func needDisplay(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("xdotool"); err != nil || os.Getenv("DISPLAY") == "" {
		t.Skip("no Xvfb or no xdotool: install them to test the window")
	}
}
