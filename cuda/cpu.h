// The C face of the CPU build: what Go calls.
#pragma once
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { GLINT_BASELINE = 0, GLINT_V3 = 1 };

// glint_run runs a kernel, by its number in Go, over [begin, end) with the given frame. variant: one of the above. A kernel that
// works as a block needs whole blocks.
void glint_run(int variant, int kernel, const void* frame, uint32_t begin, uint32_t end, uint32_t pass);

// glint_best_variant is the fastest build that this processor can run.
int glint_best_variant(void);

// glint_layout fills names ("Struct" or "Struct.field") and sizeof or offsetof of entry i; 0 past the end.
int glint_layout(int i, const char** name, uint64_t* value);

#ifdef __cplusplus
}
#endif
