package crew

import (
	"runtime"

	"glint/tracer/guard"
)

// Thread runs jobs one after the other on an OS thread of its own: what belongs to a device is done on one thread.
type Thread struct{ jobs chan func() }

// NewThread starts one. Close ends it.
func NewThread() *Thread {
	t := &Thread{make(chan func(), 1)}
	guard.Go(func() error {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		for job := range t.jobs {
			job()
		}
		return nil
	}, func(error) {}) // jobs are guarded one by one
	return t
}

// Do runs a job and waits. If it panics, Do does.
func (t *Thread) Do(job func()) { guard.Elsewhere(job, t.Start) }

// Start has a job run after those before it. It does not wait, and the job must not panic.
func (t *Thread) Start(job func()) { t.jobs <- job }

// Close ends the thread once its jobs are done.
func (t *Thread) Close() { close(t.jobs) }
