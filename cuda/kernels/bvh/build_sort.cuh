// Building a BVH on the device where it is used, as kernels after Benthin et al., "PLOC++" (2022): triangles are sorted
// along a space-filling curve; clusters that are each other's nearest among a few neighbours merge, round after round,
// until one is left (build_merge.cuh); the binary tree becomes the two BVHs that rays are traced through
// (build_wide.cuh). Here are the first step, and what all steps share.
#pragma once

#include "core/scan.cuh"

// --- What the steps share -------------------------------------------------------------------------------------------

DEVICE const TreeBuild& build() { return *pointer<const TreeBuild>(frame.build.tree); }
DEVICE uint32_t* buildState(uint32_t which) { return pointer<uint32_t>(build().state) + which; }

// half is one of the two parts of a double buffer.
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

// --- Sorting --------------------------------------------------------------------------------------------------------
// Faces are sorted along a Morton curve, by a stable radix sort.

// spreadKey puts two zeros between the lower 16 bits.
DEVICE uint64_t spreadKey(uint32_t x) {
  uint64_t v = x & 0xffffu;
  v = (v | v << 16) & 0x0000ff0000ffull;
  v = (v | v << 8) & 0x00f00f00f00full;
  v = (v | v << 4) & 0x0c30c30c30c3ull;
  return (v | v << 2) & 0x249249249249ull;
}

DEVICE uint32_t cell(float x, float lo, float scale) { return (uint32_t)clampf((x - lo) * scale, 0.0f, 65535.0f); }

KERNEL(build_keys, 128, 1, tool) {
  const TreeBuild& b = build();
  if (index < STATE_COUNT) *buildState(index) = index == STATE_CLUSTERS ? b.faces : 0u;
  if (index >= b.faces) return;
  BuildBox box = triangleBox(load(pointer<const Triangle>(b.source) + index));
  float3 c = box.lo * 0.5f + box.hi * 0.5f;
  half<uint64_t>(b.keys, 0)[index] = spreadKey(cell(c.x, b.lo.x, b.scale.x)) << 2 |
                                     spreadKey(cell(c.y, b.lo.y, b.scale.y)) << 1 |
                                     spreadKey(cell(c.z, b.lo.z, b.scale.z));
  half<uint32_t>(b.values, 0)[index] = index;
}

enum SortSize : uint32_t {
  SORT_THREADS = THREADS_sort_scatter,
  SORT_EACH = BUILD_SORTED / SORT_THREADS,   // neighbouring keys that a lane takes
};

struct SortBlock : BlockSums<SORT_THREADS> {
  uint32_t counts[BUILD_DIGITS * SORT_THREADS];   // keys of a lane with a digit, all lanes of a digit side by side
  uint32_t places[BUILD_DIGITS];                  // where the keys of the block with a digit go
};

DEVICE uint32_t sortBlocks() { return (build().faces + BUILD_SORTED - 1) / BUILD_SORTED; }
DEVICE uint32_t digitOf(uint64_t key, uint32_t turn) { return (uint32_t)(key >> (4 * turn)) & (BUILD_DIGITS - 1); }

DEVICE void countDigits(SortBlock& shared, uint32_t block, uint32_t threads, uint32_t turn) {
  const uint64_t* keys = half<uint64_t>(build().keys, turn);
  PHASE(lane) {
    for (uint32_t d = 0; d < BUILD_DIGITS; d++) shared.counts[d * threads + lane] = 0;
    uint32_t first = block * BUILD_SORTED + lane * SORT_EACH;
    for (uint32_t i = first; i < first + SORT_EACH && i < build().faces; i++)
      shared.counts[digitOf(keys[i], turn) * threads + lane]++;
  }
}

// A lane sums a sixteenth of a digit's counts in its block.
BLOCK_KERNEL(sort_count, 256, 1, tool, SortBlock) {
  countDigits(shared, block, threads, pass);
  PHASE(lane) {
    uint32_t sum = 0;
    for (uint32_t i = lane * BUILD_DIGITS; i < (lane + 1) * BUILD_DIGITS; i++) sum += shared.counts[i];
    shared.sums[lane] = sum;
  }
  PHASE(lane) {
    if (lane >= BUILD_DIGITS) continue;
    uint32_t sum = 0, each = threads / BUILD_DIGITS;
    for (uint32_t i = lane * each; i < (lane + 1) * each; i++) sum += shared.sums[i];
    pointer<uint32_t>(build().counts)[lane * sortBlocks() + block] = sum;
  }
}

// One block.
BLOCK_KERNEL(sort_scan, 256, 1, tool, BlockSums<THREADS_sort_scan>) {
  scanCounts(shared, pointer<uint32_t>(build().counts), BUILD_DIGITS * sortBlocks());
}

BLOCK_KERNEL(sort_scatter, 256, 1, tool, SortBlock) {
  countDigits(shared, block, threads, pass);
  PHASE(lane) {
    uint32_t sum = 0;
    for (uint32_t i = lane * BUILD_DIGITS; i < (lane + 1) * BUILD_DIGITS; i++) sum += shared.counts[i];
    shared.sums[lane] = sum;
  }
  scanBlock(shared);
  PHASE(lane) {   // counts become those before, in the block
    uint32_t before = shared.sums[lane];
    for (uint32_t i = lane * BUILD_DIGITS; i < (lane + 1) * BUILD_DIGITS; i++) {
      uint32_t count = shared.counts[i];
      shared.counts[i] = before;
      before += count;
    }
  }
  PHASE(lane) {   // and then positions, except those of lane 0, which other lanes read
    if (lane < BUILD_DIGITS)
      shared.places[lane] =
          pointer<uint32_t>(build().counts)[lane * sortBlocks() + block] - shared.counts[lane * threads];
  }
  PHASE(lane) {
    const uint64_t* keys = half<uint64_t>(build().keys, pass);
    const uint32_t* values = half<uint32_t>(build().values, pass);
    uint32_t first = block * BUILD_SORTED + lane * SORT_EACH;
    for (uint32_t i = first; i < first + SORT_EACH && i < build().faces; i++) {
      uint32_t digit = digitOf(keys[i], pass), to = shared.places[digit] + shared.counts[digit * threads + lane]++;
      half<uint64_t>(build().keys, pass + 1)[to] = keys[i];
      half<uint32_t>(build().values, pass + 1)[to] = values[i];
    }
  }
}
