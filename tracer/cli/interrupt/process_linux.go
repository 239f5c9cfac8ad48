package interrupt

import (
	"os"
	"syscall"
)

// farmSignals are those by which farms announce that they will end a task.
func farmSignals() []os.Signal { return []os.Signal{syscall.SIGUSR1} }

// ApartFromTerminal starts a process in a group of its own, which a terminal's Ctrl+C does not reach. It ends with glint, however
// that ends.
func ApartFromTerminal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
