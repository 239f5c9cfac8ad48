// Many rays through the 8-wide tree, by threads that fetch a new ray whenever theirs is done (Ylitie, Karras and Laine
// 2017, §4). Traversal belongs in kernels of its own: inlined into others it cannot refill its warps.
//
// Where the rays come from, and where the answers go, is a Source:
//   uint32_t count() const                           how many indices there are
//   bool begin(uint32_t index, RayQuery*) const      the ray of an index; false where there is none
//   uint32_t alphaSeed(uint32_t index) const         seed for alpha tests; called only where it matters
//   void end(uint32_t index, const Hit&) const       the answer. With anyHit, only whether hit.triangle is NO_HIT counts
// and where rays may go on behind what they hit, of a Continuing<Source>:
//   bool passes(uint32_t index, const Hit&, RayQuery*) const      whether this one does. It is given with origin and direction
#pragma once

#include "bvh/traverse.cuh"

template <typename Source>
struct Continuing : Source {};

template <typename Source>
constexpr bool continues = false;
template <typename Source>
constexpr bool continues<Continuing<Source>> = true;

// --- Traversal state ------------------------------------------------------------------------------------------------

// A group names hits among the children of one wide node. Of nodes: base, and y holds hits in bits 24…31 by order of visit
// and in bits 0…7 which slots hold nodes. Of triangles: base, and hits in bits 0…23.
DEVICE_TABLE uint32_t NODE_HITS = 0xff000000;
DEVICE uint2 rootGroup() { return {0u, 0x80000000u}; }

// WideRay is a ray during traversal of the wide tree.
struct WideRay {
  float3 origin, direction, inverse;
  uint32_t top;    // of the stack
  uint2 nodes;     // group
  float t;         // of the best hit so far, else tMax [m]
  uint32_t rank;   // as in Closest
  uint32_t tree;   // with a TLAS: where it is. An instance, STATIC_GEOMETRY or IN_TLAS
  uint32_t base;   // with a TLAS: of the stack, on entering that BVH
};

DEVICE_TABLE uint32_t IN_TLAS = STATIC_GEOMETRY - 1;

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
  r.tree = IN_TLAS;
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

// boxes8 marks which children the ray hits: nodes in bits 24…31 by order of visit, triangles in bits 0…23.
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

// wideNodes are those of the BVH that the ray is in.
template <bool levels>
DEVICE const WideNode* wideNodes(const WideRay& r) {
  if (!levels || r.tree == STATIC_GEOMETRY) return pointer<const WideNode>(frame.scene.wideNodes);
  return pointer<const WideNode>(r.tree == IN_TLAS ? frame.scene.tlasWideNodes : instanceAt(r.tree).wideNodes);
}

// visitNode takes the first node of the group, pushes the others on the stack and makes groups of its children.
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

// Two levels. Entering an instance pushes the rest of the TLAS group (nodes, then instances, which are recognised by having
// no NODE_HITS), then the ray in world space.

DEVICE uint2 floatPair(float a, float b) { return {floatBits(a), floatBits(b)}; }

// enterInstance transforms the ray into the first of a group of instances.
DEVICE void enterInstance(WideRay& r, uint2* stack, uint2 group) {
  uint32_t first = floorLog2(group.y);
  group.y &= ~(1u << first);
  if (group.y != 0) stack[r.top++] = group;
  stack[r.top++] = floatPair(r.origin.x, r.origin.y);
  stack[r.top++] = floatPair(r.origin.z, r.direction.x);
  stack[r.top++] = floatPair(r.direction.y, r.direction.z);
  r.base = r.top;
  r.nodes = rootGroup();
  r.tree = pointer<const uint32_t>(frame.scene.tlasOrder)[group.x + first];
  if (r.tree == STATIC_GEOMETRY) return;
  const Instance& in = instanceAt(r.tree);
  r.origin = transformPoint(in.toMesh, r.origin);
  r.direction = transformVector(in.toMesh, r.direction);
  r.inverse = slabInverse(r.direction);
}

// leaveInstance restores the ray in world space.
DEVICE void leaveInstance(WideRay& r, const uint2* stack) {
  uint2 c = stack[--r.top], b = stack[--r.top], a = stack[--r.top];
  r.origin = make_float3(bitsFloat(a.x), bitsFloat(a.y), bitsFloat(b.x));
  r.direction = make_float3(bitsFloat(b.y), bitsFloat(c.x), bitsFloat(c.y));
  r.inverse = slabInverse(r.direction);
  r.tree = IN_TLAS;
  r.base = 0;
}

// visit is visitNode, and in the TLAS also enters the first instance that the ray hits.
template <bool levels>
DEVICE void visit(WideRay& r, uint2* stack, uint2* triangles) {
  visitNode<levels>(r, stack, triangles);
  if (!levels || r.tree != IN_TLAS || triangles->y == 0) return;
  if (r.nodes.y & NODE_HITS) stack[r.top++] = r.nodes;
  enterInstance(r, stack, *triangles);
  triangles->y = 0;
}

// nextGroup continues with the next group of nodes; false when there is none.
template <bool levels>
DEVICE bool nextGroup(WideRay& r, uint2* stack) {
  if (r.nodes.y & NODE_HITS) return true;
  if (levels && r.tree != IN_TLAS && r.top == r.base) leaveInstance(r, stack);
  if (r.top == 0) return false;
  r.nodes = stack[--r.top];
  if (levels && !(r.nodes.y & NODE_HITS)) enterInstance(r, stack, r.nodes);
  return true;
}

// leavesOf are the leaves of the BVH that a ray in `direction` is in; the TLAS has none.
template <bool levels>
DEVICE Leaves leavesOf(uint32_t tree, float3 direction) {
  return levels && tree < IN_TLAS ? instanceLeaves(instanceAt(tree), direction) : staticLeaves();
}

// wideStack bounds the stack: a group of siblings is pushed at each node.
template <bool levels>
DEVICE constexpr uint32_t wideStack() {
  return levels ? 2 * WIDE_DEPTH + 5 : WIDE_DEPTH;
}

// --- The ray loop ---------------------------------------------------------------------------------------------------

// A warp fetches new rays when it has lost so many thread-iterations to idle threads, beyond so many idle threads per
// iteration.
DEVICE_TABLE int32_t LOST_TURNS = 16;
DEVICE_TABLE int32_t IDLE_FREE = 4;

// Sharing is where the threads of a warp share triangle tests: each tests one, whichever ray hit its box. The rays of a
// warp reach triangles at different iterations, a few at a time: without sharing, most threads would wait for the one
// with the most.
struct Sharing {
  uint32_t entry[WARP_SIZE];                        // the thread whose ray it is, in the upper 5 bits; triangle
  float t[WARP_SIZE], u[WARP_SIZE], v[WARP_SIZE];   // of the entry's hit
  float bestU[WARP_SIZE], bestV[WARP_SIZE];         // of each thread's best hit
};
DEVICE_TABLE uint32_t ENTRY_TRIANGLE = 0x07ffffff;

// sumBelow adds up `n` < 32 of the threads before this one, and of all.
DEVICE uint32_t sumBelow(uint32_t n, uint32_t* all) {
  uint32_t below = 0, total = 0;
#pragma unroll
  for (uint32_t bit = 0; bit < 5; bit++) {
    uint32_t lanes = lanesWhere((n >> bit & 1u) != 0);
    below += bitCount(lanes & lanesBelow()) << bit;
    total += bitCount(lanes) << bit;
  }
  *all = total;
  return below;
}

// bitsFrom are the bits from `first` up to but excluding `end`; both at most 32.
DEVICE uint32_t bitsFrom(uint32_t first, uint32_t end) {
  return (uint32_t)(((uint64_t)1 << end) - ((uint64_t)1 << first));
}

// shareOut lists what the rays of the warp are to test, up to one triangle per thread; returns how many. `mine` are the
// entries of this thread's ray.
DEVICE uint32_t shareOut(uint2* group, Sharing& shared, uint32_t* mine) {
  uint32_t total, first = sumBelow(bitCount(group->y), &total), end = first;
  for (; group->y != 0 && end < WARP_SIZE; end++) {
    uint32_t i = floorLog2(group->y);
    group->y &= ~(1u << i);
    shared.entry[end] = laneIndex() << 27 | (group->x + i);
  }
  *mine = first < end ? bitsFrom(first, end) : 0u;
  return total;
}

// testTriangles tests the triangles that the rays of a warp reached; true when this thread's ray hit one.
template <bool anyHit, bool levels, typename Source>
DEVICE bool testTriangles(WideRay& r, uint2 group, uint32_t index, const Source& source, Sharing& shared) {
  const uint32_t lane = laneIndex();
  bool hit = false;
  for (uint32_t total, mine; lanesWhere(group.y != 0) != 0;) {
    total = shareOut(&group, shared, &mine);
    warpBarrier();
    uint32_t entry = shared.entry[lane], owner = entry >> 27, triangle = entry & ENTRY_TRIANGLE;
    if (lane >= total) owner = lane;
    float3 origin = fromLane(r.origin, owner), direction = fromLane(r.direction, owner);
    Closest best = {fromLane(r.t, owner), 0.0f, 0.0f, fromLane(r.rank, owner)};
    uint32_t theirs = fromLane(index, owner);
    Leaves leaves = leavesOf<levels>(levels ? fromLane(r.tree, owner) : STATIC_GEOMETRY, direction);
    bool met =
        lane < total && hitTriangle(
                            leaves, triangle, origin, direction, [&] { return source.alphaSeed(theirs); }, &best);
    if (met) {
      shared.t[lane] = best.t;
      shared.u[lane] = best.u;
      shared.v[lane] = best.v;
    }
    uint32_t hits = lanesWhere(met), firstId = levels && r.tree < IN_TLAS ? instanceAt(r.tree).first : 0u;
    warpBarrier();
    for (hits &= mine; hits != 0; hits &= hits - 1) {
      uint32_t i = floorLog2(hits & (0u - hits)), rank = firstId + (shared.entry[i] & ENTRY_TRIANGLE) + 1;
      float t = shared.t[i];
      hit = true;
      if (!(t < r.t || (t == r.t && precedes(rank, r.rank)))) continue;
      r.t = t;
      r.rank = rank;
      shared.bestU[lane] = shared.u[i];
      shared.bestV[lane] = shared.v[i];
    }
    if (anyHit && hit) group.y = 0;
    warpBarrier();
  }
  return hit;
}

// foundHit is the hit of a ray.
DEVICE Hit foundHit(const WideRay& r, const Sharing& shared) {
  if (r.rank == 0) return toHit(closestNone(r.t));
  return {r.t, shared.bestU[laneIndex()], shared.bestV[laneIndex()], r.rank - 1u};
}

// refill gives threads without a ray the next ones of the source; false when there are none left for this thread.
template <bool levels, typename Source, uint32_t THREADS>
DEVICE bool refill(const Source& source, Fetch<THREADS>& fetch, uint32_t count, uint32_t* index, WideRay* ray) {
  while (*index == NO_INDEX) {
    uint32_t next = fetchIndex(fetch);
    if (next >= count) return false;
    RayQuery q;
    if (!source.begin(next, &q)) continue;
    if (!levels && frame.scene.nodeCount == 0) {
      source.end(next, toHit(closestNone(q.tMax)));
      continue;
    }
    *ray = wideRay(q);
    *index = next;
  }
  return true;
}

// walkLevels traces rays of the source until none are left. All threads of a warp iterate together: those without a ray
// help to test triangles until enough of them wait to fetch new rays.
template <bool anyHit, bool levels, typename Source, uint32_t THREADS>
DEVICE void walkLevels(const Source& source, Fetch<THREADS>& fetch, Sharing& shared) {
  uint2 stack[wideStack<levels>()];
  WideRay ray = {};
  uint32_t index = NO_INDEX;   // of the ray; none when it is done
  const uint32_t count = source.count();
  bool more = true;   // there may be rays left
  for (int32_t lost = LOST_TURNS;;) {
    if (lost >= LOST_TURNS) {
      if (more) more = refill<levels>(source, fetch, count, &index, &ray);
      warpBarrier();
      lost = 0;
    }
    uint32_t busy = lanesWhere(index != NO_INDEX);
    bool dry = lanesWhere(more) == 0;
    if (busy == 0) {
      if (dry) return;
      lost = LOST_TURNS;
      continue;
    }
    if (!dry) lost += (int32_t)(WARP_SIZE - bitCount(busy)) - IDLE_FREE;
    uint2 triangles = {0, 0};
    if (index != NO_INDEX) visit<levels>(ray, stack, &triangles);
    bool hit = testTriangles<anyHit, levels>(ray, triangles, index, source, shared);
    if (index != NO_INDEX && ((anyHit && hit) || !nextGroup<levels>(ray, stack))) {
      Hit found = foundHit(ray, shared);
      if constexpr (continues<Source>) {
        RayQuery on = {ray.origin, ray.direction, 0.0f};
        if (found.triangle != NO_HIT && source.passes(index, found, &on)) {
          ray = wideRay(on);
          continue;
        }
      }
      source.end(index, found);
      index = NO_INDEX;
    }
  }
}

// warpSharing is one for all loops of a kernel: memory that is shared is memory that caches lack.
template <uint32_t THREADS>
DEVICE Sharing& warpSharing() {
  WARP_SHARED(Sharing, shared, THREADS)
  return shared;
}

// walkQueue chooses the loop that suits the scene.
template <bool anyHit, typename Source, uint32_t THREADS>
DEVICE void walkQueue(const Source& source, Fetch<THREADS>& fetch) {
  Sharing& shared = warpSharing<THREADS>();
  if (twoLevels())
    walkLevels<anyHit, true>(source, fetch, shared);
  else
    walkLevels<anyHit, false>(source, fetch, shared);
}

// traceQueue is walkQueue on a GPU; a CPU gains nothing from it and traces one ray after the other.
template <bool anyHit, typename Source, uint32_t THREADS>
DEVICE void traceQueue(const Source& source, Fetch<THREADS>& fetch) {
  if constexpr (WARP_SIZE > 1) return walkQueue<anyHit>(source, fetch);
  const uint32_t count = source.count();
  for (uint32_t index; (index = fetchIndex(fetch)) < count;) {
    RayQuery q;
    if (!source.begin(index, &q)) continue;
    uint32_t seed = source.alphaSeed(index);
    if (anyHit) {
      source.end(index, {0.0f, 0.0f, 0.0f, traceAny(q.origin, q.direction, q.tMax, seed) ? 0u : NO_HIT});
      continue;
    }
    Hit hit = traceClosest(q.origin, q.direction, q.tMax, seed);
    if constexpr (continues<Source>) {
      while (hit.triangle != NO_HIT && source.passes(index, hit, &q))
        hit = traceClosest(q.origin, q.direction, q.tMax, seed);
    }
    source.end(index, hit);
  }
}
