// The megakernels: a path from the camera to its end with traversal inline, then into the accumulator.
#pragma once

#include "path/hits.cuh"
#include "path/panes.cuh"

// bounce takes a path to its next vertex and traces the shadow ray from there. False when the path has ended.
DEVICE bool bounce(uint32_t index, Path& p) {
  Hit hit = nextHit(index, p);
  ShadowRay shadow = {};
  bool alive = advancePath(p, hit, [&](const ShadowRay& ray) { shadow = ray; });
  if (shadow.tMax > 0.0f) {
    countRay(COUNTER_SHADOW_RAYS);
    if (reachesLight(shadow, [&](float3 T) { shadow.contribution *= T; })) p.Lo += shadow.contribution;
  }
  if (alive) countAlive(p.depth);
  return alive;
}

// One path per pixel.
KERNEL(trace_paths, 128, 5, megakernel) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  while (bounce(index, p)) {
  }
  accumulate(y * frame.film.width + x, p.Lo);
}

// beginNext begins the path of the next pixel. False when none is left.
DEVICE bool beginNext(Fetch<THREADS_regenerate_paths>& fetch, uint32_t* index, uint32_t* pixel, Path* p) {
  uint32_t x, y;
  do {
    *index = fetchIndex(fetch);
    if (*index >= frame.film.tiledPixels) return false;
  } while (!pixelOf(*index, frame.film.width, frame.film.height, &x, &y));
  *pixel = y * frame.film.width + x;
  *p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  return true;
}

// A thread whose path has ended begins that of another pixel, so that none waits for the longest (regeneration: Novák,
// Havran and Dachsbacher 2010).
RAY_KERNEL(regenerate_paths, 128, 5, megakernel) {
  Path p;
  uint32_t index, pixel;
  for (bool alive = false;;) {
    if (!alive && !beginNext(fetch, &index, &pixel, &p)) return;
    alive = bounce(index, p);
    if (!alive) accumulate(pixel, p.Lo);
  }
}
