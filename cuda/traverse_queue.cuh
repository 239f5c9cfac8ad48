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
#include "wide_ray.cuh"

// A thread goes for a new ray when its warp has lost so many turns to idle threads, beyond so many idle ones each turn.
DEVICE_TABLE int32_t LOST_TURNS = 16;
DEVICE_TABLE int32_t IDLE_FREE = 4;

// Sharing is where the threads of a warp share triangles to test: each tests one, whoever's ray met it. The rays of a warp
// meet triangles at different turns, a few at a time: alone, most threads would wait for the one with the most.
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

// bitsFrom are the bits from first to below end; both at most 32.
DEVICE uint32_t bitsFrom(uint32_t first, uint32_t end) {
  return (uint32_t)(((uint64_t)1 << end) - ((uint64_t)1 << first));
}

// shareOut writes down what the rays of the warp are to test, up to one triangle a thread; returns how many. `mine` are the
// places of this thread's.
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

// testTriangles tests what the rays of a warp met; true when this thread's ray hit something.
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
    Leaves leaves = leavesOf<levels>(levels ? fromLane(r.tree, owner) : BAKED, direction);
    bool met =
        lane < total && hitTriangle(
                            leaves, triangle, origin, direction, [&] { return source.alphaSeed(theirs); }, &best);
    if (met) {
      shared.t[lane] = best.t;
      shared.u[lane] = best.u;
      shared.v[lane] = best.v;
    }
    uint32_t hits = lanesWhere(met), firstId = levels && r.tree < UPPER ? instanceAt(r.tree).first : 0u;
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

// found is what a ray has hit.
DEVICE Hit found(const WideRay& r, const Sharing& shared) {
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
    if (!levels && frame.nodeCount == 0) {
      source.end(next, toHit(closestNone(q.tMax)));
      continue;
    }
    *ray = wideRay(q);
    *index = next;
  }
  return true;
}

// walkLevels traces rays of the source until there are none left. A warp goes in step, turn after turn: threads without a ray
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
    if (index != NO_INDEX && ((anyHit && hit) || !takeNext<levels>(ray, stack))) {
      source.end(index, found(ray, shared));
      index = NO_INDEX;
    }
  }
}

// walkQueue takes the loop that suits the scene.
template <bool anyHit, typename Source, uint32_t THREADS>
DEVICE void walkQueue(const Source& source, Fetch<THREADS>& fetch) {
  WARP_SHARED(Sharing, shared, THREADS)
  if (twoLevels())
    walkLevels<anyHit, true>(source, fetch, shared);
  else
    walkLevels<anyHit, false>(source, fetch, shared);
}

// traceQueue is walkQueue on a GPU; a processor has nothing to gain from it and traces one ray after the other.
template <bool anyHit, typename Source, uint32_t THREADS>
DEVICE void traceQueue(const Source& source, Fetch<THREADS>& fetch) {
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
