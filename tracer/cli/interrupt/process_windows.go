package interrupt

import (
	"os"
	"syscall"
)

// farmSignals are none: there are no signals.
func farmSignals() []os.Signal { return nil }

// ApartFromTerminal starts a process in a group of its own, which a console's Ctrl+C does not reach.
func ApartFromTerminal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
