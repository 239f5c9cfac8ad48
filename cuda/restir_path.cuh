// The path that ReSTIR GI takes its initial sample from, as steps like those of path.cuh: primary ray and mirrors up to
// x1, the G-buffer, direct light at x1, one direction to x2, and from there the light that leaves x2 towards x1.
// (Ouyang et al. 2021, §4.1; passes P0 to P2 of docs/restir-gi.md.)
#pragma once

#include "reservoir.cuh"

// Where a path stands before it takes its next hit.
enum Stage : uint32_t {
  STAGE_EYE = 0,      // looking for x1
  STAGE_SECOND = 1,   // on the way from x1 to x2
  STAGE_TAIL = 2,     // beyond x2
};

// SharedPath keeps apart what its sample may share, the light of x2's Lambert base, and what goes straight to the image.
// Beyond x2 throughput starts again from 1, so that it belongs to the sample alone; both parts are linear in it.
struct SharedPath {
  Path p;
  float3 base;         // gathered for the sample: radiance from x2 [nit]
  float3 straight;     // gathered for the image [nit]
  float3 toBase;       // TAIL: share of what arrives that goes to base. SECOND: what x1 may share of f, by channel
  float3 toStraight;   // TAIL: share of what arrives that goes to straight
  float travelled;     // EYE: so far [m]
  uint32_t stage;      // enum Stage
  bool transmitted;    // SECOND: x1 was passed, not left
};

// SharedShadow is a shadow ray whose contribution goes to base, with another that goes to straight.
struct SharedShadow {
  ShadowRay ray;
  float3 straight;
};

// shareOf is part / whole for each channel, 0 where there is nothing.
DEVICE float3 shareOf(float3 part, float3 whole) {
  return make_float3(whole.x > 0.0f ? part.x / whole.x : 0.0f, whole.y > 0.0f ? part.y / whole.y : 0.0f,
                     whole.z > 0.0f ? part.z / whole.z : 0.0f);
}

// baseShare is how much of the BSDF's value in a direction comes from the Lambert base.
DEVICE float3 baseShare(const BsdfValue& v) { return shareOf(v.part[LOBE_Diffuse], v.f); }

// packGBuffer keeps x1, seen along `depth` metres and so many mirrors.
DEVICE GBuffer packGBuffer(const LitVertex& v, const Hit& hit, float depth, uint32_t mirrors) {
  const Bsdf& b = v.b;
  float3 c = v.a.baseColor;
  uint32_t flags = GBUFFER_VALID | (mirrors > 0 ? 0u : GBUFFER_DIRECT) | minu(mirrors, MAX_MIRRORS) * GBUFFER_MIRROR;
  bool shares = b.select[LOBE_Diffuse] > 0.0f || sharesReflection(b);
  if (shares && mirrors < MAX_MIRRORS) flags |= GBUFFER_REUSABLE;
  float base = maxComponent(b.diffuse) / maxf(maxComponent(c), 1e-4f);
  GBuffer g;
  g.position = v.s.position;
  g.ns = packNormal(b.basis.z);
  g.ng = packNormal(v.s.ng);
  g.wo = packNormal(v.wo);
  g.color = pack4(sqrtf(c.x), sqrtf(c.y), sqrtf(c.z), 0.0f) | flags << 24;
  g.lobes = pack4(sqrtf(b.alpha), v.a.metallic, maxComponent(b.coatF0) * (1.0f - v.a.metallic), base);
  g.depth = depth;
  g.triangle = hit.triangle;
  g.u = hit.u;
  g.v = hit.v;
  return g;
}

// beginShared starts a pixel's path and leaves its buffers as they are to be when nothing is found.
DEVICE SharedPath beginShared(uint32_t x, uint32_t y) {
  SharedPath q = {};
  q.p = beginPath(x, y);
  uint32_t pixel = y * frame.width + x;
  pointer<GBuffer>(frame.gbuffer)[pixel] = {};
  pointer<Reservoir>(frame.reservoirs)[pixel] = nullReservoir(1);
  pointer<Shade>(frame.shade)[pixel] = {vec3(0.0f), 0.0f, vec3(0.0f), 0.0f};
  return q;
}

// stopsAt tells whether the path stops at a surface that is smooth, with its wide lobes alone, or passes it as a mirror: u
// chooses.
DEVICE bool stopsAt(Path& p, Bsdf& b, float u) {
  float finite = wideShare(b);
  if (u >= finite) return false;
  p.throughput *= 1.0f / finite;
  keepWideLobes(b);
  return true;
}

// keepFirst writes what pixels need to know of x1.
DEVICE void keepFirst(const SharedPath& q, uint32_t pixel, const LitVertex& v, const Hit& hit) {
  pointer<GBuffer>(frame.gbuffer)[pixel] = packGBuffer(v, hit, q.travelled, q.p.depth);
  pointer<Shade>(frame.shade)[pixel].prefix = q.p.throughput;
}

// keepSecond writes all of the sample but its radiance.
DEVICE void keepSecond(uint32_t pixel, const LitVertex& v, float pdf) {
  Reservoir r = nullReservoir(1);
  r.x2 = v.s.position;
  r.n2 = packNormal(v.s.ng);
  r.W = 1.0f / pdf;
  float coat = v.b.coat > 0.0f ? maxComponent(v.b.coatF0) : 0.0f;
  r.meta |= pack4(0.0f, 0.0f, v.a.roughness, coat) & 0xffff0000u;
  pointer<Reservoir>(frame.reservoirs)[pixel] = r;
}

// crossedMedium tells whether the stretch up to a surface led through a scattering medium.
DEVICE bool crossedMedium(const Surface& s) {
  return has(FEATURE_MEDIA) && !s.front && !isBlack(pointer<const Material>(frame.materials)[s.material].scattering);
}

// Second is what the vertex x2 decides about its tail.
struct Second {
  float3 arrived;   // throughput from the eye
  float3 shared;    // of it, by channel; zero where the sample may not be shared at all
};

// beginTail keeps x2 where it may be shared, and starts throughput again from 1. `clear` is the throughput before absorption
// on the way to x2, which belongs to no other pixel.
DEVICE Second beginTail(SharedPath& q, uint32_t pixel, const LitVertex& v, float3 clear) {
  Path& p = q.p;
  Second second = {p.throughput, q.toBase};
  float3 a = p.throughput;
  bool absorbed = a.x != clear.x || a.y != clear.y || a.z != clear.z;
  if (q.transmitted || absorbed || crossedMedium(v.s) || isBlack(second.shared) ||
      !farEnough(fetch<GBuffer>(frame.gbuffer, pixel), v.s.position))
    second.shared = vec3(0.0f);
  else
    keepSecond(pixel, v, p.pdf);
  p.throughput = vec3(1.0f);
  return second;
}

// divideTail sets how light is divided that arrives at x2 from where the BSDF has value v.
DEVICE void divideTail(SharedPath& q, const Second& second, const BsdfValue& v) {
  float3 share = baseShare(v);
  q.toBase = isBlack(second.shared) ? vec3(0.0f) : share;
  q.toStraight = second.arrived * (vec3(1.0f) - share * second.shared);
}

// leaveFirst is on its way from x1 to x2.
DEVICE bool leaveFirst(SharedPath& q, const Bsdf& b, const Turn& turn) {
  q.stage = STAGE_SECOND;
  q.transmitted = turn.next.transmitted;
  q.toBase = q.transmitted ? vec3(0.0f) : shareOf(sharedPart(b, turn.onward, turn.next.wi), turn.onward.f);
  return true;
}

// leaveSecond is on its way beyond x2. What a delta lobe sees is no light of the Lambert base: its value is 0.
DEVICE void leaveSecond(SharedPath& q, const Second& second, const Turn& turn) {
  q.stage = STAGE_TAIL;
  divideTail(q, second, turn.onward);
}

// divideShadow divides the contribution of a shadow ray as the path's light is. What x1 itself reflects of a light goes
// straight.
DEVICE void divideShadow(const SharedPath& q, SharedShadow* shadow) {
  float3 L = shadow->ray.contribution;
  bool first = q.stage == STAGE_EYE;
  shadow->straight = first ? L : L * q.toStraight;
  shadow->ray.contribution = first ? vec3(0.0f) : L * q.toBase;
}

// keepToItself sends all that the path will still gather straight to the image.
DEVICE void keepToItself(SharedPath& q) {
  q.stage = STAGE_TAIL;
  q.toBase = vec3(0.0f);
  q.toStraight = vec3(1.0f);
}

// advanceShared takes the hit of the extension ray, like advancePath. What all stages do stands here once: a kernel that
// shades is large, and the smaller the faster.
DEVICE bool advanceShared(SharedPath& q, uint32_t pixel, const Hit& hit, SharedShadow* shadow) {
  Path& p = q.p;
  *shadow = {};
  p.Lo = vec3(0.0f);
  uint32_t stretch = passMedium(p, hit);
  if (stretch != STRETCH_WHOLE) {
    // An event in a medium at or before x2 is no vertex that others can reach.
    if (q.stage != STAGE_TAIL) keepToItself(q);
    return stretch == STRETCH_SCATTERED;
  }
  float3 clear = p.throughput;
  LitVertex v = {};
  bool alive = arrive(p, hit, &v);
  q.base += q.stage == STAGE_TAIL ? p.Lo * q.toBase : vec3(0.0f);
  q.straight += q.stage == STAGE_TAIL ? p.Lo * q.toStraight : p.Lo;
  if (!alive) return false;

  bool mirror = false;
  float uLobe = 0.0f;
  Second second = {};
  if (q.stage == STAGE_EYE) {
    q.travelled += hit.t;
    if (v.b.smooth) {
      uLobe = sample1(p.sampler);
      mirror = !stopsAt(p, v.b, uLobe);
    }
    if (!mirror) keepFirst(q, pixel, v, hit);
  } else if (q.stage == STAGE_SECOND) {
    second = beginTail(q, pixel, v, clear);
  }

  Turn turn = {};
  if (!mirror) {
    askLight(p, v.s, v.b, &turn);
    uLobe = sample1(p.sampler);
  }
  turn.next = drawBsdf(v.b, uLobe, sample2(p.sampler));
  evalTurn(v.b, &turn);
  if (shadowOf(p, v.s, turn, &shadow->ray)) {
    if (q.stage == STAGE_SECOND) divideTail(q, second, turn.toLight);
    divideShadow(q, shadow);
  }
  if (isBlack(turn.next.weight)) return false;
  leave(p, v.s, turn.next);
  if (mirror) return true;
  if (q.stage == STAGE_EYE) return leaveFirst(q, v.b, turn);
  if (!roulette(p)) return false;
  if (q.stage == STAGE_SECOND) leaveSecond(q, second, turn);
  return true;
}

// endShared turns what was gathered into the pixel's initial sample and what goes straight to the image.
DEVICE void endShared(SharedPath& q, uint32_t pixel) {
  bool shares = finite(q.base) && !isBlack(q.base);
  Reservoir* r = pointer<Reservoir>(frame.reservoirs) + pixel;
  float2 dither = sample2(q.p.sampler);
  if (shares)
    packRadiance(q.base, dither.x, dither.y, r);
  else
    *r = nullReservoir(1);
  // What is not a number is dropped and counted by the accumulator.
  pointer<Shade>(frame.shade)[pixel].direct = finite(q.base) ? q.straight : q.base;
}
