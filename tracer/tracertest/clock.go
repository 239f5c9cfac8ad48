package tracertest

import (
	"syscall"
	"testing"
	"time"
)

// ProcessorTime is what all cores have worked for the process: other work on the machine does not count.
func ProcessorTime(t testing.TB) time.Duration {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano())
}
