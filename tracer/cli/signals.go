package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"glint/tracer/guard"
)

// Interrupted is why a command ended early: a signal came.
type Interrupted struct{ Signal syscall.Signal }

func (e *Interrupted) Error() string {
	if e.Signal == syscall.SIGINT {
		return "interrupted"
	}
	return fmt.Sprintf("ended by a signal (%v)", e.Signal)
}

// Is makes it a context.Canceled: errors.Is need not know what has cancelled.
func (e *Interrupted) Is(target error) bool { return target == context.Canceled }

// byHand tells whether a user at the keyboard sent the signal, or closed the terminal: then nobody should begin again.
func (e *Interrupted) byHand() bool { return e.Signal == syscall.SIGINT || e.Signal == syscall.SIGHUP }

// code is the exit code by which shells tell that a signal ended a program.
func (e *Interrupted) code() int { return 128 + int(e.Signal) }

// WithSignals returns a context that Ctrl+C, SIGTERM, the end of the terminal, and SIGUSR1 (which farms send some time before they end
// a task) cancel; its cause is an [Interrupted]. Commands then write what they have. A second signal calls exit. Writing to a closed
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
			why := &Interrupted{s.(syscall.Signal)}
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

// interrupted is the error of a command that a signal has ended early; left says what it leaves.
func interrupted(ctx context.Context, left string) error {
	return fmt.Errorf("%w: %s", context.Cause(ctx), left)
}

// isInterrupted tells whether an error says no more than that the context has ended.
func isInterrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

// nothingYet is the error of a command that has ended before it had anything to write.
func nothingYet(ctx context.Context) error {
	return interrupted(ctx, "nothing was rendered yet, and nothing is written")
}

// retryError is an error after which the same command goes on from where it was. Farms run it again for its exit code.
type retryError struct{ error }

func (e *retryError) Unwrap() error { return e.error }

// asTask is the error of a command that a farm runs as a task: a signal that ends it before it has anything makes the farm run it again.
func asTask(ctx context.Context, err error) error {
	var again *retryError
	if !isInterrupted(ctx, err) || errors.As(err, &again) {
		return err
	}
	return &retryError{interrupted(ctx, "nothing was rendered yet: run it again")}
}

// errDevice marks errors of the machine rather than of the request.
var errDevice = errors.New("device error")
