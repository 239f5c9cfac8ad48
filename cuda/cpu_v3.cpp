// The kernels for processors with AVX2 and FMA (x86-64-v3).
#ifdef __x86_64__
#include "cpu_variant.h"
#pragma GCC optimize("O3,fp-contract=off,no-math-errno,no-trapping-math")
#pragma GCC target("arch=x86-64-v3")

#define GLINT_FMA   // GCC does not say so itself after the pragma

namespace v3 {
#include "kernels_gen.cuh"
#define X(name, threads, blocks) name,
KernelRange* const kernels[] = {KERNELS(X)};
#undef X
}   // namespace v3

extern "C" void glint_run_v3(int kernel, const void* frameData, uint32_t begin, uint32_t end, uint32_t pass) {
  v3::kernels[kernel]((const v3::Frame*)frameData, begin, end, pass);
}
#endif
