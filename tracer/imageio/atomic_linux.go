package imageio

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openNameless makes a file in a folder that has no name there. Some file systems cannot.
func openNameless(folder string) (*os.File, error) {
	return os.OpenFile(folder, os.O_RDWR|unix.O_TMPFILE, 0o666)
}

// link gives such a file a name, unless that is taken.
func link(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", f.Fd()), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}
