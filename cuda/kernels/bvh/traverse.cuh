// Rays against the scene: the closest hit, and whether anything is hit at all. One ray at a time, for kernels that do
// more than trace; queue.cuh traces many.
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

// walkBinary traverses a BVH, the nearer child first, and keeps the closest hit; with anyHit it stops at the first one
// and returns true.
template <bool anyHit, typename AlphaSeed, typename Culling>
DEVICE bool walkBinary(const BvhNode* nodes, const Leaves& leaves, float3 origin, float3 direction,
                       const AlphaSeed& alphaSeed, const Culling& culling, Closest* best) {
  SlabRay ray = slabRay(origin, direction, best->t);
  uint32_t stack[STACK_SIZE];
  uint32_t* top = stack;
  uint32_t reference = 0;
  for (;;) {
    if (reference & LEAF_BIT) {
      if (hitLeaf<anyHit>(leaves, reference, origin, direction, alphaSeed, culling, best)) return true;
      limit(ray, best->t);
    } else if (descend(ray, loadNode(nodes + reference), &reference, &top)) {
      continue;
    }
    if (top == stack) return false;
    reference = *--top;
  }
}

// --- Two levels: TLAS and BLAS --------------------------------------------------------------------------------------
// A TLAS over the instances and the static geometry, and the BVH of each. Ray directions are not normalised when they
// are transformed into a mesh's space, so that distances stay comparable.

// BlasRay is a ray in the space of the BVH that it enters.
struct BlasRay {
  const Instance* in;   // nullptr: the static geometry
  float3 origin, direction;
  Leaves leaves;
};

// enterBlas transforms a ray of the world for an entry of the TLAS's leaves.
DEVICE BlasRay enterBlas(uint32_t place, float3 origin, float3 direction) {
  uint32_t which = pointer<const uint32_t>(frame.scene.tlasOrder)[place];
  if (which == STATIC_GEOMETRY) return {nullptr, origin, direction, staticLeaves()};
  const Instance& in = instanceAt(which);
  float3 inside = transformVector(in.toMesh, direction);
  return {&in, transformPoint(in.toMesh, origin), inside, instanceLeaves(in, inside)};
}

// traverseTlas calls `walk` for everything that the ray may hit before best->t, until it returns true.
template <typename Walk>
DEVICE void traverseTlas(float3 origin, float3 direction, const Closest* best, const Walk& walk) {
  const BvhNode* nodes = pointer<const BvhNode>(frame.scene.tlasNodes);
  SlabRay ray = slabRay(origin, direction, best->t);
  uint32_t stack[STACK_SIZE];
  uint32_t* top = stack;
  uint32_t reference = 0;
  for (;;) {
    if (reference & LEAF_BIT) {
      uint32_t first = reference & FIRST_MASK, last = first + leafRest(reference);
      for (uint32_t i = first; i <= last; i++) {
        if (walk(enterBlas(i, origin, direction))) return;
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
// StackEntry is a child to be visited later.
struct StackEntry {
  float near;           // where it enters [m]
  uint32_t reference;   // as in BvhNode
};

// enterNearest continues with the nearest child that the ray hits and pushes the others, nearer ones on top; false when
// it hits none.
DEVICE bool enterNearest(const WideSlabs& ray, const SpreadNode& n, uint32_t* reference, StackEntry** top) {
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
  StackEntry* bottom = *top;
  *(*top)++ = {near[slot], *reference};
  for (; met != 0; met &= met - 1) {
    slot = __builtin_ctz(met);
    StackEntry* place = (*top)++;
    for (; place > bottom && place[-1].near < near[slot]; place--) *place = place[-1];
    *place = {near[slot], n.child[slot]};
  }
  *reference = (--*top)->reference;
  return true;
}

// hitSlot is hitLeaf for the leaves of the wide tree, two or three triangles at once.
template <bool anyHit, typename AlphaSeed, typename Culling>
DEVICE bool hitSlot(const Leaves& leaves, uint32_t leaf, float3 origin, float3 direction, const AlphaSeed& alphaSeed,
                    const Culling& culling, Closest* best) {
  if (leafRest(leaf) == 0) return hitLeaf<anyHit>(leaves, leaf, origin, direction, alphaSeed, culling, best);
  uint32_t first = leaf & FIRST_MASK;
  const Triangle* triangles = leaves.triangles + first;
  Intersection4 m;
  uint32_t met =
      triangles4(triangles, leafRest(leaf) + 1, origin, direction, best->t, leaves.tolerance, EDGE_LIMIT, &m);
  for (; met != 0; met &= met - 1) {
    uint32_t k = __builtin_ctz(met);
    Closest hit;
    if (!isCloser(m.t[k], m.u[k], m.v[k], leaves.firstId + first + k + 1, *best, &hit)) continue;
    if (culling.culls(hit.rank - 1)) continue;
    const Triangle& t = triangles[k];
    if (t.material & ALPHA_BIT &&
        !alphaPasses(t.material, t.face, hit.u, hit.v, seedOfCopy(alphaSeed(), leaves.firstId)))
      continue;
    *best = hit;
    if (anyHit) return true;
  }
  return false;
}

// walkWide is walkBinary for the wide tree.
template <bool anyHit, typename AlphaSeed, typename Culling>
DEVICE bool walkWide(const SpreadNode* nodes, const Leaves& leaves, float3 origin, float3 direction,
                     const AlphaSeed& alphaSeed, const Culling& culling, Closest* best) {
  WideSlabs ray = wideSlabs(origin, direction, best->t);
  StackEntry stack[7 * WIDE_DEPTH + 1];
  StackEntry* top = stack;
  for (uint32_t reference = 0;;) {
    if (!(reference & LEAF_BIT)) {
      if (enterNearest(ray, nodes[reference], &reference, &top)) continue;
    } else if (reference != EMPTY_CHILD) {
      if (hitSlot<anyHit>(leaves, reference, origin, direction, alphaSeed, culling, best)) return true;
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

template <bool anyHit, typename AlphaSeed, typename Culling>
DEVICE Closest traverseBinary(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed,
                              const Culling& culling) {
  Closest best = closestNone(tMax);
  if (twoLevels()) {
    traverseTlas(origin, direction, &best, [&](const BlasRay& c) {
      return walkBinary<anyHit>(pointer<const BvhNode>(c.in ? c.in->nodes : frame.scene.nodes), c.leaves, c.origin,
                                c.direction, alphaSeed, culling, &best);
    });
  } else if (frame.scene.nodeCount != 0) {
    walkBinary<anyHit>(pointer<const BvhNode>(frame.scene.nodes), staticLeaves(), origin, direction, alphaSeed, culling,
                       &best);
  }
  return best;
}

#ifdef EIGHT_BOXES
template <bool anyHit, typename AlphaSeed, typename Culling>
DEVICE Closest traverseWide(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed,
                            const Culling& culling) {
  Closest best = closestNone(tMax);
  if (twoLevels()) {
    traverseTlas(origin, direction, &best, [&](const BlasRay& c) {
      return walkWide<anyHit>(pointer<const SpreadNode>(c.in ? c.in->spreadNodes : frame.scene.spreadNodes), c.leaves,
                              c.origin, c.direction, alphaSeed, culling, &best);
    });
  } else if (frame.scene.nodeCount != 0) {
    walkWide<anyHit>(pointer<const SpreadNode>(frame.scene.spreadNodes), staticLeaves(), origin, direction, alphaSeed,
                     culling, &best);
  }
  return best;
}
#endif

// traverse uses the tree that suits this build best.
template <bool anyHit, typename AlphaSeed, typename Culling>
DEVICE Closest traverse(float3 origin, float3 direction, float tMax, const AlphaSeed& alphaSeed,
                        const Culling& culling) {
#ifdef EIGHT_BOXES
  return traverseWide<anyHit>(origin, direction, tMax, alphaSeed, culling);
#else
  return traverseBinary<anyHit>(origin, direction, tMax, alphaSeed, culling);
#endif
}

// traceClosest finds the first triangle that stops the ray at 0 < t < tMax; NO_HIT and t = tMax when there is none. With
// cullsBacks it passes the backs of single-sided surfaces.
DEVICE_CALL Hit traceClosest(float3 origin, float3 direction, float tMax, uint32_t alphaSeed, bool cullsBacks = false) {
  return toHit(traverse<false>(
      origin, direction, tMax, [=] { return alphaSeed; }, BackfaceCulling{cullsBacks, direction}));
}

// traceAny is true when some triangle stops the ray at 0 < t < tMax.
DEVICE_CALL bool traceAny(float3 origin, float3 direction, float tMax, uint32_t alphaSeed) {
  return traverse<true>(
             origin, direction, tMax, [=] { return alphaSeed; }, NoCulling())
             .rank != 0;
}

// traceFirst is traceClosest for coherent rays, through the tree that suits these best.
DEVICE Hit traceFirst(const RayQuery& ray, uint32_t alphaSeed, bool cullsBacks) {
#ifdef EIGHT_BOXES
  return traceClosest(ray.origin, ray.direction, ray.tMax, alphaSeed, cullsBacks);
#else
  return toHit(traverseBinary<false>(
      ray.origin, ray.direction, ray.tMax, [=] { return alphaSeed; }, BackfaceCulling{cullsBacks, ray.direction}));
#endif
}
