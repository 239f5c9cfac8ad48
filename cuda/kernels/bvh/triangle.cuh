// A ray against a triangle, and which of two hits counts.
#pragma once

#include "scene/texture.cuh"
#include "scene/instance.cuh"

struct RayQuery {
  float3 origin;      // [m]
  float3 direction;   // unit
  float tMax;         // [m]
};

// A ray that misses a triangle by no more than this fraction of the distance hits it, so that rounding opens no gap
// between two triangles that share an edge. In barycentrics that grows as the triangle is seen edge-on, up to a limit.
DEVICE_TABLE float EDGE_TOLERANCE = 4e-7f;
DEVICE_TABLE float EDGE_LIMIT = 1e-2f;

// How much farther such a hit counts, in steps of rounding; less than SLAB_ULPS.
DEVICE_TABLE uint32_t EDGE_ULPS = 12;

// Leaves are the triangles that the leaves of a BVH refer to.
struct Leaves {
  const Triangle* triangles;
  uint32_t firstId;   // of the first triangle
  float tolerance;    // EDGE_TOLERANCE for a unit direction; more for a longer one
};

DEVICE Leaves staticLeaves() { return {pointer<const Triangle>(frame.scene.triangles), 0u, EDGE_TOLERANCE}; }
DEVICE Leaves instanceLeaves(const Instance& in, float3 direction) {
  return {pointer<const Triangle>(in.triangles), in.first, EDGE_TOLERANCE * length(direction)};
}

DEVICE float absSum(float3 a) { return absf(a.x) + absf(a.y) + absf(a.z); }

// Closest is the best hit so far. rank is the triangle's id + 1, so that none is 0 and yields to nothing as far as tMax.
struct Closest {
  float t;   // [m]
  float u, v;
  uint32_t rank;
};

DEVICE Closest closestNone(float tMax) { return {tMax, 0.0f, 0.0f, 0u}; }
DEVICE Hit toHit(const Closest& c) { return {c.t, c.u, c.v, c.rank - 1u}; }
static_assert(NO_HIT == 0u - 1u, "rank 0 becomes no hit");

// precedes decides which of two hits at the same distance counts: that of the lower face, so that every tree gives the same
// answer; of two copies of a face that of the lower triangle. Such hits are rare, so the faces are fetched only here.
DEVICE bool precedes(uint32_t rank, uint32_t best) {
  if (best == 0) return false;
  uint32_t face = triangleOf(rank - 1)->face, other = triangleOf(best - 1)->face;
  return face < other || (face == other && rank < best);
}

// isCloser tells whether a hit replaces the best so far, and fills it in. A hit that only the tolerance lets in counts
// as a little farther, t included: beyond its triangle it may be outside of the box too, where one tree looks and
// another does not, but the neighbouring triangle is found by all.
DEVICE bool isCloser(float t, float u, float v, uint32_t rank, const Closest& best, Closest* hit) {
  bool within = (u >= 0.0f) & (v >= 0.0f) & (u + v <= 1.0f);
  float counted = within ? t : bitsFloat(floatBits(t) + EDGE_ULPS);
  if (!(counted < best.t || (counted == best.t && precedes(rank, best.rank)))) return false;
  u = saturate(u);
  *hit = {counted, u, clampf(v, 0.0f, 1.0f - u), rank};
  return true;
}

// intersect is the test of Möller and Trumbore (1997), with barycentrics clamped into the triangle. Comparisons are
// written so that NaN, from triangles without area, misses. True when the hit takes the place of the best so far.
DEVICE bool intersect(const Triangle& triangle, uint32_t rank, float tolerance, float3 origin, float3 direction,
                      const Closest& best, Closest* hit) {
  float3 p = cross(direction, triangle.e2);
  float inverse = exactInverse(dot(triangle.e1, p));
  float3 s = origin - triangle.v0;
  float3 q = cross(s, triangle.e1);
  float u = dot(s, p) * inverse;
  float v = dot(direction, q) * inverse;
  float t = dot(triangle.e2, q) * inverse;
  float rounding = tolerance * absSum(s) * maxf(absSum(triangle.e1), absSum(triangle.e2)) * absf(inverse);
  float edge = minf(rounding, EDGE_LIMIT);
  // One branch for all the conditions: each alone is a coin toss that the processor would guess wrong.
  bool inside = (u >= -edge) & (v >= -edge) & (u + v <= 1.0f + edge);
  if (!(inside & (t > 0.0f) & (t <= best.t))) return false;
  return isCloser(t, u, v, rank, best, hit);
}

// NoCulling is for rays that meet both sides of every surface.
struct NoCulling {
  DEVICE_METHOD bool culls(uint32_t) const { return false; }
};

// BackfaceCulling is for rays that pass the backs of single-sided surfaces.
struct BackfaceCulling {
  bool enabled;
  float3 direction;   // in the world
  DEVICE_METHOD bool culls(uint32_t id) const { return enabled && isBack(id, direction); }
};

// hitTriangle tests triangle i, with its alpha, and keeps the hit when it is the closest so far. alphaSeed() is called
// only where alpha matters.
template <typename AlphaSeed, typename Culling>
DEVICE bool hitTriangle(const Leaves& leaves, uint32_t i, float3 origin, float3 direction, const AlphaSeed& alphaSeed,
                        const Culling& culling, Closest* best) {
  const Triangle triangle = load(leaves.triangles + i);
  Closest hit;
  if (!intersect(triangle, leaves.firstId + i + 1, leaves.tolerance, origin, direction, *best, &hit)) return false;
  if (culling.culls(hit.rank - 1)) return false;
  if (has(FEATURE_ALPHA) && triangle.material & ALPHA_BIT &&
      !alphaPasses(triangle.material, triangle.face, hit.u, hit.v, seedOfCopy(alphaSeed(), leaves.firstId)))
    return false;
  *best = hit;
  return true;
}

// The first triangle of a leaf reference, and how many follow it.
DEVICE_TABLE uint32_t FIRST_MASK = 0x07ffffff;
DEVICE uint32_t leafRest(uint32_t leaf) { return leaf >> 27 & 15u; }

// hitLeaf tests the triangles of a leaf reference. With anyHit, the first one that is hit ends the search and is true.
template <bool anyHit, typename AlphaSeed, typename Culling>
DEVICE bool hitLeaf(const Leaves& leaves, uint32_t leaf, float3 origin, float3 direction, const AlphaSeed& alphaSeed,
                    const Culling& culling, Closest* best) {
  uint32_t first = leaf & FIRST_MASK, last = first + leafRest(leaf);
  for (uint32_t i = first; i <= last; i++) {
    if (hitTriangle(leaves, i, origin, direction, alphaSeed, culling, best) && anyHit) return true;
  }
  return false;
}
