package driver

import (
	"fmt"
	"unsafe"
)

// Function is a kernel.
type Function struct {
	Name   string
	ctx    *Context
	handle uintptr
}

// Dim3 is the extent of a grid in blocks, or of a block in threads.
type Dim3 struct{ X, Y, Z uint32 }

// LaunchConfig says how many threads run a kernel, and where.
type LaunchConfig struct {
	Grid, Block Dim3
	SharedBytes uint32  // dynamic shared memory of each block
	Stream      *Stream // nil for the default stream
}

// Linear covers a number of threads with blocks of the given size. The last block may reach beyond, so the kernel
// compares its index with the count. No threads, or an empty block, is an error of [Function.Launch].
func Linear(threads, block uint32, s *Stream) LaunchConfig {
	blocks := (uint64(threads) + uint64(block) - 1) / uint64(max(block, 1))
	return LaunchConfig{Grid: Dim3{uint32(blocks), 1, 1}, Block: Dim3{block, 1, 1}, Stream: s}
}

// Launch queues the kernel. The arguments must be as many as the kernel has parameters, which the driver does not
// check. A kernel that fails while it runs reports at a later synchronize.
func (f *Function) Launch(c LaunchConfig, args ...Arg) error {
	if len(args) > maxArgs {
		return fmt.Errorf("launch %s: %d arguments, at most %d are possible", f.Name, len(args), maxArgs)
	}
	err := f.ctx.lib.call(cuLaunchKernel, f.handle,
		uintptr(c.Grid.X), uintptr(c.Grid.Y), uintptr(c.Grid.Z),
		uintptr(c.Block.X), uintptr(c.Block.Y), uintptr(c.Block.Z),
		uintptr(c.SharedBytes), c.Stream.Handle(), uintptr(f.ctx.args.pack(args)), 0)
	if err != nil {
		return fmt.Errorf("launch %s (grid %v, block %v): %w", f.Name, c.Grid, c.Block, err)
	}
	return nil
}

// FunctionInfo is what a compiled kernel needs of the device.
type FunctionInfo struct {
	Registers       int // of each thread
	LocalBytes      int // of each thread: spilled registers and arrays
	SharedBytes     int // of each block, static
	MaxBlockThreads int // more threads in a block do not launch
}

// The function attributes read here (CUfunction_attribute).
const (
	functionMaxThreads  = 0
	functionSharedBytes = 1
	functionLocalBytes  = 3
	functionRegisters   = 4
)

// Info asks the driver what it made of the kernel.
func (f *Function) Info() (FunctionInfo, error) {
	var info FunctionInfo
	for _, a := range []struct {
		attribute uintptr
		field     *int
	}{
		{functionMaxThreads, &info.MaxBlockThreads},
		{functionSharedBytes, &info.SharedBytes},
		{functionLocalBytes, &info.LocalBytes},
		{functionRegisters, &info.Registers},
	} {
		var value int32
		err := f.ctx.lib.call(cuFuncGetAttribute, uintptr(unsafe.Pointer(&value)), a.attribute, f.handle)
		if err != nil {
			return FunctionInfo{}, fmt.Errorf("query kernel %s: %w", f.Name, err)
		}
		*a.field = int(value)
	}
	return info, nil
}
