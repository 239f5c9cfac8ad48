package session

import "sync"

// Mailbox carries work from any goroutine to the main thread.
type Mailbox struct {
	wake   func() // the window, from any goroutine
	mu     sync.Mutex
	work   []func()
	closed bool
}

// Post queues work for the next frame and wakes the window. After close it does nothing.
func (m *Mailbox) Post(work func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.work = append(m.work, work)
	m.wake()
}

// run does the work that was posted so far.
func (m *Mailbox) run() {
	m.mu.Lock()
	work := m.work
	m.work = nil
	m.mu.Unlock()
	for _, do := range work {
		do()
	}
}

// close refuses further work, since the window is about to go.
func (m *Mailbox) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
}
