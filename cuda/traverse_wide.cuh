// One ray through the 8-wide tree, for builds that test eight boxes at once. The nearest child comes first.
#pragma once

#include "traverse_triangle.cuh"

// Depth of the wide tree (wideMaxDepth of the builder): at each node the ray leaves at most seven siblings behind.
DEVICE_TABLE uint32_t WIDE_DEPTH = 24;

#ifdef EIGHT_BOXES
// Waiting is a child that the ray enters, to be visited later.
struct Waiting {
  float near;           // where it enters [m]
  uint32_t reference;   // as in BvhNode
};

// slotReference names what a slot holds in the way of a binary node. False for an empty slot.
DEVICE uint32_t slotReference(const WideNode& n, uint32_t slot) {
  uint32_t nodes = n.grid >> 24;
  if (nodes >> slot & 1u) return n.childBase + bitCount(nodes & ~(~0u << slot));
  uint32_t meta = ((const uint8_t*)n.meta)[slot];
  if (meta == 0) return EMPTY_CHILD;
  uint32_t rest = meta >> 6;   // 0, 1 or 3 for one to three triangles
  return LEAF_BIT | (rest - (rest >> 1)) << 27 | (n.triangleBase + (meta & 31u));
}

// enter pushes the children that the ray meets, the nearest on top.
DEVICE Waiting* enter(const WideSlabs& ray, const WideNode& n, Waiting* top) {
  alignas(32) float near[8];
  Waiting* bottom = top;
  for (uint32_t met = boxes8(ray, n, near); met != 0; met &= met - 1) {
    uint32_t slot = __builtin_ctz(met), reference = slotReference(n, slot);
    if (reference == EMPTY_CHILD) continue;
    Waiting* place = top++;
    for (; place > bottom && place[-1].near < near[slot]; place--) *place = place[-1];
    *place = {near[slot], reference};
  }
  return top;
}

template <bool anyHit, typename AlphaSeed>
DEVICE Closest traverseWide(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed) {
  Closest best = closestNone(tMax);
  if (frame.nodeCount == 0) return best;
  const WideNode* nodes = pointer<const WideNode>(frame.wideNodes);
  const Triangle* triangles = pointer<const Triangle>(frame.triangles);
  WideSlabs ray = wideSlabs(origin, direction, tMax);
  Waiting stack[7 * WIDE_DEPTH + 1];
  Waiting* top = stack;
  for (uint32_t reference = 0;;) {
    if (!(reference & LEAF_BIT)) {
      top = enter(ray, nodes[reference], top);
    } else {
      if (hitLeaf<anyHit>(triangles, reference, origin, direction, alphaSeed, &best)) return best;
      limit(ray, best.t);
    }
    do {
      if (top == stack) return best;
      top--;
    } while (top->near > ray.reach);
    reference = top->reference;
  }
}
#endif
