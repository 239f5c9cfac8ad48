// Package driver binds the part of the CUDA driver API that a renderer needs: a device, modules from machine code or PTX, memory,
// streams, events, graphs and OpenGL interop. The library is loaded at run time, so a program that imports this package
// starts on a machine without an NVIDIA driver and [Open] says what is missing.
//
//	runtime.LockOSThread() // a CUDA context is current on one thread
//	ctx, err := driver.Open(driver.Options{})
//	module, err := ctx.LoadModule(image)
//	kernel, err := module.Function("shade")
//	err = kernel.Launch(driver.Linear(pixels, 128, stream), driver.U32(pass))
//
// Threads. The goroutine that calls Open must be locked to its OS thread, and everything made from the [Context] is used
// on that thread only, one call at a time. [Context.MakeCurrent] moves a context to another locked goroutine.
//
// Errors. Every call of the driver is checked. What it refuses becomes an [*Error] that says what the user can do; see
// [ErrNotFound], [ErrNoDevice], [ErrOutOfMemory], [ErrDeviceLost] and [IsDeviceError]. A kernel fails when it runs, so its
// error comes from a later call: usually a synchronize or a copy.
//
// Source of all signatures and numbers: the CUDA Driver API reference, version 12.1.
package driver
