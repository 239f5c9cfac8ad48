package profile

import (
	"fmt"
	"syscall"
	"time"
)

// ProcessorTime is what all threads of the process have used so far.
func ProcessorTime() (time.Duration, error) {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, fmt.Errorf("read the processor's time: %w", err)
	}
	var begun, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &begun, &ended, &kernel, &user); err != nil {
		return 0, fmt.Errorf("read the processor's time: %w", err)
	}
	ticks := func(f syscall.Filetime) int64 { return int64(f.HighDateTime)<<32 + int64(f.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user))), nil
}
