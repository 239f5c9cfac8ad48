package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// Graph is a recorded sequence of work that is launched as one.
type Graph struct {
	lib    *library
	handle uintptr // CUgraphExec
}

// Capture records what queue puts into the stream, without running it. Arguments are recorded by value, memory by address.
// While it records, the default stream and plain copies must not be used. An error of queue ends the recording.
func (s *Stream) Capture(queue func() error) (*Graph, error) {
	const threadLocal = 1 // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: other threads may go on allocating
	if err := s.lib.call(cuStreamBeginCapture, s.handle, threadLocal); err != nil {
		return nil, fmt.Errorf("begin a CUDA graph: %w", err)
	}
	queued := queue()
	var template uintptr
	if err := s.lib.call(cuStreamEndCapture, s.handle, uintptr(unsafe.Pointer(&template))); err != nil {
		return nil, errors.Join(queued, fmt.Errorf("end a CUDA graph: %w", err), s.lib.destroyGraph(template))
	}
	if queued != nil {
		return nil, errors.Join(queued, s.lib.destroyGraph(template))
	}
	g := &Graph{lib: s.lib}
	err := s.lib.call(cuGraphInstantiateWithFlags, uintptr(unsafe.Pointer(&g.handle)), template, 0)
	if err := errors.Join(answered(err, cuGraphInstantiateWithFlags, &g.handle), s.lib.destroyGraph(template)); err != nil {
		return nil, fmt.Errorf("compile a CUDA graph: %w", err)
	}
	return g, nil
}

// destroyGraph frees a recording; 0 is none.
func (l *library) destroyGraph(template uintptr) error {
	if template == 0 {
		return nil
	}
	return l.call(cuGraphDestroy, template)
}

// Launch queues the whole graph into a stream; nil is the default stream.
func (g *Graph) Launch(s *Stream) error {
	return during("launch a CUDA graph", g.lib.call(cuGraphLaunch, g.handle, s.Handle()))
}

// Close destroys the graph.
func (g *Graph) Close() error { return g.lib.call(cuGraphExecDestroy, g.handle) }
