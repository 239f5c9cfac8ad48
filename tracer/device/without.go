package device

// withoutKernels is for devices that run the kernels as they are: nothing is made for a scene.
type withoutKernels struct{}

// Specialize has nothing to make.
func (withoutKernels) Specialize(uint32) {}

// WaitForKernels has nothing to wait for.
func (withoutKernels) WaitForKernels() error { return nil }

// KernelsPending never waits.
func (withoutKernels) KernelsPending() bool { return false }

// KernelsError has nothing to tell.
func (withoutKernels) KernelsError() error { return nil }

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
