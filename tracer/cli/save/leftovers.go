package save

import (
	"os"
	"os/exec"
	"sync"
)

// Leftovers are temporary files and folders under way, which are removed when there is no time to complete them.
type Leftovers struct {
	mu    sync.Mutex
	paths map[string]*exec.Cmd // with who writes them, or nil
}

// Add notes a path until forget is called.
func (l *Leftovers) Add(path string, writer *exec.Cmd) (forget func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paths == nil {
		l.paths = map[string]*exec.Cmd{}
	}
	l.paths[path] = writer
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.paths, path)
	}
}

// Remove removes them all. The process must end then.
func (l *Leftovers) Remove() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, writer := range l.paths {
		if writer != nil {
			_, _ = writer.Process.Kill(), wait(writer.Process) // it must not make the file anew
		}
		for range 3 { // something may still be written to it
			if os.RemoveAll(path) == nil {
				break
			}
		}
	}
}

// wait waits for the end of a process that somebody else may wait for, too.
func wait(process *os.Process) error {
	_, err := process.Wait()
	return err
}
