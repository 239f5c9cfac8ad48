// Rays against the scene: the closest hit, and whether anything is hit at all. One ray at a time, for kernels that do more
// than trace; traverse_queue.cuh is for many.
#pragma once

#include "traverse_binary.cuh"
#include "traverse_wide.cuh"

// traverse takes the tree that suits this build best.
template <bool anyHit, typename AlphaSeed>
DEVICE Closest traverse(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed) {
#ifdef EIGHT_BOXES
  return traverseWide<anyHit>(origin, direction, tMax, alphaSeed);
#else
  return traverseBinary<anyHit>(origin, direction, tMax, alphaSeed);
#endif
}

// traceClosest finds the first triangle that stops the ray at 0 < t < tMax; NO_HIT and t = tMax when there is none.
DEVICE_CALL Hit traceClosest(float3 origin, float3 direction, float tMax, uint32_t alphaSeed) {
  return toHit(traverse<false>(origin, direction, tMax, [=] { return alphaSeed; }));
}

// traceAny is true when some triangle stops the ray at 0 < t < tMax.
DEVICE_CALL bool traceAny(float3 origin, float3 direction, float tMax, uint32_t alphaSeed) {
  return traverse<true>(origin, direction, tMax, [=] { return alphaSeed; }).rank != 0;
}

// traceFirst is traceClosest for rays that stay together, through the tree that suits these best.
DEVICE Hit traceFirst(const RayQuery& ray, uint32_t alphaSeed) {
#ifdef EIGHT_BOXES
  return traceClosest(ray.origin, ray.direction, ray.tMax, alphaSeed);
#else
  return toHit(traverseBinary<false>(ray.origin, ray.direction, ray.tMax, [=] { return alphaSeed; }));
#endif
}
