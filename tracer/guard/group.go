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

// Go calls work in a goroutine of its own, and then done there: with the error of work, or the Fault that its panic became.
// Nothing else starts goroutines, but Group: a panic that nobody catches ends the program.
func Go(work func() error, done func(err error)) {
	go func() { done(Safely(work)) }()
}

// Elsewhere hands work to start, which has another goroutine call it, and waits for its end. A panic in work goes on here.
func Elsewhere(work func(), start func(work func())) {
	ended := make(chan error, 1)
	start(func() {
		ended <- Safely(func() error {
			work()
			return nil
		})
	})
	if err := <-ended; err != nil {
		panic(err)
	}
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
