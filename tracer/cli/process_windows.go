package cli

import "syscall"

// apartFromTerminal starts a process in a group of its own, which a console's Ctrl+C does not reach.
func apartFromTerminal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
