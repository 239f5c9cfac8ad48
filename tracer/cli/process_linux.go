package cli

import "syscall"

// apartFromTerminal starts a process in a group of its own, which a terminal's Ctrl+C does not reach. It ends with glint, however
// that ends.
func apartFromTerminal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
