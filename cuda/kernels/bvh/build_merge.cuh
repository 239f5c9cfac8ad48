// Building a BVH, second step: clusters merge in rounds (Benthin et al. 2022; parallel locally-ordered clustering after
// Meister and Bittner 2018). With each merge, the optimal representation of the new node in a wide tree is computed.
#pragma once

#include "bvh/build_sort.cuh"

// Every face begins as a cluster.
KERNEL(build_leaves, 128, 1, tool) {
  const TreeBuild& b = build();
  if (index >= b.faces) return;
  uint32_t face = half<uint32_t>(b.values, BUILD_TURNS)[index], leaf = b.faces - 1 + index;
  BuildBox box = triangleBox(load(pointer<const Triangle>(b.source) + face));
  *buildNode(leaf) = {box.lo, face, box.hi, 0u};
  half<uint32_t>(b.clusters, 0)[index] = leaf;
}

// --- Who merges with whom --------------------------------------------------------------------------------------------

// What happens to a cluster in a round: it merges with a later one, is merged into an earlier one, or stays.
DEVICE_TABLE uint32_t LINK_GONE = 0xffffffff;
DEVICE_TABLE uint32_t LINK_STAYS = 0xfffffffe;

enum MergeSize : uint32_t {
  MERGE_THREADS = THREADS_find_merges,
  MERGE_BOXES =
      MERGE_THREADS + 4 * BUILD_REACH,   // of the clusters that the block's clusters and their neighbours compare
  MERGE_NEAREST = MERGE_THREADS + 2 * BUILD_REACH,   // of the block's clusters and their neighbours
};

struct MergeBlock : BlockSums<MERGE_THREADS> {
  BuildBox boxes[MERGE_BOXES];
  uint32_t nearest[MERGE_NEAREST];
};

DEVICE uint32_t mergeBlocks(uint32_t clusters) { return (clusters + MERGE_THREADS - 1) / MERGE_THREADS; }

// Window bounds a round's search to aligned groups of so many clusters; in each of them one pair merges at the least.
struct Window {
  uint32_t size, shift;   // a power of two, and where the first group begins
};

// windowOf a round is open, unless the previous rounds merged little: where sizes rise steadily along the curve each
// cluster prefers the next smaller one, and only the ends of such chains are pairs. When no more rounds are left than
// halving takes, groups are pairs: every round then halves what is left, and the last one leaves a single cluster.
DEVICE Window windowOf(uint32_t round) {
  const uint32_t n = *buildState(STATE_CLUSTERS + round);
  if (n > 1 && BUILD_ROUNDS - round <= floorLog2(n - 1) + 1) return {2u, 0u};
  if (n <= 2 * BUILD_REACH) return {0xffffffffu, 0u};
  for (uint32_t back = 1; back <= 2 && back <= round; back++) {
    const uint32_t* counts = buildState(STATE_CLUSTERS + round - back);
    if ((float)counts[1] > 0.85f * (float)counts[0]) return {4u, 2 * (round & 1u)};
  }
  return {0xffffffffu, 0u};
}

// nearest is the neighbour with which cluster i has the least area. Ties are settled by what is the same seen from both
// sides, so that there is a pair who choose each other, and equal boxes pair up all at once. boxes[0] is of i − reach.
DEVICE uint32_t nearestOf(const BuildBox* boxes, uint32_t i, uint32_t clusters, const Window& window) {
  uint32_t best = i;
  float least = INFINITE;
  uint32_t first = i > BUILD_REACH ? i - BUILD_REACH : 0u, last = minu(i + BUILD_REACH, clusters - 1);
  for (uint32_t j = first; j <= last; j++) {
    if (j == i || ((i + window.shift) ^ (j + window.shift)) >= window.size) continue;
    float area = halfArea(unite(boxes[BUILD_REACH], boxes[j + BUILD_REACH - i]));
    if (best == i || area < least || (area == least && (i ^ j) < (i ^ best))) {
      best = j;
      least = area;
    }
  }
  return best;
}

BLOCK_KERNEL(find_merges, 256, 1, tool, MergeBlock) {
  const TreeBuild& b = build();
  const uint32_t n = *buildState(STATE_CLUSTERS + pass), base = block * threads;
  const uint32_t* clusters = half<uint32_t>(b.clusters, pass);
  const Window window = windowOf(pass);
  if (base >= n) return;
  PHASE(lane) {
    for (uint32_t k = lane; k < MERGE_BOXES; k += threads) {
      uint32_t i = base + k - 2 * BUILD_REACH;   // wraps below 0
      if (i < n) shared.boxes[k] = boxOf(*buildNode(clusters[i]));
    }
  }
  PHASE(lane) {
    for (uint32_t k = lane; k < MERGE_NEAREST; k += threads) {
      uint32_t i = base + k - BUILD_REACH;
      if (i < n) shared.nearest[k] = nearestOf(shared.boxes + k, i, n, window);
    }
  }
  PHASE(lane) {
    uint32_t i = base + lane, link = LINK_GONE;
    if (i < n) {
      uint32_t j = shared.nearest[lane + BUILD_REACH];
      bool mutual = j != i && shared.nearest[j - base + BUILD_REACH] == i;
      link = !mutual ? LINK_STAYS : i < j ? j : LINK_GONE;
      pointer<uint32_t>(b.links)[i] = link;
    }
    shared.sums[lane] = (link != LINK_GONE ? 1u : 0u) | (link < LINK_STAYS ? 1u << 16 : 0u);
  }
  for (uint32_t halves = threads / 2; halves > 0; halves /= 2) {
    PHASE(lane) {
      if (lane < halves) shared.sums[lane] += shared.sums[lane + halves];
    }
  }
  PHASE(lane) {
    if (lane != 0) continue;
    uint32_t* counts = pointer<uint32_t>(b.counts);
    counts[block] = shared.sums[0] & 0xffffu;
    counts[mergeBlocks(n) + block] = shared.sums[0] >> 16;
  }
}

// One block. Counts of the clusters that are left precede those of merges.
BLOCK_KERNEL(scan_merges, 256, 1, tool, BlockSums<THREADS_scan_merges>) {
  const uint32_t n = *buildState(STATE_CLUSTERS + pass), blocks = mergeBlocks(n);
  uint32_t* counts = pointer<uint32_t>(build().counts);
  scanCounts(shared, counts, 2 * blocks);
  PHASE(lane) {
    if (lane != 0) continue;
    uint32_t left = counts[blocks];
    *buildState(STATE_CLUSTERS + pass + 1) = left;
    *buildState(STATE_MERGED + pass + 1) = *buildState(STATE_MERGED + pass) + n - left;
  }
}

// --- What a merge makes ----------------------------------------------------------------------------------------------

// Costs as the builder on the host has them (collapse.go, build.go).
DEVICE_TABLE float WIDE_NODE_COST = 1.0f;
DEVICE_TABLE float WIDE_TRIANGLE_COST = 0.3f;
DEVICE_TABLE float TRAVERSAL_COST = 1.2f;

// The lowest four bits of BuildForest.left.
enum ForestMark : uint32_t {
  FOREST_TRIANGLES = 3,     // how many, where the node may be a leaf of the wide tree
  FOREST_BINARY_LEAF = 4,   // it is a leaf of the binary tree, too
  MAX_LEAF = 3,             // triangles of a leaf
};

DEVICE BuildForest wholeForest(float area, uint32_t triangles) {
  BuildForest f;
  for (uint32_t i = 0; i < 7; i++) f.cost[i] = area * (float)triangles * WIDE_TRIANGLE_COST;
  f.left = triangles | FOREST_BINARY_LEAF;
  return f;
}

DEVICE BuildForest forestOf(uint32_t node, float area) {
  if (isLeafNode(node)) return wholeForest(area, 1);
  return load(pointer<const BuildForest>(build().forests) + node);
}

DEVICE uint32_t leftSlots(uint32_t left, uint32_t slots) { return left >> (4 * (slots - 1)) & 15u; }

// combine is the forest of a node with two children: the dynamic programming of Ylitie et al. (2017, §3.1).
DEVICE BuildForest combine(const BuildForest& a, const BuildForest& b, float area, float areaA, float areaB) {
  uint32_t countA = a.left & FOREST_TRIANGLES, countB = b.left & FOREST_TRIANGLES, count = countA + countB;
  bool joins = countA > 0 && countB > 0 && count <= MAX_LEAF;
  if (joins && (float)count * area <= TRAVERSAL_COST * area + areaA * (float)countA + areaB * (float)countB)
    return wholeForest(area, count);
  BuildForest f;
  f.left = 0;
  float shared[8];
#pragma unroll
  for (uint32_t slots = 2; slots <= 8; slots++) {
    float best = a.cost[0] + b.cost[slots - 2];
    uint32_t left = 1;
#pragma unroll
    for (uint32_t k = 2; k < slots; k++) {
      float cost = a.cost[k - 1] + b.cost[slots - k - 1];
      if (cost >= best) continue;
      best = cost;
      left = k;
    }
    shared[slots - 1] = best;
    f.left |= left << (4 * (slots - 1));
  }
  f.cost[0] = shared[7] + area * WIDE_NODE_COST;
  float asLeaf = area * (float)count * WIDE_TRIANGLE_COST;
  if (joins && asLeaf <= f.cost[0]) {
    f.cost[0] = asLeaf;
    f.left |= count;
  }
#pragma unroll
  for (uint32_t i = 1; i < 7; i++) {
    bool fewer = !(shared[i] < f.cost[i - 1]);
    f.cost[i] = fewer ? f.cost[i - 1] : shared[i];
    if (fewer) f.left &= ~(15u << (4 * i));
  }
  return f;
}

DEVICE void mergeNodes(uint32_t into, uint32_t left, uint32_t right) {
  BuildBox a = boxOf(*buildNode(left)), b = boxOf(*buildNode(right)), box = unite(a, b);
  *buildNode(into) = {box.lo, left, box.hi, right};
  float areaA = halfArea(a), areaB = halfArea(b);
  pointer<BuildForest>(build().forests)[into] =
      combine(forestOf(left, areaA), forestOf(right, areaB), halfArea(box), areaA, areaB);
}

// Inner nodes are numbered downwards, so that the last one, the root, is node 0 and nodes come before their descendants.
BLOCK_KERNEL(merge_clusters, 256, 1, tool, BlockSums<MERGE_THREADS>) {
  const TreeBuild& b = build();
  const uint32_t n = *buildState(STATE_CLUSTERS + pass), base = block * threads;
  if (base >= n) return;
  const uint32_t* links = pointer<const uint32_t>(b.links);
  PHASE(lane) {
    uint32_t link = base + lane < n ? links[base + lane] : LINK_GONE;
    shared.sums[lane] = (link != LINK_GONE ? 1u : 0u) | (link < LINK_STAYS ? 1u << 16 : 0u);
  }
  scanBlock(shared);
  PHASE(lane) {
    uint32_t i = base + lane, link = i < n ? links[i] : LINK_GONE;
    if (link == LINK_GONE) continue;
    const uint32_t* counts = pointer<const uint32_t>(b.counts);
    const uint32_t* clusters = half<uint32_t>(b.clusters, pass);
    uint32_t node = clusters[i];
    if (link < LINK_STAYS) {
      uint32_t before = counts[mergeBlocks(n) + block] - *buildState(STATE_CLUSTERS + pass + 1);
      uint32_t merge = *buildState(STATE_MERGED + pass) + before + (shared.sums[lane] >> 16);
      uint32_t into = b.faces - 2 - merge;
      mergeNodes(into, node, clusters[link]);
      node = into;
    }
    half<uint32_t>(b.clusters, pass + 1)[counts[block] + (shared.sums[lane] & 0xffffu)] = node;
  }
}
