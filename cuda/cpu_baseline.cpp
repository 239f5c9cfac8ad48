// The kernels for any x86-64 or other processor.
#include "cpu_variant.h"
#pragma GCC optimize("O3,fp-contract=off,no-math-errno,no-trapping-math")

namespace baseline {
#include "kernels_gen.cuh"
#define X(name, threads, blocks) name,
KernelRange* const kernels[] = {KERNELS(X)};
#undef X
}   // namespace baseline

extern "C" void glint_run_baseline(int kernel, const void* frameData, uint32_t begin, uint32_t end, uint32_t pass) {
  baseline::kernels[kernel]((const baseline::Frame*)frameData, begin, end, pass);
}
