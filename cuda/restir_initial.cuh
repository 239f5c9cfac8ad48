// ReSTIR GI, first pass, as a megakernel: the whole path of each pixel's initial sample, traversal inline.
#pragma once

#include "first_hits.cuh"
#include "restir_path.cuh"

// Held is the ledger of a path that one thread follows to its end.
struct Held {
  Division d;
  float3 base, straight;
  ShadowRay shadow;
  float3 shadowStraight;
  DEVICE_METHOD Division division() const { return d; }
  DEVICE_METHOD void divide(const Division& next) { d = next; }
  DEVICE_METHOD void gather(float3 toBase, float3 toStraight) {
    base += toBase;
    straight += toStraight;
  }
  DEVICE_METHOD void ask(const ShadowRay& ray, float3 toStraight) {
    shadow = ray;
    shadowStraight = toStraight;
  }
};

KERNEL(initial_samples) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  SharedPath q = beginShared(x, y);
  Held held = {};
  countRay(COUNTER_PATHS);
  for (bool alive = true; alive;) {
    Hit hit = nextHit(index, q.p);
    held.shadow.tMax = 0.0f;
    alive = advanceShared(q, pixel, hit, held);
    if (alive) countAlive(q.p.depth);
    const ShadowRay& shadow = held.shadow;
    if (shadow.tMax <= 0.0f) continue;
    countRay(COUNTER_SHADOW_RAYS);
    if (traceAny(shadow.origin, shadow.direction, shadow.tMax, shadow.alphaSeed)) continue;
    held.gather(shadow.contribution, held.shadowStraight);
  }
  endShared(q.p.sampler, pixel, held.base, held.straight);
}
