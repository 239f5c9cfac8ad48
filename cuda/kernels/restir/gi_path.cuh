// The path that ReSTIR GI takes its initial sample from, as steps like those of path.cuh: primary ray and mirrors up to
// x1, the G-buffer, direct light at x1, one direction to x2, and from there the light that leaves x2 towards x1.
// (Ouyang et al. 2021, §4.1; passes P0 to P2 of docs/restir-gi.md.)
#pragma once

#include "path/hits.cuh"
#include "restir/reservoir.cuh"

// Where a path stands before it takes its next hit.
enum Stage : uint32_t {
  STAGE_EYE = 0,      // looking for x1
  STAGE_SECOND = 1,   // on the way from x1 to x2
  STAGE_TAIL = 2,     // beyond x2
};

// Division says how light is divided that a path beyond x2 gathers. What a sample may share, the light of x2's Lambert base, goes
// to base; the rest goes straight to the image. On the way from x1 to x2, toBase is what x1 may share of its BSDF, by channel.
struct Division {
  float3 toBase;
  float3 toStraight;
};

// SharedPath is such a path. Beyond x2 throughput starts again from 1, so that it belongs to the sample alone; both parts
// of the light are linear in it. What it gathers, and its Division, stand in a ledger, which only some steps look into:
//   Division division() const;  void divide(const Division&);
//   void gather(float3 base, float3 straight);            radiance [nit]: from x2, and to the eye
//   void ask(const ShadowRay&, float3 straight);          a shadow ray: its contribution goes to base, `straight` straight
struct SharedPath {
  Path p;
  float travelled;    // EYE: so far [m]
  uint32_t stage;     // enum Stage
  bool transmitted;   // SECOND: x1 was passed, not left
};

// shareOf is part / whole for each channel, 0 where there is nothing.
DEVICE float3 shareOf(float3 part, float3 whole) {
  return make_float3(whole.x > 0.0f ? part.x / whole.x : 0.0f, whole.y > 0.0f ? part.y / whole.y : 0.0f,
                     whole.z > 0.0f ? part.z / whole.z : 0.0f);
}

// packGBuffer keeps x1, seen along `depth` metres and so many mirrors.
DEVICE GBuffer packGBuffer(const LitVertex& v, const Hit& hit, float depth, uint32_t mirrors) {
  const Bsdf& b = v.b;
  float3 c = v.a.baseColor;
  uint32_t flags = GBUFFER_VALID | (mirrors > 0 ? 0u : GBUFFER_DIRECT) | minu(mirrors, MAX_MIRRORS) * GBUFFER_MIRROR;
  bool shares = b.select[LOBE_Diffuse] > 0.0f || sharesReflection(b);
  if (shares && mirrors < MAX_MIRRORS) flags |= GBUFFER_REUSABLE;
  GBuffer g;
  g.position = v.s.position;
  g.ns = packNormal(b.basis.z);
  g.ng = packNormal(v.s.ng);
  g.wo = packNormal(v.wo);
  g.color = pack4(sqrtf(c.x), sqrtf(c.y), sqrtf(c.z), 0.0f) | flags << 24;
  g.lobes = pack4(sqrtf(b.alpha), v.a.metallic, maxComponent(b.coatF0) * (1.0f - v.a.metallic), b.base);
  g.depth = depth;
  g.triangle = hit.triangle;
  g.u = hit.u;
  g.v = hit.v;
  return g;
}

// beginShared starts a pixel's path and leaves as they are to be when nothing is found what endShared does not write.
DEVICE SharedPath beginShared(uint32_t x, uint32_t y) {
  SharedPath q = {};
  q.p = beginPath(x, y);
  uint32_t pixel = y * frame.film.width + x;
  pointer<GBuffer>(frame.restir.gbuffer)[pixel] = {};
  pointer<Shade>(frame.restir.shade)[pixel].direct = vec3(0.0f);
  return q;
}

// stopsAt tells whether the path stops at a surface that is smooth, with its wide lobes alone, or passes it as a mirror: u
// chooses.
DEVICE bool stopsAt(Path& p, Bsdf& b, float u) {
  float finite = nonSpecularShare(b);
  if (u >= finite) return false;
  p.throughput *= 1.0f / finite;
  keepNonSpecularLobes(b);
  return true;
}

// keepFirst writes what pixels need to know of x1.
DEVICE void keepFirst(const SharedPath& q, uint32_t pixel, const LitVertex& v, const Hit& hit) {
  pointer<GBuffer>(frame.restir.gbuffer)[pixel] = packGBuffer(v, hit, q.travelled, q.p.depth);
  pointer<Shade>(frame.restir.shade)[pixel].prefix = q.p.throughput;
}

// keepSecond writes all of the sample but its radiance.
DEVICE void keepSecond(uint32_t pixel, const LitVertex& v, float pdf) {
  Reservoir r = nullReservoir(1);
  r.x2 = v.s.position;
  r.n2 = packNormal(v.s.ng);
  r.W = 1.0f / pdf;
  float coat = v.b.coat > 0.0f ? maxComponent(v.b.coatF0) : 0.0f;
  r.meta |= pack4(0.0f, 0.0f, v.a.roughness, coat) & 0xffff0000u;
  pointer<Reservoir>(frame.restir.reservoirs)[pixel] = r;
}

// crossedMedium tells whether the stretch up to a surface led through a scattering medium.
DEVICE bool crossedMedium(const Surface& s) {
  return has(FEATURE_MEDIA) && !s.front &&
         !isBlack(pointer<const Material>(frame.scene.materials)[s.material].scattering);
}

// Second is what the vertex x2 decides about its tail.
struct Second {
  float3 arrived;   // throughput from the eye
  float3 shared;    // of it, by channel; zero where the sample may not be shared at all
};

// beginTail keeps x2 where it may be shared, and starts throughput again from 1. `share` is what x1 may, `absorbed` whether
// a volume took some of the light on the way to x2, which belongs to no other pixel.
DEVICE Second beginTail(SharedPath& q, uint32_t pixel, const LitVertex& v, float3 share, bool absorbed) {
  Path& p = q.p;
  Second second = {p.throughput, share};
  if (q.transmitted || absorbed || crossedMedium(v.s) || isBlack(share) || isCovered(v.b) ||
      !farEnough(fetch<GBuffer>(frame.restir.gbuffer, pixel), v.s.position))
    second.shared = vec3(0.0f);
  else
    keepSecond(pixel, v, p.pdf);
  p.throughput = vec3(1.0f);
  return second;
}

// dividedAt is how light is divided that arrives at x2 from where the BSDF has value v.
DEVICE Division dividedAt(const Second& second, const BsdfValue& v) {
  float3 share = shareOf(sharedBase(v), v.f);
  return {isBlack(second.shared) ? vec3(0.0f) : share, second.arrived * (vec3(1.0f) - share * second.shared)};
}

// gatherArrived adds what the path met, p.Lo.
template <typename Ledger>
DEVICE void gatherArrived(const SharedPath& q, Ledger& ledger) {
  if (isBlack(q.p.Lo)) return;
  if (q.stage != STAGE_TAIL) return ledger.gather(vec3(0.0f), q.p.Lo);
  Division d = ledger.division();
  ledger.gather(q.p.Lo * d.toBase, q.p.Lo * d.toStraight);
}

// askShared asks with a shadow ray whose contribution is divided as the path's light is. What x1 itself reflects of a light
// goes straight.
template <typename Ledger>
DEVICE void askShared(const SharedPath& q, const Second& second, ShadowRay ray, const BsdfValue& v, Ledger& ledger) {
  float3 L = ray.contribution;
  Division d = {vec3(0.0f), vec3(1.0f)};
  if (q.stage == STAGE_SECOND) d = dividedAt(second, v);
  if (q.stage == STAGE_TAIL) d = ledger.division();
  ray.contribution = L * d.toBase;
  ledger.ask(ray, L * d.toStraight);
}

// passShared takes the path through a medium. False when it was scattered or ended: an event there, at or before x2, is no
// vertex that others can reach, so all that the path will still gather goes straight.
template <typename Ledger>
DEVICE bool passShared(SharedPath& q, const Hit& hit, bool* alive, Ledger& ledger) {
  uint32_t stretch = passMedium(q.p, hit);
  if (stretch == STRETCH_WHOLE) return true;
  if (q.stage != STAGE_TAIL) {
    q.stage = STAGE_TAIL;
    ledger.divide({vec3(0.0f), vec3(1.0f)});
  }
  *alive = stretch == STRETCH_SCATTERED;
  return false;
}

// stopAtFirst decides at a vertex seen from the eye whether it is x1, and keeps it then. False: it is passed as a mirror, by
// *uLobe.
DEVICE bool stopAtFirst(SharedPath& q, uint32_t pixel, const Hit& hit, LitVertex& v, float* uLobe) {
  q.travelled += hit.t;
  if (v.b.smooth) {
    *uLobe = sample1(q.p.sampler);
    if (!stopsAt(q.p, v.b, *uLobe)) return false;
  }
  keepFirst(q, pixel, v, hit);
  return true;
}

// advanceShared takes the hit of the extension ray, like advancePath. What all stages do stands here once: a kernel that
// shades is large, and the smaller the faster.
template <typename Ledger>
DEVICE bool advanceShared(SharedPath& q, uint32_t pixel, const Hit& hit, Ledger& ledger) {
  Path& p = q.p;
  bool alive;
  if (!passShared(q, hit, &alive, ledger)) return alive;
  p.Lo = vec3(0.0f);
  float3 clear = p.throughput;
  LitVertex v = {};
  alive = arrive(p, hit, &v);
  gatherArrived(q, ledger);
  if (!alive) return false;

  bool mirror = false;
  float uLobe = 0.0f;
  Second second = {};
  if (q.stage == STAGE_EYE) mirror = !stopAtFirst(q, pixel, hit, v, &uLobe);
  if (q.stage == STAGE_SECOND) {
    bool absorbed = has(FEATURE_GLASS) && !same(p.throughput, clear);
    second = beginTail(q, pixel, v, ledger.division().toBase, absorbed);
  }

  BsdfValue onward;
  BsdfSample next = turnAt(p, v.s, v.b, !mirror, uLobe, &onward, [&](const ShadowRay& ray, const BsdfValue& toLight) {
    askShared(q, second, ray, toLight, ledger);
  });
  if (isBlack(next.weight)) return false;
  leave(p, v.s, next);
  if (mirror) return true;
  if (q.stage == STAGE_EYE) {
    q.stage = STAGE_SECOND;
    q.transmitted = next.transmitted;
    float3 share = shareOf(sharedPart(v.b, onward, next.wi), onward.f);
    ledger.divide({next.transmitted ? vec3(0.0f) : share, vec3(0.0f)});
    return true;
  }
  if (!roulette(p)) return false;
  if (q.stage == STAGE_SECOND) {
    q.stage = STAGE_TAIL;
    // What a delta lobe sees is no light of the Lambert base: its value is 0.
    ledger.divide(dividedAt(second, onward));
  }
  return true;
}

// endShared turns what was gathered into the pixel's initial sample and what goes straight to the image.
DEVICE void endShared(Sampler sampler, uint32_t pixel, float3 base, float3 straight) {
  bool shares = finite(base) && !isBlack(base);
  Reservoir* r = pointer<Reservoir>(frame.restir.reservoirs) + pixel;
  float2 dither = sample2(sampler);
  if (shares)
    packRadiance(base, dither.x, dither.y, r);
  else
    *r = nullReservoir(1);
  // What is not a number is dropped and counted by the accumulator.
  pointer<Shade>(frame.restir.shade)[pixel].direct = finite(base) ? straight : base;
}

// --- The megakernel -------------------------------------------------------------------------------------------------
// The whole path of each pixel's initial sample, traversal inline.

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

KERNEL(initial_samples, 128, 5, megakernel) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
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
