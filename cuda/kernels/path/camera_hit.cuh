// What a camera ray sees: with FRAME_CULL it passes the backs of single-sided surfaces, as glTF 2.0 asks of doubleSided
// (§3.9.6). Other rays meet both sides.
#pragma once

#include "bvh/traverse.cuh"

// camerasCull tells whether camera rays pass backs.
DEVICE bool camerasCull() { return (frame.sampling.flags & FRAME_CULL) != 0; }

// cameraHit is the hit of a camera ray that is traced alone.
DEVICE Hit cameraHit(float3 origin, float3 direction, uint32_t seed) {
  return traceClosest(origin, direction, INFINITE, seed, camerasCull());
}

// Picking: what camera rays in memory see.
KERNEL(trace_camera_rays, 32, 1, tool) {
  if (index >= frame.rays.count) return;
  const Ray r = load(pointer<const Ray>(frame.rays.rays) + index);
  pointer<Hit>(frame.rays.hits)[index] = cameraHit(r.origin, r.direction, index);
}
