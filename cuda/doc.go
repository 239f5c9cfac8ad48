// Package cuda holds the kernels: one source, compiled twice. NVRTC makes the PTX embedded here, which an NVIDIA driver
// runs; the C++ compiler builds the very same files through cgo, which is the CPU backend.
//
//	kernels/              the sources, a folder for each subject; they include each other by their names from here
//	kernels/params/       every struct that crosses between Go and the kernels
//	kernels/core/device.h with the headers that it includes, the only file that knows whether this is CUDA or C++
//	kernels/bsdf/lobes/   one file for each lobe of the material
//	tools/                what `make kernels` runs: it finds the kernels, compiles them to PTX, and makes the albedo tables
package cuda
