// Chooses between the builds of the kernels, and tells Go the layout of shared structs.
#include "cpu.h"

#include <stddef.h>

#include "core/device.h"
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
