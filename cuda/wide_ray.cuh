// A ray on its way through 8-wide compressed nodes.
#pragma once

#include "traverse_upper.cuh"

// A group names hits among the children of one wide node. Of nodes: base, and y holds hits in bits 24…31 by order of visit
// and in bits 0…7 which slots hold nodes. Of triangles: base, and hits in bits 0…23.
DEVICE_TABLE uint32_t NODE_HITS = 0xff000000;
DEVICE uint2 rootGroup() { return {0u, 0x80000000u}; }

// WideRay is a ray on its way through the wide tree.
struct WideRay {
  float3 origin, direction, inverse;
  uint32_t top;    // of the stack
  uint2 nodes;     // group
  float t;         // of the best hit so far, else tMax [m]
  uint32_t rank;   // as in Closest
  uint32_t tree;   // of two levels: which it is in. An instance, BAKED or UPPER
  uint32_t base;   // of two levels: of the stack, on entering that tree
};

DEVICE_TABLE uint32_t UPPER = BAKED - 1;

// octant4 is 4 × the bits that turn slots into their order of visit.
DEVICE uint32_t octant4(const WideRay& r) {
  return ((r.inverse.x < 0.0f ? 0u : 1u) | (r.inverse.y < 0.0f ? 0u : 2u) | (r.inverse.z < 0.0f ? 0u : 4u)) *
         0x01010101u;
}

DEVICE WideRay wideRay(const RayQuery& q) {
  WideRay r;
  r.origin = q.origin;
  r.direction = q.direction;
  r.inverse = slabInverse(q.direction);
  r.top = 0;
  r.nodes = rootGroup();
  r.t = q.tMax;
  r.rank = 0;
  r.tree = UPPER;
  r.base = 0;
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

DEVICE float at(const AxisGrid& g, uint32_t word, uint32_t i, uint32_t shift) {
  return madd(gridByte(word, i, shift), g.step, g.start);
}

// boxes8 marks what the ray meets among the children: nodes in bits 24…31 by order of visit, triangles in bits 0…23.
DEVICE uint32_t boxes8(const WideRay& r, const WideNode& n, uint32_t octants) {
  int32_t reach = distanceBits(r.t) + SLAB_ULPS;
  AxisGrid gx = axisGrid(n.grid & 0xffu, n.origin.x, r.origin.x, r.inverse.x);
  AxisGrid gy = axisGrid(n.grid >> 8 & 0xffu, n.origin.y, r.origin.y, r.inverse.y);
  AxisGrid gz = axisGrid(n.grid >> 16 & 0xffu, n.origin.z, r.origin.z, r.inverse.z);
  bool flipX = r.inverse.x < 0.0f, flipY = r.inverse.y < 0.0f, flipZ = r.inverse.z < 0.0f;
  uint32_t hits = 0, shiftBits = GRID_SHIFT_BITS;
#pragma unroll
  for (uint32_t half = 0; half < 2; half++) {
    uint32_t meta = n.meta[half];
    uint32_t inner = fillBytes((meta & meta << 1 & 0x10101010u) << 3);
    uint32_t shift = (meta ^ (octants & inner)) & 0x1f1f1f1fu;
    uint32_t marks = meta >> 5 & 0x07070707u;
    uint32_t nearX = flipX ? n.hiX[half] : n.loX[half], farX = flipX ? n.loX[half] : n.hiX[half];
    uint32_t nearY = flipY ? n.hiY[half] : n.loY[half], farY = flipY ? n.loY[half] : n.hiY[half];
    uint32_t nearZ = flipZ ? n.hiZ[half] : n.loZ[half], farZ = flipZ ? n.loZ[half] : n.hiZ[half];
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      int32_t near = nearOf(at(gx, nearX, i, shiftBits), at(gy, nearY, i, shiftBits), at(gz, nearZ, i, shiftBits));
      int32_t far = farOf(at(gx, farX, i, shiftBits), at(gy, farY, i, shiftBits), at(gz, farZ, i, shiftBits), reach);
      if (near <= far) hits |= byteOf(marks, i) << byteOf(shift, i);
    }
  }
  return hits;
}

// wideNodes are those of the tree that the ray is in.
template <bool levels>
DEVICE const WideNode* wideNodes(const WideRay& r) {
  if (!levels || r.tree == BAKED) return pointer<const WideNode>(frame.wideNodes);
  return pointer<const WideNode>(r.tree == UPPER ? frame.upperWideNodes : instanceAt(r.tree).wideNodes);
}

// visitNode takes the first node of the group, leaves the others on the stack and makes groups of what it holds.
template <bool levels>
DEVICE void visitNode(WideRay& r, uint2* stack, uint2* triangles) {
  uint32_t first = floorLog2(r.nodes.y), slots = r.nodes.y & 0xffu;
  uint2 rest = {r.nodes.x, r.nodes.y & ~(1u << first)};
  if (rest.y & NODE_HITS) stack[r.top++] = rest;
  uint32_t octants = octant4(r), slot = (first - 24u) ^ (octants & 7u);
  uint32_t child = r.nodes.x + bitCount(slots & ~(~0u << slot));
  const WideNode n = load(wideNodes<levels>(r) + child);
  uint32_t hits = boxes8(r, n, octants);
  r.nodes = {n.childBase, (hits & NODE_HITS) | n.grid >> 24};
  *triangles = {n.triangleBase, hits & ~NODE_HITS};
}

// Two levels. Entering an instance leaves on the stack what else the upper tree has for the ray (a group of nodes, then one of
// instances, told by having no NODE_HITS), then the ray as it is in the world.

DEVICE uint2 floatPair(float a, float b) { return {floatBits(a), floatBits(b)}; }

// enterFirst takes the ray into the first of a group of instances.
DEVICE void enterFirst(WideRay& r, uint2* stack, uint2 group) {
  uint32_t first = floorLog2(group.y);
  group.y &= ~(1u << first);
  if (group.y != 0) stack[r.top++] = group;
  stack[r.top++] = floatPair(r.origin.x, r.origin.y);
  stack[r.top++] = floatPair(r.origin.z, r.direction.x);
  stack[r.top++] = floatPair(r.direction.y, r.direction.z);
  r.base = r.top;
  r.nodes = rootGroup();
  r.tree = pointer<const uint32_t>(frame.upperOrder)[group.x + first];
  if (r.tree == BAKED) return;
  const Instance& in = instanceAt(r.tree);
  r.origin = transformPoint(in.toMesh, r.origin);
  r.direction = transformVector(in.toMesh, r.direction);
  r.inverse = slabInverse(r.direction);
}

// leaveTree brings the ray back into the world.
DEVICE void leaveTree(WideRay& r, const uint2* stack) {
  uint2 c = stack[--r.top], b = stack[--r.top], a = stack[--r.top];
  r.origin = make_float3(bitsFloat(a.x), bitsFloat(a.y), bitsFloat(b.x));
  r.direction = make_float3(bitsFloat(b.y), bitsFloat(c.x), bitsFloat(c.y));
  r.inverse = slabInverse(r.direction);
  r.tree = UPPER;
  r.base = 0;
}

// visit is visitNode, and in the upper tree the way into the first instance that the ray meets there.
template <bool levels>
DEVICE void visit(WideRay& r, uint2* stack, uint2* triangles) {
  visitNode<levels>(r, stack, triangles);
  if (!levels || r.tree != UPPER || triangles->y == 0) return;
  if (r.nodes.y & NODE_HITS) stack[r.top++] = r.nodes;
  enterFirst(r, stack, *triangles);
  triangles->y = 0;
}

// takeNext goes on to the next group of nodes; false when there is none.
template <bool levels>
DEVICE bool takeNext(WideRay& r, uint2* stack) {
  if (r.nodes.y & NODE_HITS) return true;
  if (levels && r.tree != UPPER && r.top == r.base) leaveTree(r, stack);
  if (r.top == 0) return false;
  r.nodes = stack[--r.top];
  if (levels && !(r.nodes.y & NODE_HITS)) enterFirst(r, stack, r.nodes);
  return true;
}

// leavesOf are those of the tree that a ray in `direction` is in; there are none in the upper tree.
template <bool levels>
DEVICE Leaves leavesOf(uint32_t tree, float3 direction) {
  return levels && tree < UPPER ? instanceLeaves(instanceAt(tree), direction) : bakedLeaves();
}

// WIDE_STACK bounds the stack: a group of siblings is left behind at each node.
template <bool levels>
DEVICE constexpr uint32_t wideStack() {
  return levels ? 2 * WIDE_DEPTH + 5 : WIDE_DEPTH;
}
