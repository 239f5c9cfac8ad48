// Package dynlib opens shared libraries while the program runs.
//
//	l, err := dynlib.Open("libcuda.so.1")
//	address, err := l.Symbol("cuInit")
package dynlib

import (
	"fmt"
)

// Library is a loaded library. It is never unloaded: drivers and denoisers keep threads and exit handlers of their own.
type Library struct{ handle uintptr }

// Open loads a library from its path, or, if path is a name without a folder, from where the system looks for it. A file that is cut
// short would end the process with SIGBUS, so the files' sizes are checked first: of the library, of those that it needs from its own
// folder, and of those there that match patterns (as of [filepath.Match]), which it loads later.
func Open(path string, patterns ...string) (Library, error) {
	if err := check(path, patterns); err != nil {
		return Library{}, err
	}
	handle, err := open(path)
	return Library{handle}, err
}

// Symbol is the address of a function, never 0.
func (l Library) Symbol(name string) (uintptr, error) {
	address, err := symbol(l.handle, name)
	if err == nil && address == 0 {
		err = fmt.Errorf("the address of %s is 0", name)
	}
	return address, err
}
