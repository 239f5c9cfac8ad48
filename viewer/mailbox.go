package viewer

import (
	"sync"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// mailbox brings work from any goroutine to the main thread.
type mailbox struct {
	mu     sync.Mutex
	work   []func()
	closed bool
}

// post queues work for the next frame and wakes the window. After close it does nothing.
func (m *mailbox) post(work func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.work = append(m.work, work)
	glfw.PostEmptyEvent()
}

// run does what was posted so far.
func (m *mailbox) run() {
	m.mu.Lock()
	work := m.work
	m.work = nil
	m.mu.Unlock()
	for _, do := range work {
		do()
	}
}

// close refuses further work: the window is about to go.
func (m *mailbox) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
}
