// Rays in, hits out: picking, and the ray kernels' tests and benchmark.
#pragma once

#include "bvh/queue.cuh"

// RayBuffer is the source of rays that lie in memory.
struct RayBuffer {
  DEVICE_METHOD uint32_t count() const { return frame.rays.count; }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* q) const {
    Ray r = load(pointer<const Ray>(frame.rays.rays) + index);
    *q = {r.origin, r.direction, r.tMax};
    return true;
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const { return index; }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const { pointer<Hit>(frame.rays.hits)[index] = hit; }
};

struct ShadowRayBuffer : RayBuffer {
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    pointer<Hit>(frame.rays.hits)[index] = {0.0f, 0.0f, 0.0f, hit.triangle == NO_HIT ? NO_HIT : 0u};
  }
};

// One ray per thread through the binary tree: best for coherent rays.
template <bool anyHit>
DEVICE Closest traceBinary(uint32_t index) {
  Ray r = load(pointer<const Ray>(frame.rays.rays) + index);
  return traverseBinary<anyHit>(
      r.origin, r.direction, r.tMax, [=] { return index; }, NoCulling());
}

KERNEL(trace_rays_closest, 128, 10, tool) {
  if (index < frame.rays.count) RayBuffer().end(index, toHit(traceBinary<false>(index)));
}

KERNEL(trace_rays_any, 128, 1, tool) {
  if (index < frame.rays.count) ShadowRayBuffer().end(index, toHit(traceBinary<true>(index)));
}

// A queue of rays through the tree that suits the build best: best for incoherent rays.
RAY_KERNEL(queue_rays_closest, 128, 7, tool) { traceQueue<false>(RayBuffer(), fetch); }
RAY_KERNEL(queue_rays_any, 128, 7, tool) { traceQueue<true>(ShadowRayBuffer(), fetch); }
