package cli

import (
	"os"
	"syscall"
)

// farmSignals are none: there are no signals.
func farmSignals() []os.Signal { return nil }

// apartFromTerminal starts a process in a group of its own, which a console's Ctrl+C does not reach.
func apartFromTerminal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
