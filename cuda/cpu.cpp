// Chooses between the builds of the kernels, and tells Go their names and layouts.
#include "cpu.h"

#include <stddef.h>

#include "device.h"
#include "kernel_list.h"
#include "layout_gen.h"

extern "C" void glint_run_baseline(int, const void*, uint32_t, uint32_t, uint32_t);
extern "C" void glint_run_v3(int, const void*, uint32_t, uint32_t, uint32_t);

int glint_best_variant(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return GLINT_V3;
#endif
  return GLINT_BASELINE;
}

void glint_run(int variant, int kernel, const void* frameData, uint32_t begin, uint32_t end, uint32_t pass) {
#ifdef __x86_64__
  if (variant == GLINT_V3) return glint_run_v3(kernel, frameData, begin, end, pass);
#endif
  glint_run_baseline(kernel, frameData, begin, end, pass);
}

struct KernelEntry {
  const char* name;
  int threads, blocks;
};
#define X(name, threads, blocks) {#name, threads, blocks},
static const KernelEntry kernels[] = {KERNELS(X)};
#undef X

static const KernelEntry* entryOf(int kernel) {
  return kernel >= 0 && kernel < (int)(sizeof kernels / sizeof kernels[0]) ? &kernels[kernel] : NULL;
}

const char* glint_kernel_name(int kernel) {
  const KernelEntry* entry = entryOf(kernel);
  return entry ? entry->name : NULL;
}

int glint_kernel_threads(int kernel) {
  const KernelEntry* entry = entryOf(kernel);
  return entry ? entry->threads : 0;
}

int glint_kernel_blocks(int kernel) {
  const KernelEntry* entry = entryOf(kernel);
  return entry ? entry->blocks : 0;
}

struct LayoutEntry {
  const char* name;
  uint64_t value;
};
#define S(type) {#type, sizeof(type)},
#define F(type, field) {#type "." #field, offsetof(type, field)},
static const LayoutEntry layout[] = {LAYOUT(S, F)};
#undef S
#undef F

int glint_layout(int i, const char** name, uint64_t* value) {
  if (i < 0 || i >= (int)(sizeof layout / sizeof layout[0])) return 0;
  *name = layout[i].name;
  *value = layout[i].value;
  return 1;
}
