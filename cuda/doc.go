// Package cuda holds the kernels: one source, compiled twice. NVRTC makes the PTX embedded here, which an NVIDIA driver
// runs; the C++ compiler builds the very same files through cgo, which is the CPU backend.
//
//	params.h    with tree.h, material.h, lights.h and display.h, every struct that crosses between Go and the kernels
//	device.h    with device_*.h, the only file that knows whether this is CUDA or C++
//	kernels.cuh the list of kernels
//	lobes/      one file per lobe of the material
package cuda
