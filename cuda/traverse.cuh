// Rays against the tree: the closest hit, and whether anything is hit at all.
#pragma once

#include "alpha.cuh"

// A path from the root visits at most so many nodes (MaxDepth of the builder), and leaves one sibling at each.
DEVICE_TABLE uint32_t STACK_SIZE = 64;

// The first triangle of a leaf reference.
DEVICE_TABLE uint32_t FIRST_MASK = 0x07ffffff;

// A ray that misses a triangle by no more than this fraction of the distance hits it, so that rounding opens no gap
// between two triangles that share an edge. In barycentrics that grows as the triangle is seen edge-on, up to a limit.
DEVICE_TABLE float EDGE_TOLERANCE = 4e-7f;
DEVICE_TABLE float EDGE_LIMIT = 1e-2f;

DEVICE float absSum(float3 a) { return absf(a.x) + absf(a.y) + absf(a.z); }

// intersect is the test of Möller and Trumbore (1997), with barycentrics clamped into the triangle. Comparisons are
// written so that NaN, from triangles without area, misses.
DEVICE bool intersect(const Triangle& triangle, float3 origin, float3 direction, float tMax, Hit* hit) {
  float3 p = cross(direction, triangle.e2);
  float inverse = 1.0f / dot(triangle.e1, p);
  float3 s = origin - triangle.v0;
  float3 q = cross(s, triangle.e1);
  float u = dot(s, p) * inverse;
  float v = dot(direction, q) * inverse;
  float t = dot(triangle.e2, q) * inverse;
  float rounding = EDGE_TOLERANCE * absSum(s) * maxf(absSum(triangle.e1), absSum(triangle.e2)) * absf(inverse);
  float edge = minf(rounding, EDGE_LIMIT);
  // One branch for all the conditions: each alone is a coin toss that the processor would guess wrong.
  bool inside = (u >= -edge) & (v >= -edge) & (u + v <= 1.0f + edge);
  if (!(inside & (t > 0.0f) & (t < tMax))) return false;
  hit->t = t;
  hit->u = saturate(u);
  hit->v = clampf(v, 0.0f, 1.0f - hit->u);
  return true;
}

// hitLeaf shortens the hit to the closest triangle of a leaf. With anyHit, the first one ends the search and is true.
template <bool anyHit>
DEVICE bool hitLeaf(const Triangle* triangles, uint32_t leaf, float3 origin, float3 direction, uint32_t alphaSeed,
                    Hit* hit) {
  uint32_t first = leaf & FIRST_MASK;
  uint32_t last = first + (leaf >> 27 & 15u);
  for (uint32_t i = first; i <= last; i++) {
    Hit candidate;
    if (!intersect(triangles[i], origin, direction, hit->t, &candidate)) continue;
    if (triangles[i].material & ALPHA_BIT && !alphaPasses(i, candidate.u, candidate.v, alphaSeed)) continue;
    candidate.triangle = i;
    *hit = candidate;
    if (anyHit) return true;
  }
  return false;
}

// descend turns the reference into that of the child that the ray enters first, and pushes the other when the ray
// enters both; false when it enters neither.
DEVICE bool descend(const SlabRay& ray, const BvhNode& node, uint32_t* reference, uint32_t** top) {
  float near0, near1;
  uint32_t met = boxes2(ray, node, &near0, &near1);
  if (met == 0) return false;
  if (met == 3) {
    if (near1 < near0) {
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

// traverse walks the tree, the nearer child first.
template <bool anyHit>
DEVICE Hit traverse(float3 origin, float3 direction, float tMax, uint32_t alphaSeed) {
  Hit hit = {tMax, 0.0f, 0.0f, NO_HIT};
  if (frame.nodeCount == 0) return hit;
  const BvhNode* nodes = pointer<const BvhNode>(frame.nodes);
  const Triangle* triangles = pointer<const Triangle>(frame.triangles);
  SlabRay ray = slabRay(origin, direction, tMax);
  uint32_t stack[STACK_SIZE];
  uint32_t* top = stack;
  uint32_t reference = 0;
  for (;;) {
    if (reference & LEAF_BIT) {
      if (hitLeaf<anyHit>(triangles, reference, origin, direction, alphaSeed, &hit)) return hit;
      limit(ray, hit.t);
    } else if (descend(ray, nodes[reference], &reference, &top)) {
      continue;
    }
    if (top == stack) return hit;
    reference = *--top;
  }
}

// traceClosest finds the first triangle that stops the ray at 0 < t < tMax; NO_HIT and t = tMax when there is none.
DEVICE_CALL Hit traceClosest(float3 origin, float3 direction, float tMax, uint32_t alphaSeed) {
  return traverse<false>(origin, direction, tMax, alphaSeed);
}

// traceAny is true when some triangle stops the ray at 0 < t < tMax.
DEVICE_CALL bool traceAny(float3 origin, float3 direction, float tMax, uint32_t alphaSeed) {
  return traverse<true>(origin, direction, tMax, alphaSeed).triangle != NO_HIT;
}
