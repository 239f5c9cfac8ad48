// Rays in, hits out: picking, and the ray kernels' tests and benchmark.
#pragma once

#include "traverse.cuh"

KERNEL(trace_rays_closest) {
  if (index >= frame.rayCount) return;
  Ray r = pointer<const Ray>(frame.rays)[index];
  pointer<Hit>(frame.hits)[index] = traceClosest(r.origin, r.direction, r.tMax, index);
}

KERNEL(trace_rays_any) {
  if (index >= frame.rayCount) return;
  Ray r = pointer<const Ray>(frame.rays)[index];
  bool blocked = traceAny(r.origin, r.direction, r.tMax, index);
  pointer<Hit>(frame.hits)[index] = {r.tMax, 0.0f, 0.0f, blocked ? 0u : NO_HIT};
}
