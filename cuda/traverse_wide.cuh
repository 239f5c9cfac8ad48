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
DEVICE bool hitSlot(const Leaves& leaves, uint32_t leaf, float3 origin, float3 direction, const AlphaSeed& alphaSeed,
                    Closest* best) {
  if (leafRest(leaf) == 0) return hitLeaf<anyHit>(leaves, leaf, origin, direction, alphaSeed, best);
  uint32_t first = leaf & FIRST_MASK;
  const Triangle* triangles = leaves.triangles + first;
  Meeting m;
  uint32_t met =
      triangles4(triangles, leafRest(leaf) + 1, origin, direction, best->t, leaves.tolerance, EDGE_LIMIT, &m);
  for (; met != 0; met &= met - 1) {
    uint32_t k = __builtin_ctz(met);
    Closest hit;
    if (!beats(m.t[k], m.u[k], m.v[k], leaves.firstId + first + k + 1, *best, &hit)) continue;
    const Triangle& t = triangles[k];
    if (t.material & ALPHA_BIT && !alphaPasses(t.material, t.face, hit.u, hit.v, alphaSeed() + leaves.firstId))
      continue;
    *best = hit;
    if (anyHit) return true;
  }
  return false;
}

// walkWide is walkBinary for the wide tree.
template <bool anyHit, typename AlphaSeed>
DEVICE bool walkWide(const SpreadNode* nodes, const Leaves& leaves, float3 origin, float3 direction,
                     const AlphaSeed& alphaSeed, Closest* best) {
  WideSlabs ray = wideSlabs(origin, direction, best->t);
  Waiting stack[7 * WIDE_DEPTH + 1];
  Waiting* top = stack;
  for (uint32_t reference = 0;;) {
    if (!(reference & LEAF_BIT)) {
      if (enter(ray, nodes[reference], &reference, &top)) continue;
    } else if (reference != EMPTY_CHILD) {
      if (hitSlot<anyHit>(leaves, reference, origin, direction, alphaSeed, best)) return true;
      limit(ray, best->t);
    }
    do {
      if (top == stack) return false;
      top--;
    } while (top->near > ray.reach);
    reference = top->reference;
  }
}
#endif
