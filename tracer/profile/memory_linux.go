package profile

import "syscall"

// PeakMemory is the most host memory that the process has held, bytes.
func PeakMemory() uint64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return uint64(usage.Maxrss) << 10
}
