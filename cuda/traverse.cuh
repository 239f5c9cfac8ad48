// Rays against the scene: the closest hit, and whether anything is hit at all. One ray at a time, for kernels that do more
// than trace; traverse_queue.cuh is for many.
#pragma once

#include "traverse_upper.cuh"
#include "traverse_wide.cuh"

template <bool anyHit, typename AlphaSeed>
DEVICE Closest traverseBinary(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed) {
  Closest best = closestNone(tMax);
  if (twoLevels()) {
    walkUpper(origin, direction, &best, [&](const Crossing& c) {
      return walkBinary<anyHit>(pointer<const BvhNode>(c.in ? c.in->nodes : frame.nodes), c.leaves, c.origin,
                                c.direction, alphaSeed, &best);
    });
  } else if (frame.nodeCount != 0) {
    walkBinary<anyHit>(pointer<const BvhNode>(frame.nodes), bakedLeaves(), origin, direction, alphaSeed, &best);
  }
  return best;
}

#ifdef EIGHT_BOXES
template <bool anyHit, typename AlphaSeed>
DEVICE Closest traverseWide(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed) {
  Closest best = closestNone(tMax);
  if (twoLevels()) {
    walkUpper(origin, direction, &best, [&](const Crossing& c) {
      return walkWide<anyHit>(pointer<const SpreadNode>(c.in ? c.in->spreadNodes : frame.spreadNodes), c.leaves,
                              c.origin, c.direction, alphaSeed, &best);
    });
  } else if (frame.nodeCount != 0) {
    walkWide<anyHit>(pointer<const SpreadNode>(frame.spreadNodes), bakedLeaves(), origin, direction, alphaSeed, &best);
  }
  return best;
}
#endif

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
