// ReSTIR GI, first pass, as a megakernel: the whole path of each pixel's initial sample, traversal inline.
#pragma once

#include "first_hits.cuh"
#include "restir_path.cuh"

KERNEL(initial_samples) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  SharedPath q = beginShared(x, y);
  countRay(COUNTER_PATHS);
  for (bool alive = true; alive;) {
    Hit hit = nextHit(index, q.p);
    SharedShadow shadow = {};
    alive = advanceShared(q, pixel, hit, &shadow);
    if (alive) countAlive(q.p.depth);
    if (shadow.ray.tMax <= 0.0f) continue;
    countRay(COUNTER_SHADOW_RAYS);
    if (traceAny(shadow.ray.origin, shadow.ray.direction, shadow.ray.tMax, alphaSeed(q.p))) continue;
    q.base += shadow.ray.contribution;
    q.straight += shadow.straight;
  }
  endShared(q, pixel);
}
