// The megakernel: one path per pixel from the eye to its end, traversal inline, then into the accumulator.
#pragma once

#include "path.cuh"
#include "traverse.cuh"

// accumulate adds a sample to its pixel; what is not a number is dropped and counted.
DEVICE void accumulate(uint32_t pixel, float3 L) {
  float4* sum = pointer<float4>(frame.accumulation) + pixel;
  float4 old = *sum;
  bool good = finite(L);
  if (!good) count(COUNTER_NONFINITE, 1);
  *sum = good ? make_float4(old.x + L.x, old.y + L.y, old.z + L.z, old.w + 1.0f) : old;
}

// countRay keeps the statistics of one kind of ray.
DEVICE void countRay(uint32_t counter) {
  if (frame.flags & FRAME_STATISTICS) count(counter, 1);
}

KERNEL(trace_paths) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  for (bool alive = true; alive;) {
    countRay(COUNTER_EXTENSION_RAYS);
    Hit hit = traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p));
    ShadowRay shadow;
    alive = advancePath(p, hit, &shadow);
    if (shadow.tMax > 0.0f) {
      countRay(COUNTER_SHADOW_RAYS);
      if (!traceAny(shadow.origin, shadow.direction, shadow.tMax, alphaSeed(p))) p.Lo += shadow.contribution;
    }
    if (alive) countRay(COUNTER_ALIVE + minu(p.depth, COUNTER_COUNT - COUNTER_ALIVE - 1));
  }
  accumulate(y * frame.width + x, p.Lo);
}
