// Building a tree on the device where it is to be used, as kernels after Benthin et al., "PLOC++" (2022): triangles are
// sorted along a space-filling curve (build_sort.cuh); clusters that are each other's nearest among a few neighbours merge,
// round after round, until one is left (build_merge.cuh); the binary tree becomes the two that rays go through
// (build_wide.cuh). Here is what these steps share.
#pragma once

#include "block_scan.cuh"

DEVICE const TreeBuild& build() { return *pointer<const TreeBuild>(frame.build); }
DEVICE uint32_t* buildState(uint32_t which) { return pointer<uint32_t>(build().state) + which; }

// half is one of the two parts of a buffer that are used by turns.
template <typename T>
DEVICE T* half(uint64_t address, uint32_t turn) {
  return pointer<T>(address) + (turn & 1u) * build().faces;
}

// --- Boxes -----------------------------------------------------------------------------------------------------------

struct BuildBox {
  float3 lo, hi;   // [m]
};

DEVICE float3 least(float3 a, float3 b) { return make_float3(minf(a.x, b.x), minf(a.y, b.y), minf(a.z, b.z)); }
DEVICE float3 most(float3 a, float3 b) { return make_float3(maxf(a.x, b.x), maxf(a.y, b.y), maxf(a.z, b.z)); }
DEVICE BuildBox unite(const BuildBox& a, const BuildBox& b) { return {least(a.lo, b.lo), most(a.hi, b.hi)}; }

// halfArea is half of the surface area [m²].
DEVICE float halfArea(const BuildBox& b) {
  float3 e = b.hi - b.lo;
  return e.x * e.y + e.y * e.z + e.z * e.x;
}

DEVICE BuildBox boxOf(const BuildNode& n) { return {n.lo, n.hi}; }

// triangleBox is enlarged by the rounding of corners that are made from edges. Without finite corners it is a point, and
// no ray hits the triangle.
DEVICE BuildBox triangleBox(const Triangle& t) {
  float3 v1 = t.v0 + t.e1, v2 = t.v0 + t.e2;
  float3 lo = least(least(t.v0, v1), v2), hi = most(most(t.v0, v1), v2);
  float3 sum = t.v0 + v1 + v2;
  if (!finite(sum.x) || !finite(sum.y) || !finite(sum.z)) return {vec3(0.0f), vec3(0.0f)};
  const float ulp = 1.1920929e-7f;
  float3 pad =
      most(make_float3(absf(lo.x), absf(lo.y), absf(lo.z)), make_float3(absf(hi.x), absf(hi.y), absf(hi.z))) * ulp;
  return {lo - pad, hi + pad};
}

DEVICE bool isLeafNode(uint32_t node) { return node >= build().faces - 1u; }
DEVICE BuildNode* buildNode(uint32_t node) { return pointer<BuildNode>(build().nodes) + node; }
