package guard

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Fault is a panic that became an error: a mistake of the program or of a library, not of the file.
type Fault struct {
	Problem any
	Stack   string // of the goroutine that panicked
}

// Error is one line, for the user.
func (f *Fault) Error() string {
	return fmt.Sprintf("internal error (please report it, with the file): %s", Name(fmt.Sprint(f.Problem)))
}

// Safely calls work, and turns a panic in it or in goroutines of its Groups into a Fault.
func Safely(work func() error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = asFault(problem)
		}
	}()
	return work()
}

func asFault(problem any) *Fault {
	if f, ok := problem.(*Fault); ok {
		return f
	}
	return &Fault{problem, string(debug.Stack())}
}

// Group is goroutines that end before Wait returns. A panic in one of them, which nothing could catch there, goes on in the
// goroutine that waits.
type Group struct {
	wait  sync.WaitGroup
	mu    sync.Mutex
	fault *Fault // the first
}

// Go calls work in a goroutine.
func (g *Group) Go(work func()) {
	g.wait.Go(func() {
		defer func() {
			if problem := recover(); problem != nil {
				g.mu.Lock()
				defer g.mu.Unlock()
				if g.fault == nil {
					g.fault = asFault(problem)
				}
			}
		}()
		work()
	})
}

// Wait returns when all have ended.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.fault != nil {
		panic(g.fault)
	}
}
