package early_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestLimitsOfTheSystem: where the system gives too little, a sentence says which limit it is, in place of a trace of Go's runtime.
func TestLimitsOfTheSystem(t *testing.T) {
	program, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for _, row := range []struct {
		limit string
		code  int
		want  string
	}{
		{"-v 100000", 2, "address space is limited to 97 MiB"},
		{"-v 600000", 2, "address space is limited to 585 MiB"},
		{"-v 1000000", 2, "raise the limit (ulimit -v)"},
		{"-n 8", 2, "open files are limited to 8, and 64 are needed: raise the limit (ulimit -n)"},
		{"-u 1", 2, "threads can be started: raise the limit of processes (ulimit -u"},
		{"-n 64", 0, ""},
	} {
		cmd := exec.Command("bash", "-c", "ulimit "+row.limit+" && exec /proc/self/fd/3 -test.run='^$'")
		cmd.ExtraFiles = []*os.File{program} // a user who may not see its folder can start it
		if os.Getuid() == 0 {                // whom no limit of processes holds
			const nobodyElse = 54321
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyElse, Gid: nobodyElse}}
		}
		text, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != row.code || !strings.Contains(string(text), row.want) || strings.Contains(string(text), "goroutine") {
			t.Errorf("ulimit %s: exit %d, %s does not say %q", row.limit, code, text, row.want)
		}
	}
}
