// The megakernel: one path per pixel from the eye to its end, traversal inline, then into the accumulator.
#pragma once

#include "first_hits.cuh"

KERNEL(trace_paths) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  for (bool alive = true; alive;) {
    Hit hit = nextHit(index, p);
    ShadowRay shadow = {};
    alive = advancePath(p, hit, &shadow);
    if (shadow.tMax > 0.0f) {
      countRay(COUNTER_SHADOW_RAYS);
      if (!traceAny(shadow.origin, shadow.direction, shadow.tMax, alphaSeed(p))) p.Lo += shadow.contribution;
    }
    if (alive) countAlive(p.depth);
  }
  accumulate(y * frame.width + x, p.Lo);
}
