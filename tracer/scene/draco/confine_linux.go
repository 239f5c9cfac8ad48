//go:build cgo && amd64

package draco

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine bounds what this process may take and do, before it has seen anything of a file.
func confine(memory int64, seconds uint64) error {
	time.Sleep(time.Microsecond) // for its first timer the Go runtime opens something
	for _, l := range limitsOf(memory, seconds) {
		most := min(l.most, hardLimit(l.kind))
		if err := unix.Setrlimit(l.kind, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit %d: %w", l.kind, err)
		}
	}
	err := filterCalls()
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) { // a kernel without filters; the limits remain
		return nil
	}
	return err
}

// limit is one of the system's on a child.
type limit struct {
	kind  int
	most  uint64
	shell string // how a shell calls it, where it may be too tight for a mesh, and in what unit
	unit  uint64
}

func limitsOf(memory int64, seconds uint64) []limit {
	return []limit{
		{unix.RLIMIT_AS, addressSpace, "-v", 1024},
		{unix.RLIMIT_DATA, uint64(memory), "-d", 1024},
		{unix.RLIMIT_CPU, seconds, "-t", 1},
		{unix.RLIMIT_FSIZE, 0, "", 1},
		{unix.RLIMIT_CORE, 0, "", 1},
		{unix.RLIMIT_NOFILE, 0, "", 1}, // nothing can be opened
	}
}

// hardLimit is what this process may raise a limit to.
func hardLimit(kind int) uint64 {
	var now unix.Rlimit
	if unix.Getrlimit(kind, &now) != nil {
		return unix.RLIM_INFINITY
	}
	return now.Max
}

// tighterLimits names the limits of this process that leave children less than they are meant to have.
func tighterLimits(memory int64, seconds uint64) (words string) {
	for _, l := range limitsOf(memory, seconds) {
		if hard := hardLimit(l.kind); hard < l.most {
			words += fmt.Sprintf(", under ulimit %s %d, where %d would do", l.shell, hard/l.unit, l.most/l.unit)
		}
	}
	return words
}

// allowedCalls are those of the Go runtime and of the C library when a program only computes, reads and writes.
var allowedCalls = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_BRK,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_EPOLL_WAIT, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CTL,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// filterCalls has the kernel refuse all other calls, of all threads (seccomp).
func filterCalls() error {
	// What the filter sees of a call, by the offset in bytes: its number, its architecture, the low half of its first argument.
	const number, architecture, argument = 0, 4, 16
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	answer := func(with uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: with} }
	// Skips so many instructions unless the value loaded is v.
	unless := func(v uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: v, Jf: skip}
	}
	allow, refuse := answer(unix.SECCOMP_RET_ALLOW), answer(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM))
	program := []unix.SockFilter{
		load(architecture), unless(unix.AUDIT_ARCH_X86_64, 1), load(number), // else the architecture, which is no number
		unless(unix.SYS_CLONE3, 1), answer(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)), // clone takes its place
		// A thread is made, but no process.
		unless(unix.SYS_CLONE, 4), load(argument),
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: unix.CLONE_THREAD, Jf: 1}, allow, refuse,
		// Signals go to this process alone.
		unless(unix.SYS_TGKILL, 4), load(argument), unless(uint32(os.Getpid()), 1), allow, refuse,
	}
	for _, call := range allowedCalls {
		program = append(program, unless(call, 1), allow)
	}
	program = append(program, refuse)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return fmt.Errorf("filter of calls: %w", errno)
	}
	return nil
}
