// The megakernel: paths from the eye to their ends, traversal inline, then into the accumulator. A thread whose path has ended
// begins the path of another pixel (regeneration: Novák, Havran and Dachsbacher 2010), so that none waits for the longest.
#pragma once

#include "first_hits.cuh"

// beginNext begins the path of the next pixel; false when there is none left.
DEVICE bool beginNext(Fetch& fetch, uint32_t* index, uint32_t* pixel, Path* p) {
  uint32_t x, y;
  do {
    *index = fetchIndex(fetch);
    if (*index >= frame.tiledPixels) return false;
  } while (!pixelOf(*index, frame.width, frame.height, &x, &y));
  *pixel = y * frame.width + x;
  *p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  return true;
}

RAY_KERNEL(trace_paths) {
  Path p;
  uint32_t index, pixel;
  for (bool alive = false;;) {
    if (!alive && !beginNext(fetch, &index, &pixel, &p)) return;
    Hit hit = nextHit(index, p);
    ShadowRay shadow = {};
    alive = advancePath(p, hit, &shadow);
    if (shadow.tMax > 0.0f) {
      countRay(COUNTER_SHADOW_RAYS);
      if (!traceAny(shadow.origin, shadow.direction, shadow.tMax, alphaSeed(p))) p.Lo += shadow.contribution;
    }
    if (alive)
      countAlive(p.depth);
    else
      accumulate(pixel, p.Lo);
  }
}
