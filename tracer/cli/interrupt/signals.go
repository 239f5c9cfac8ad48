// Package interrupt lets signals end a command early, and says what it then leaves and by which code it exits.
package interrupt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"glint/tracer/guard"
)

// Signal is why a command ended early: a signal came.
type Signal struct{ Signal syscall.Signal }

func (e *Signal) Error() string {
	if e.Signal == syscall.SIGINT {
		return "interrupted"
	}
	return fmt.Sprintf("ended by a signal (%v)", e.Signal)
}

// Is makes it a context.Canceled: errors.Is need not know what has cancelled.
func (e *Signal) Is(target error) bool { return target == context.Canceled }

// byHand tells whether a user at the keyboard sent the signal, or closed the terminal: then nobody should begin again.
func (e *Signal) byHand() bool { return e.Signal == syscall.SIGINT || e.Signal == syscall.SIGHUP }

// code is the exit code by which shells tell that a signal ended a program.
func (e *Signal) code() int { return 128 + int(e.Signal) }

// WithSignals returns a context that Ctrl+C, SIGTERM, the end of the terminal, and SIGUSR1 (which farms send some time before they end
// a task) cancel; its cause is a [Signal]. Commands then write what they have. A second signal calls exit. Writing to a closed
// pipe is an error from then on, instead of the silent end of the process. Call stop in the end.
func WithSignals(parent context.Context, exit func(code int)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	caught, pipes := make(chan os.Signal, 2), make(chan os.Signal, 1)
	for _, s := range append(farmSignals(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP) {
		if !signal.Ignored(s) { // nohup, and a shell's background job
			signal.Notify(caught, s)
		}
	}
	signal.Notify(pipes, syscall.SIGPIPE) // nobody reads them: it is enough that they do not end the process
	guard.Go(func() error {
		for s := range caught {
			why := &Signal{s.(syscall.Signal)}
			if ctx.Err() != nil {
				exit(why.code())
			}
			cancel(why)
		}
		return nil
	}, cancel)
	return ctx, func() {
		signal.Stop(caught)
		signal.Stop(pipes)
		cancel(nil)
	}
}

// New is the error of a command that a signal has ended early; left says what it leaves.
func New(ctx context.Context, left string) error {
	return fmt.Errorf("%w: %s", context.Cause(ctx), left)
}

// Is tells whether an error says no more than that the context has ended.
func Is(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

// NothingYet is the error of a command that has ended before it had anything to write.
func NothingYet(ctx context.Context) error {
	return New(ctx, "nothing was rendered yet, and nothing is written")
}

// Explained is an error with the signal that caused it, where it says only that the context has ended.
func Explained(ctx context.Context, err error) error {
	var signal *Signal
	if Is(ctx, err) && !errors.As(err, &signal) {
		return NothingYet(ctx)
	}
	return err
}

type retryError struct{ error }

func (e *retryError) Unwrap() error { return e.error }

// Retry marks an error after which the same command goes on from where it was. Farms run it again for its exit code.
func Retry(err error) error { return &retryError{err} }

// AsTask is the error of a command that a farm runs as a task: a signal that ends it before it has anything makes the farm run it again.
func AsTask(ctx context.Context, err error) error {
	var again *retryError
	if !Is(ctx, err) || errors.As(err, &again) {
		return err
	}
	return Retry(New(ctx, "nothing was rendered yet: run it again"))
}

// ExitRetry is the exit code after which a retry may help (EX_TEMPFAIL).
const ExitRetry = 75

// ExitCode is that of an error which a signal has caused, or that Retry has marked; 0 for others.
func ExitCode(err error) int {
	var signal *Signal
	var again *retryError
	interrupted := errors.As(err, &signal)
	switch {
	case interrupted && signal.byHand():
		return signal.code()
	case errors.As(err, &again):
		return ExitRetry
	case interrupted:
		return signal.code()
	}
	return 0
}
