// The megakernel: one path per pixel from the eye to its end, traversal inline, then into the accumulator.
#pragma once

#include "accumulate.cuh"
#include "path.cuh"
#include "traverse.cuh"

KERNEL(trace_paths) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  for (bool alive = true; alive;) {
    countRay(COUNTER_EXTENSION_RAYS);
    Hit hit = traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p));
    ShadowRay shadow = {};
    alive = advancePath(p, hit, &shadow);
    if (shadow.tMax > 0.0f) {
      countRay(COUNTER_SHADOW_RAYS);
      if (!traceAny(shadow.origin, shadow.direction, shadow.tMax, alphaSeed(p))) p.Lo += shadow.contribution;
    }
    if (alive) countRay(COUNTER_ALIVE + minu(p.depth, COUNTER_COUNT - COUNTER_ALIVE - 1));
  }
  accumulate(y * frame.width + x, p.Lo);
}
