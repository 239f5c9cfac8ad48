// One ray through the 8-wide tree, unpacked, for builds that test eight boxes at once. The nearest child comes first.
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

// enter goes on to the nearest child that the ray meets and pushes the others, the nearer ones on top; false when it
// meets none.
DEVICE bool enter(const WideSlabs& ray, const SpreadNode& n, uint32_t* reference, Waiting** top) {
  alignas(32) float near[8];
  uint32_t met = boxes8(ray, n, near);
  if (met == 0) return false;
  uint32_t slot = __builtin_ctz(met);
  met &= met - 1;
  *reference = n.child[slot];
  if (met == 0) {
    KEEP_BRANCH();
    return true;
  }
  Waiting* bottom = *top;
  *(*top)++ = {near[slot], *reference};
  for (; met != 0; met &= met - 1) {
    slot = __builtin_ctz(met);
    Waiting* place = (*top)++;
    for (; place > bottom && place[-1].near < near[slot]; place--) *place = place[-1];
    *place = {near[slot], n.child[slot]};
  }
  *reference = (--*top)->reference;
  return true;
}

// hitSlot is hitLeaf for the leaves of the wide tree, two or three triangles at once.
template <bool anyHit, typename AlphaSeed>
DEVICE bool hitSlot(const Triangle* triangles, uint32_t leaf, float3 origin, float3 direction,
                    const AlphaSeed& alphaSeed, Closest* best) {
  if (leafRest(leaf) == 0) return hitLeaf<anyHit>(triangles, leaf, origin, direction, alphaSeed, best);
  uint32_t first = leaf & FIRST_MASK;
  Meeting m;
  uint32_t met =
      triangles4(triangles + first, leafRest(leaf) + 1, origin, direction, best->t, EDGE_TOLERANCE, EDGE_LIMIT, &m);
  for (; met != 0; met &= met - 1) {
    uint32_t k = __builtin_ctz(met), i = first + k;
    Closest hit;
    if (!beats(m.t[k], m.u[k], m.v[k], i + 1, *best, &hit)) continue;
    if (triangles[i].material & ALPHA_BIT && !alphaPasses(i, hit.u, hit.v, alphaSeed())) continue;
    *best = hit;
    if (anyHit) return true;
  }
  return false;
}

template <bool anyHit, typename AlphaSeed>
DEVICE Closest traverseWide(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed) {
  Closest best = closestNone(tMax);
  if (frame.nodeCount == 0) return best;
  const SpreadNode* nodes = pointer<const SpreadNode>(frame.spreadNodes);
  const Triangle* triangles = pointer<const Triangle>(frame.triangles);
  WideSlabs ray = wideSlabs(origin, direction, tMax);
  Waiting stack[7 * WIDE_DEPTH + 1];
  Waiting* top = stack;
  for (uint32_t reference = 0;;) {
    if (!(reference & LEAF_BIT)) {
      if (enter(ray, nodes[reference], &reference, &top)) continue;
    } else if (reference != EMPTY_CHILD) {
      if (hitSlot<anyHit>(triangles, reference, origin, direction, alphaSeed, &best)) return best;
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
