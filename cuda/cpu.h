// The C face of the CPU build: what Go calls.
#pragma once
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { GLINT_BASELINE = 0, GLINT_V3 = 1 };

// glint_run runs a kernel of kernels.cuh over [begin, end) with the given frame. variant: one of the above. A kernel that
// works as a block needs whole blocks.
void glint_run(int variant, int kernel, const void* frame, uint32_t begin, uint32_t end, uint32_t pass);

// glint_best_variant is the fastest build that this processor can run.
int glint_best_variant(void);

// glint_kernel_name is the name of kernel i, NULL past the end.
const char* glint_kernel_name(int kernel);

// glint_kernel_threads is how many threads a block of kernel i has, 0 past the end.
int glint_kernel_threads(int kernel);
// glint_kernel_blocks is how many blocks of kernel i a multiprocessor is to hold, 0 past the end.
int glint_kernel_blocks(int kernel);

// glint_layout fills names ("Struct" or "Struct.field") and sizeof or offsetof of entry i; 0 past the end.
int glint_layout(int i, const char** name, uint64_t* value);

#ifdef __cplusplus
}
#endif
