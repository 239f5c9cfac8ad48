// Many rays through the 8-wide tree, by threads that fetch a new ray whenever theirs is done (Ylitie, Karras and Laine
// 2017, §4). Traversal belongs in kernels of its own: inlined into others it cannot refill its warps.
//
// Where the rays come from, and where the answers go, is a Source:
//   uint32_t count() const                           how many indices there are
//   bool begin(uint32_t index, RayQuery*) const      the ray of an index; false where there is none
//   uint32_t alphaSeed(uint32_t index) const         decides about transparency; asked only where that matters
//   void end(uint32_t index, const Hit&) const       the answer. With anyHit, only whether hit.triangle is NO_HIT counts
#pragma once

#include "traverse.cuh"

// A thread goes for a new ray when its warp has lost so many turns to idle threads, beyond so many idle ones each turn.
DEVICE_TABLE int32_t LOST_TURNS = 16;
DEVICE_TABLE int32_t IDLE_FREE = 4;

// A group names hits among the children of one wide node. Of nodes: base, and y holds hits in bits 24…31 by order of visit
// and in bits 0…7 which slots hold nodes. Of triangles: base, and hits in bits 0…23.
DEVICE_TABLE uint32_t NODE_HITS = 0xff000000;

// WideRay is a ray on its way through the wide tree.
struct WideRay {
  float3 origin, direction, inverse;
  int32_t reach;      // bits of the distance, widened
  uint32_t octant4;   // 4 × the bits that turn slots into their order of visit
  uint32_t top;       // of the stack
  uint2 nodes;        // group
  Closest best;
};

DEVICE void limit(WideRay& r) { r.reach = distanceBits(r.best.t) + SLAB_ULPS; }

DEVICE WideRay wideRay(const RayQuery& q) {
  WideRay r;
  r.origin = q.origin;
  r.direction = q.direction;
  r.inverse = slabInverse(q.direction);
  uint32_t upper = (r.inverse.x < 0.0f ? 0u : 1u) | (r.inverse.y < 0.0f ? 0u : 2u) | (r.inverse.z < 0.0f ? 0u : 4u);
  r.octant4 = upper * 0x01010101u;
  r.top = 0;
  r.nodes = {0u, 0x80000000u};   // the root
  r.best = closestNone(q.tMax);
  limit(r);
  return r;
}

// The grid of a node as seen by the ray: distance = step · byte + start.
struct AxisGrid {
  float step, start;
};

DEVICE AxisGrid axisGrid(uint32_t exponent, float origin, float rayOrigin, float inverse) {
  float step = bitsFloat(exponent << 23) * inverse;
  return {step, madd(-GRID_SHIFT, step, (origin - rayOrigin) * inverse)};
}

DEVICE float at(const AxisGrid& g, uint32_t word, uint32_t i) { return madd(gridByte(word, i), g.step, g.start); }

// boxes8 marks what the ray meets among the children: nodes in bits 24…31 by order of visit, triangles in bits 0…23.
DEVICE uint32_t boxes8(const WideRay& r, const WideNode& n) {
  AxisGrid gx = axisGrid(n.grid & 0xffu, n.origin.x, r.origin.x, r.inverse.x);
  AxisGrid gy = axisGrid(n.grid >> 8 & 0xffu, n.origin.y, r.origin.y, r.inverse.y);
  AxisGrid gz = axisGrid(n.grid >> 16 & 0xffu, n.origin.z, r.origin.z, r.inverse.z);
  bool flipX = r.inverse.x < 0.0f, flipY = r.inverse.y < 0.0f, flipZ = r.inverse.z < 0.0f;
  uint32_t hits = 0;
#pragma unroll
  for (uint32_t half = 0; half < 2; half++) {
    uint32_t meta = n.meta[half];
    uint32_t inner = fillBytes((meta & meta << 1 & 0x10101010u) << 3);
    uint32_t shift = (meta ^ (r.octant4 & inner)) & 0x1f1f1f1fu;
    uint32_t marks = meta >> 5 & 0x07070707u;
    uint32_t nearX = flipX ? n.hiX[half] : n.loX[half], farX = flipX ? n.loX[half] : n.hiX[half];
    uint32_t nearY = flipY ? n.hiY[half] : n.loY[half], farY = flipY ? n.loY[half] : n.hiY[half];
    uint32_t nearZ = flipZ ? n.hiZ[half] : n.loZ[half], farZ = flipZ ? n.loZ[half] : n.hiZ[half];
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      int32_t near = nearOf(at(gx, nearX, i), at(gy, nearY, i), at(gz, nearZ, i));
      int32_t far = farOf(at(gx, farX, i), at(gy, farY, i), at(gz, farZ, i), r.reach);
      if (near <= far) hits |= byteOf(marks, i) << byteOf(shift, i);
    }
  }
  return hits;
}

// visitNode takes the first node of the group, leaves the others on the stack and makes groups of what it holds.
DEVICE void visitNode(WideRay& r, uint2* stack, uint2* triangles) {
  uint32_t first = floorLog2(r.nodes.y), slots = r.nodes.y & 0xffu;
  uint2 rest = {r.nodes.x, r.nodes.y & ~(1u << first)};
  if (rest.y & NODE_HITS) stack[r.top++] = rest;
  uint32_t slot = (first - 24u) ^ (r.octant4 & 7u);
  uint32_t child = r.nodes.x + bitCount(slots & ~(~0u << slot));
  const WideNode n = load(pointer<const WideNode>(frame.wideNodes) + child);
  uint32_t hits = boxes8(r, n);
  r.nodes = {n.childBase, (hits & NODE_HITS) | n.grid >> 24};
  *triangles = {n.triangleBase, hits & ~NODE_HITS};
}

// testTriangles tests a group. With anyHit, true ends the ray.
template <bool anyHit, typename AlphaSeed>
DEVICE bool testTriangles(WideRay& r, uint2 group, const AlphaSeed& alphaSeed) {
  const Triangle* triangles = pointer<const Triangle>(frame.triangles);
  while (group.y != 0) {
    uint32_t i = floorLog2(group.y);
    group.y &= ~(1u << i);
    if (!hitTriangle(triangles, group.x + i, r.origin, r.direction, alphaSeed, &r.best)) continue;
    if (anyHit) return true;
    limit(r);
  }
  return false;
}

// advance takes one turn of a ray; false when it is done.
template <bool anyHit, typename AlphaSeed>
DEVICE bool advance(WideRay& r, uint2* stack, const AlphaSeed& alphaSeed) {
  uint2 triangles;
  visitNode(r, stack, &triangles);
  if (testTriangles<anyHit>(r, triangles, alphaSeed)) return false;
  if (r.nodes.y & NODE_HITS) return true;
  if (r.top == 0) return false;
  r.nodes = stack[--r.top];
  return true;
}

// walkQueue traces rays of the source until there are none left.
template <bool anyHit, typename Source>
DEVICE void walkQueue(const Source& source, Fetch& fetch) {
  uint2 stack[WIDE_DEPTH];   // a group of siblings is left behind at each node
  WideRay ray;
  uint32_t index = NO_INDEX;   // of the ray; none when it is done
  const uint32_t count = source.count();
  for (;;) {
    while (index == NO_INDEX) {
      index = fetchIndex(fetch);
      if (index >= count) return;
      RayQuery q;
      if (!source.begin(index, &q)) {
        index = NO_INDEX;
      } else if (frame.nodeCount == 0) {
        source.end(index, toHit(closestNone(q.tMax)));
        index = NO_INDEX;
      } else {
        ray = wideRay(q);
      }
    }
    auto seed = [&] { return source.alphaSeed(index); };
    for (int32_t lost = 0; lost < LOST_TURNS; lost += (int32_t)(WARP_SIZE - activeLanes()) - IDLE_FREE) {
      if (advance<anyHit>(ray, stack, seed)) continue;
      source.end(index, toHit(ray.best));
      index = NO_INDEX;
      break;
    }
  }
}

// traceQueue is walkQueue on a GPU; a processor has nothing to gain from it and traces one ray after the other.
template <bool anyHit, typename Source>
DEVICE void traceQueue(const Source& source, Fetch& fetch) {
  if (WARP_SIZE > 1) return walkQueue<anyHit>(source, fetch);
  const uint32_t count = source.count();
  for (uint32_t index; (index = fetchIndex(fetch)) < count;) {
    RayQuery q;
    if (!source.begin(index, &q)) continue;
    uint32_t seed = source.alphaSeed(index);
    if (anyHit)
      source.end(index, {0.0f, 0.0f, 0.0f, traceAny(q.origin, q.direction, q.tMax, seed) ? 0u : NO_HIT});
    else
      source.end(index, traceClosest(q.origin, q.direction, q.tMax, seed));
  }
}
