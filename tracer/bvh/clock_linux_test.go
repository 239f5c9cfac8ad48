package bvh_test

import (
	"syscall"
	"time"
)

// threadTime is the processor time that this thread has used: other programs on the machine hardly disturb it.
func threadTime() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if err := syscall.Getrusage(thisThread, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
