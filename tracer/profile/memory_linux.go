package profile

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
)

// PeakMemory is the most host memory that the process has held, bytes.
func PeakMemory() uint64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return uint64(usage.Maxrss) << 10
}

// AvailableMemory is how much more host memory the process may take, bytes: what the machine has left, its group (cgroup v2) and its
// limit of address space allow. It is the largest number where the system does not tell.
func AvailableMemory() uint64 {
	free := uint64(math.MaxUint64)
	if n, ok := readField("/proc/meminfo", "MemAvailable:"); ok {
		free = n << 10
	}
	most, limited := readField("/sys/fs/cgroup/memory.max", "")
	if used, ok := readField("/sys/fs/cgroup/memory.current", ""); ok && limited {
		free = min(free, most-min(most, used))
	}
	var addresses syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &addresses) == nil && addresses.Cur < math.MaxInt64 {
		if used, ok := readField("/proc/self/status", "VmSize:"); ok {
			free = min(free, addresses.Cur-min(addresses.Cur, used<<10))
		}
	}
	return free
}

// readField reads the number behind a name that begins a line; without a name the first number of the file.
func readField(path, name string) (uint64, bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer func() { _ = f.Close() }() // only read from
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), name); ok {
			var n uint64
			_, err := fmt.Sscan(rest, &n)
			return n, err == nil
		}
	}
	return 0, false
}
