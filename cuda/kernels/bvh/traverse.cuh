// Rays against the scene: the closest hit, and whether anything is hit at all. One ray at a time, for kernels that do more
// than trace; queue.cuh is for many.
#pragma once

#include "bvh/triangle.cuh"

// --- The binary tree ------------------------------------------------------------------------------------------------

// A path from the root visits at most so many nodes (MaxDepth of the builder), and leaves one sibling at each.
DEVICE_TABLE uint32_t STACK_SIZE = 64;

// descend turns the reference into that of the child that the ray enters first, and pushes the other when the ray
// enters both; false when it enters neither.
DEVICE bool descend(const SlabRay& ray, const BvhNode& node, uint32_t* reference, uint32_t** top) {
  bool secondFirst;
  uint32_t met = boxes2(ray, node, &secondFirst);
  if (met == 0) return false;
  if (met == 3) {
    if (secondFirst) {
      KEEP_BRANCH();
      *(*top)++ = node.child[0];
      *reference = node.child[1];
    } else {
      KEEP_BRANCH();
      *(*top)++ = node.child[1];
      *reference = node.child[0];
    }
  } else if (met == 1) {
    KEEP_BRANCH();
    *reference = node.child[0];
  } else {
    KEEP_BRANCH();
    *reference = node.child[1];
  }
  return true;
}

// walkBinary walks a tree, the nearer child first, and keeps the best hit; true when it was the first of any.
template <bool anyHit, typename AlphaSeed>
DEVICE bool walkBinary(const BvhNode* nodes, const Leaves& leaves, float3 origin, float3 direction,
                       const AlphaSeed& alphaSeed, Closest* best) {
  SlabRay ray = slabRay(origin, direction, best->t);
  uint32_t stack[STACK_SIZE];
  uint32_t* top = stack;
  uint32_t reference = 0;
  for (;;) {
    if (reference & LEAF_BIT) {
      if (hitLeaf<anyHit>(leaves, reference, origin, direction, alphaSeed, best)) return true;
      limit(ray, best->t);
    } else if (descend(ray, loadNode(nodes + reference), &reference, &top)) {
      continue;
    }
    if (top == stack) return false;
    reference = *--top;
  }
}

// --- Two levels -----------------------------------------------------------------------------------------------------
// A tree over instances and what is baked, and in each the tree of its mesh. A ray is not made unit when it
// crosses into a mesh's space, so that distances stay comparable.

// Crossing is a ray in the space of what it enters.
struct Crossing {
  const Instance* in;   // nullptr: what is baked
  float3 origin, direction;
  Leaves leaves;
};

// crossInto takes a ray of the world into what a place in the leaves of the upper tree names.
DEVICE Crossing crossInto(uint32_t place, float3 origin, float3 direction) {
  uint32_t which = pointer<const uint32_t>(frame.scene.upperOrder)[place];
  if (which == BAKED) return {nullptr, origin, direction, bakedLeaves()};
  const Instance& in = instanceAt(which);
  float3 inside = transformVector(in.toMesh, direction);
  return {&in, transformPoint(in.toMesh, origin), inside, instanceLeaves(in, inside)};
}

// walkUpper has `walk` go through all that the ray may meet before best->t, until that is true.
template <typename Walk>
DEVICE void walkUpper(float3 origin, float3 direction, const Closest* best, const Walk& walk) {
  const BvhNode* nodes = pointer<const BvhNode>(frame.scene.upperNodes);
  SlabRay ray = slabRay(origin, direction, best->t);
  uint32_t stack[STACK_SIZE];
  uint32_t* top = stack;
  uint32_t reference = 0;
  for (;;) {
    if (reference & LEAF_BIT) {
      uint32_t first = reference & FIRST_MASK, last = first + leafRest(reference);
      for (uint32_t i = first; i <= last; i++) {
        if (walk(crossInto(i, origin, direction))) return;
      }
      limit(ray, best->t);
    } else if (descend(ray, loadNode(nodes + reference), &reference, &top)) {
      continue;
    }
    if (top == stack) return;
    reference = *--top;
  }
}

// --- The wide tree --------------------------------------------------------------------------------------------------
// The 8-wide tree, unpacked, for builds that test eight boxes at once. The nearest child comes first.

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

// --- Tracing --------------------------------------------------------------------------------------------------------

template <bool anyHit, typename AlphaSeed>
DEVICE Closest traverseBinary(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed) {
  Closest best = closestNone(tMax);
  if (twoLevels()) {
    walkUpper(origin, direction, &best, [&](const Crossing& c) {
      return walkBinary<anyHit>(pointer<const BvhNode>(c.in ? c.in->nodes : frame.scene.nodes), c.leaves, c.origin,
                                c.direction, alphaSeed, &best);
    });
  } else if (frame.scene.nodeCount != 0) {
    walkBinary<anyHit>(pointer<const BvhNode>(frame.scene.nodes), bakedLeaves(), origin, direction, alphaSeed, &best);
  }
  return best;
}

#ifdef EIGHT_BOXES
template <bool anyHit, typename AlphaSeed>
DEVICE Closest traverseWide(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed) {
  Closest best = closestNone(tMax);
  if (twoLevels()) {
    walkUpper(origin, direction, &best, [&](const Crossing& c) {
      return walkWide<anyHit>(pointer<const SpreadNode>(c.in ? c.in->spreadNodes : frame.scene.spreadNodes), c.leaves,
                              c.origin, c.direction, alphaSeed, &best);
    });
  } else if (frame.scene.nodeCount != 0) {
    walkWide<anyHit>(pointer<const SpreadNode>(frame.scene.spreadNodes), bakedLeaves(), origin, direction, alphaSeed,
                     &best);
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
