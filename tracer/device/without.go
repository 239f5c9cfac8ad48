package device

import "errors"

// atOnce is for devices that do everything at once, with the kernels as they are, in the host's memory.
type atOnce struct{}

// Specialize has nothing to make.
func (atOnce) Specialize(uint32) {}

// WaitForKernels has nothing to wait for.
func (atOnce) WaitForKernels() error { return nil }

// KernelsPending never waits.
func (atOnce) KernelsPending() bool { return false }

// KernelsError has nothing to tell.
func (atOnce) KernelsError() error { return nil }

// Hardware is not there.
func (atOnce) Hardware() (*Hardware, error) {
	return nil, errors.New("only an NVIDIA GPU traces rays in hardware")
}

// FreeMemory is not known: the host's memory is shared with everything else.
func (atOnce) FreeMemory() (bytes uint64, known bool) { return 0, false }

// Sync has nothing to wait for.
func (atOnce) Sync() error { return nil }

// TimeWhole just works: launches are timed as they run.
func (atOnce) TimeWhole(work func() error) error { return work() }

// Close has nothing to close.
func (atOnce) Close() error { return nil }

// withoutGL refuses GL buffers, and says why.
type withoutGL struct{ why error }

// Attach refuses, as Map does.
func (w withoutGL) Attach(uint32) error { return w.why }

// Detach has nothing to forget.
func (withoutGL) Detach(uint32) error { return nil }

// Map refuses.
func (w withoutGL) Map(uint32) (uint64, error) { return 0, w.why }

// Unmap has nothing to give back.
func (withoutGL) Unmap(uint32) error { return nil }
