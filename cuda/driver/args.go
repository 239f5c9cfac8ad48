package driver

import "unsafe"

// Arg is one argument of a kernel. The driver takes as many of its low bytes as the kernel's parameter has.
type Arg uint64

// U32 is an unsigned 32-bit argument.
func U32(v uint32) Arg { return Arg(v) }

// maxArgs bounds a launch's arguments; what kernels share is a variable of the module.
const maxArgs = 16

// launchArgs is the memory a launch's arguments pass through. It is part of the context, on the heap, because the driver
// follows pointers into it, and a goroutine's stack may move.
type launchArgs struct {
	values   [maxArgs]Arg
	pointers [maxArgs]unsafe.Pointer
}

// pack copies the arguments and returns the array of pointers to them that cuLaunchKernel reads.
func (l *launchArgs) pack(args []Arg) unsafe.Pointer {
	copy(l.values[:], args)
	for i := range args {
		l.pointers[i] = unsafe.Pointer(&l.values[i])
	}
	return unsafe.Pointer(&l.pointers)
}
