// The GPU's ray loop, one thread wide.
#include "cpu_variant.h"
#pragma GCC optimize("O3,fp-contract=off,no-math-errno,no-trapping-math")

#include "probe.h"

namespace {
#include "bvh/rays.cuh"
}

void glint_probe_walk(const void* f, uint32_t begin, uint32_t end, int any) {
  currentFrame = (const Frame*)f;
  Fetch<WARP_SIZE> fetch = {begin, end};
  if (any)
    walkQueue<true>(ShadowRayBuffer(), fetch);
  else
    walkQueue<false>(RayBuffer(), fetch);
}
