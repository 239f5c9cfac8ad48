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

// A group of nodes names hits among the children of one wide node: base, and y holds hits in bits 24…31 by order of visit and
// in bits 0…7 which slots hold nodes.
DEVICE_TABLE uint32_t NODE_HITS = 0xff000000;
DEVICE uint2 rootGroup() { return {0u, 0x80000000u}; }

// TriangleGroup names hits among its triangles, or among instances in the TLAS.
struct TriangleGroup {
  uint32_t base;   // place of the first one of the node
  uint32_t hits;   // bits as in WideNode.leaves
  uint32_t all;    // WideNode.leaves
};

// triangleIndex is that of the triangle of a bit.
DEVICE uint32_t triangleIndex(const TriangleGroup& g, uint32_t bit) { return g.base + bitCount(g.all & ~(~0u << bit)); }

// WideRay is a ray during traversal of the wide tree.
struct WideRay {
  float3 origin, direction, inverse;
  uint32_t top;    // of the stack
  uint2 nodes;     // group
  float t;         // of the best hit so far, else tMax [m]
  float scale;     // 1 / that distance, widened [1/m]
  uint32_t rank;   // as in Closest
  uint32_t tree;   // with a TLAS: where it is. An instance, STATIC_GEOMETRY or IN_TLAS
  uint32_t base;   // with a TLAS: of the stack, on entering that BVH
};

DEVICE_TABLE uint32_t IN_TLAS = STATIC_GEOMETRY - 1;

// octantOf is the bits that turn slots into their order of visit.
DEVICE uint32_t octantOf(const WideRay& r) {
  return (r.inverse.x < 0.0f ? 0u : 1u) | (r.inverse.y < 0.0f ? 0u : 2u) | (r.inverse.z < 0.0f ? 0u : 4u);
}

// byOrder moves bit i of eight to i ^ octant.
DEVICE uint32_t byOrder(uint32_t slots, uint32_t octant) {
  uint32_t x = octant & 1u, y = octant & 2u, z = octant & 4u;
  slots = (slots << x & 0xaau) | (slots >> x & 0x55u);
  slots = (slots << y & 0xccu) | (slots >> y & 0x33u);
  return (slots << z & 0xf0u) | (slots >> z & 0x0fu);
}

// threefold makes three bits, from 3i on, of bit i of eight.
DEVICE uint32_t threefold(uint32_t slots) {
  slots = slots * 0x101u & 0x00f00fu;
  slots = slots * 0x011u & 0x0c30c3u;
  slots = slots * 0x005u & 0x249249u;
  return slots * 7u;
}

// What is farther than this is not found [m]: a distance without end has no scale.
DEVICE_TABLE float FARTHEST = 1e18f;

// setReach tells a ray how far to look: to its best hit so far, or tMax.
DEVICE void setReach(WideRay& r, float t) {
  r.t = t;
  r.scale = exactInverse(minf(t, FARTHEST) * SLAB_WIDEN);
}

DEVICE WideRay wideRay(const RayQuery& q) {
  WideRay r;
  r.origin = q.origin;
  r.direction = q.direction;
  r.inverse = slabInverse(q.direction);
  r.top = 0;
  r.nodes = rootGroup();
  setReach(r, q.tMax);
  r.rank = 0;
  r.tree = IN_TLAS;
  r.base = 0;
  return r;
}

// The grid of a node as seen by the ray: distance = step · byte + start, as a share of the ray's reach. What lies behind the origin
// counts as 0 and what is out of reach as 1.
struct AxisGrid {
  float step, start;
};

DEVICE AxisGrid axisGrid(uint32_t exponent, float origin, float rayOrigin, float inverse) {
  float step = bitsFloat(exponent << 23) * inverse;
  return {step, madd(-GRID_SHIFT, step, (origin - rayOrigin) * inverse)};
}

DEVICE AxisGrid widened(const AxisGrid& g) { return {g.step * SLAB_WIDEN, g.start * SLAB_WIDEN}; }

DEVICE float at(const AxisGrid& g, uint32_t word, uint32_t i) { return maddUnit(gridByte(word, i), g.step, g.start); }

// boxes8 marks the slots whose boxes the ray meets: it leaves them after it enters. Far sides are widened, so that this holds of flat
// boxes too. Behind the origin and out of reach both are the same distance, which is a miss.
DEVICE uint32_t boxes8(const WideRay& r, const WideNode& n) {
  float3 inverse = r.inverse * r.scale;
  AxisGrid x = axisGrid(n.grid & 0xffu, n.origin.x, r.origin.x, inverse.x), farX = widened(x);
  AxisGrid y = axisGrid(n.grid >> 8 & 0xffu, n.origin.y, r.origin.y, inverse.y), farY = widened(y);
  AxisGrid z = axisGrid(n.grid >> 16 & 0xffu, n.origin.z, r.origin.z, inverse.z), farZ = widened(z);
  bool flipX = r.inverse.x < 0.0f, flipY = r.inverse.y < 0.0f, flipZ = r.inverse.z < 0.0f;
  uint32_t hits = 0;
#pragma unroll
  for (uint32_t back = 0; back < 8; back++) {
    uint32_t slot = 7 - back, half = slot / 4, i = slot % 4;
    int32_t near = greatest(at(x, flipX ? n.hiX[half] : n.loX[half], i), at(y, flipY ? n.hiY[half] : n.loY[half], i),
                            at(z, flipZ ? n.hiZ[half] : n.loZ[half], i));
    int32_t far = least(at(farX, flipX ? n.loX[half] : n.hiX[half], i), at(farY, flipY ? n.loY[half] : n.hiY[half], i),
                        at(farZ, flipZ ? n.loZ[half] : n.hiZ[half], i));
    hits = withSign(hits, near - far);
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
DEVICE void visitNode(WideRay& r, uint2* stack, TriangleGroup* triangles) {
  uint32_t first = floorLog2(r.nodes.y), slots = r.nodes.y & 0xffu;
  uint2 rest = {r.nodes.x, r.nodes.y & ~(1u << first)};
  if (rest.y & NODE_HITS) stack[r.top++] = rest;
  uint32_t octant = octantOf(r), slot = (first - 24u) ^ octant;
  uint32_t child = r.nodes.x + bitCount(slots & ~(~0u << slot));
  const WideNode n = load(wideNodes<levels>(r) + child);
  uint32_t hits = boxes8(r, n), inner = n.grid >> 24;
  r.nodes = {n.childBase, byOrder(hits & inner, octant) << 24 | inner};
  *triangles = {n.triangleBase, threefold(hits) & n.leaves, n.leaves};
}

// Two levels. Entering an instance pushes the rest of the TLAS group (nodes, then instances, which are recognised by having
// no NODE_HITS), then the ray in world space.

// instancesOf is a group of instances as two words: their bits by place.
DEVICE uint2 instancesOf(const TriangleGroup& g) {
  uint32_t places = 0;
  for (uint32_t left = g.hits; left != 0; left &= left - 1)
    places |= 1u << bitCount(g.all & ((left & (0u - left)) - 1));
  return {g.base, places};
}

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
DEVICE void visit(WideRay& r, uint2* stack, TriangleGroup* triangles) {
  visitNode<levels>(r, stack, triangles);
  if (!levels || r.tree != IN_TLAS || triangles->hits == 0) return;
  if (r.nodes.y & NODE_HITS) stack[r.top++] = r.nodes;
  enterInstance(r, stack, instancesOf(*triangles));
  triangles->hits = 0;
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

// bitsFrom are the bits from `first` up to but excluding `end`; both at most 32.
DEVICE uint32_t bitsFrom(uint32_t first, uint32_t end) {
  return (uint32_t)(((uint64_t)1 << end) - ((uint64_t)1 << first));
}

// shareOut lists what the rays of the warp are to test, up to one triangle per thread; returns how many. `mine` are the
// entries of this thread's ray.
DEVICE uint32_t shareOut(TriangleGroup* group, Sharing& shared, uint32_t* mine) {
  uint32_t total, first = sumBelow(bitCount(group->hits), &total), end = first;
  for (; group->hits != 0 && end < WARP_SIZE; end++) {
    uint32_t i = floorLog2(group->hits);
    group->hits &= ~(1u << i);
    shared.entry[end] = laneIndex() << 27 | triangleIndex(*group, i);
  }
  *mine = first < end ? bitsFrom(first, end) : 0u;
  return total;
}

// testTriangles tests up to one triangle per thread of those that the rays of a warp reached; true when this thread's ray hit one.
template <bool anyHit, bool levels, typename Source>
DEVICE bool testTriangles(WideRay& r, TriangleGroup* group, uint32_t index, const Source& source, Sharing& shared) {
  const uint32_t lane = laneIndex();
  bool hit = false;
  uint32_t mine, total = shareOut(group, shared, &mine);
  warpBarrier();
  uint32_t entry = shared.entry[lane], owner = entry >> 27, triangle = entry & ENTRY_TRIANGLE;
  if (lane >= total) owner = lane;
  float3 origin = fromLane(r.origin, owner), direction = fromLane(r.direction, owner);
  // One step farther, so that what is as far as the best hit comes through: of such the owner decides.
  Closest best = {bitsFloat(floatBits(fromLane(r.t, owner)) + 1u), 0.0f, 0.0f, 0u};
  uint32_t theirs = has(FEATURE_ALPHA) ? fromLane(index, owner) : NO_INDEX;
  Leaves leaves = leavesOf<levels>(levels ? fromLane(r.tree, owner) : STATIC_GEOMETRY, direction);
  bool met = lane < total &&
             hitTriangle(
                 leaves, triangle, origin, direction, [&] { return source.alphaSeed(theirs); }, NoCulling(), &best);
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
    if (!(t < r.t || (t == r.t && precedes(rank, r.rank)))) continue;
    hit = true;
    setReach(r, t);
    r.rank = rank;
    shared.bestU[lane] = shared.u[i];
    shared.bestV[lane] = shared.v[i];
  }
  warpBarrier();
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

// Aside is triangles that a ray has reached and not tested yet. It goes on meanwhile, until it has two groups of them; in one of
// two levels of trees it waits with the first, since they are of the tree that it is in.
struct Aside {
  TriangleGroup first, second;
};

template <bool levels>
DEVICE bool isFull(const Aside& a) {
  return (levels ? a.first.hits : a.second.hits) != 0;
}

// All threads of a warp test triangles once the rays of one in so many have some.
DEVICE_TABLE uint32_t TEST_SHARE = 3;

// isOver tells whether the ray of an index has its answer.
DEVICE bool isOver(uint32_t index, bool done, const Aside& a) { return index != NO_INDEX && done && a.first.hits == 0; }

// goesOn hands over the answer of a ray, unless it goes on behind what it has hit.
template <typename Source>
DEVICE bool goesOn(const Source& source, uint32_t index, const Hit& found, WideRay* ray) {
  if constexpr (continues<Source>) {
    RayQuery on = {ray->origin, ray->direction, 0.0f};
    if (found.triangle != NO_HIT && source.passes(index, found, &on)) {
      *ray = wideRay(on);
      return true;
    }
  }
  source.end(index, found);
  return false;
}

// walkLevels traces rays of the source until none are left. All threads of a warp iterate together: those without a ray
// help to test triangles until enough of them wait to fetch new rays.
template <bool anyHit, bool levels, typename Source, uint32_t THREADS>
DEVICE void walkLevels(const Source& source, Fetch<THREADS>& fetch, Sharing& shared) {
  uint2 stack[wideStack<levels>()];
  WideRay ray = {};
  Aside aside = {};
  uint32_t index = NO_INDEX;   // of the ray; none when it is done
  bool done = false;           // it has no nodes left to visit
  const uint32_t count = source.count();
  bool more = true;   // there may be rays left
  for (int32_t lost = LOST_TURNS;;) {
    // Rays that are done hand over their answers and make room for others, many at once.
    bool over = isOver(index, done, aside);
    if (lost >= LOST_TURNS) {
      if (over) {
        done = false;
        if (!goesOn(source, index, foundHit(ray, shared), &ray)) index = NO_INDEX;
      }
      if (more) more = refill<levels>(source, fetch, count, &index, &ray);
      warpBarrier();
      lost = 0;
      over = false;
    }
    uint32_t busy = lanesWhere(index != NO_INDEX && !over);
    bool waits = lanesWhere(more || over) != 0;   // somebody, for the others
    if (busy == 0) {
      if (!waits) return;
      lost = LOST_TURNS;
      continue;
    }
    if (waits) lost += (int32_t)(WARP_SIZE - bitCount(busy)) - IDLE_FREE;

    if (index != NO_INDEX && !done && !isFull<levels>(aside)) {
      TriangleGroup triangles;
      visit<levels>(ray, stack, &triangles);
      (aside.first.hits == 0 ? aside.first : aside.second) = triangles;
      if (!levels || triangles.hits == 0) done = !nextGroup<levels>(ray, stack);
    }

    uint32_t waiting = lanesWhere(aside.first.hits != 0);
    if (TEST_SHARE * bitCount(waiting) >= bitCount(busy) ||
        lanesWhere(index != NO_INDEX && !done && !isFull<levels>(aside)) == 0) {
      bool tests = aside.first.hits != 0;
      bool hit = testTriangles<anyHit, levels>(ray, &aside.first, index, source, shared);
      if (anyHit && hit) {
        aside = {};
        done = true;
      } else if (aside.first.hits == 0) {
        if (levels && tests) done = !nextGroup<levels>(ray, stack);
        aside.first = aside.second;
        aside.second.hits = 0;
      }
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
