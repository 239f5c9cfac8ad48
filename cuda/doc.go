// Package cuda holds the kernels: one source, compiled twice. NVRTC and NVIDIA's assembler make PTX and machine code for NVIDIA GPUs, which
// package compiled embeds; the C++ compiler builds the very same files through cgo, which is the CPU backend.
//
//	kernels/              the sources, a folder for each subject; they include each other by their names from here
//	kernels/params/       every struct that crosses between Go and the kernels
//	kernels/core/device.h with the headers that it includes, the only file that knows whether this is CUDA or C++
//	kernels/bsdf/lobes/   one file for each lobe of the material
//	compiled/             the kernels for GPUs, where this build has them
//	images/               how compiled kernels are packed, and which suits a GPU
//	tools/                what `make kernels` runs, below
package cuda

// What `make kernels` runs first: the lists of kernels and the Go twins of shared structs, then the tables that a kernel computes.
//
//go:generate go run ./tools/gen
//go:generate go run ./tools/albedo
