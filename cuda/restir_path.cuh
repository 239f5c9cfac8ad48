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
DEVICE float3 baseShare(const Bsdf& b, float3 wi) {
  float pdf;
  float3 whole = evalBsdf(b, wi, &pdf);
  return shareOf(evalLobes(b, wi, 1u << LOBE_Diffuse), whole);
}

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

// passMirror goes on from a surface that is smooth, or stops there with its diffuse lobe alone: one is chosen at random.
// 0: the path ended, 1: it goes on, 2: this is x1.
DEVICE uint32_t passMirror(Path& p, LitVertex* v) {
  float u = sample1(p.sampler);
  float finite = v->b.select[LOBE_Diffuse];
  if (u < finite) {
    p.throughput *= 1.0f / finite;
    for (uint32_t i = 0; i < LOBE_COUNT; i++) v->b.select[i] = i == LOBE_Diffuse ? 1.0f : 0.0f;
    return 2;
  }
  BsdfSample bs = sampleBsdf(v->b, u, sample2(p.sampler));
  if (isBlack(bs.weight)) return 0;
  p.throughput *= bs.weight;
  p.delta = true;
  p.direction = bs.wi;
  p.origin = offsetOrigin(v->s.position, bs.transmitted ? -v->s.ng : v->s.ng, v->s.error);
  p.depth++;
  return 1;
}

// leaveFirst draws the direction from x1 to x2.
DEVICE bool leaveFirst(SharedPath& q, const LitVertex& v) {
  Path& p = q.p;
  float uLobe = sample1(p.sampler);
  BsdfSample bs = sampleBsdf(v.b, uLobe, sample2(p.sampler));
  if (isBlack(bs.weight)) return false;
  p.throughput *= bs.weight;
  p.pdf = bs.pdf;
  p.delta = bs.delta;
  p.direction = bs.wi;
  p.origin = offsetOrigin(v.s.position, bs.transmitted ? -v.s.ng : v.s.ng, v.s.error);
  p.depth++;
  p.finite++;
  q.stage = STAGE_SECOND;
  q.transmitted = bs.transmitted;
  q.toBase = bs.transmitted ? vec3(0.0f) : shareOf(evalShared(v.b, bs.wi), bs.weight * bs.pdf);
  return true;
}

// stepEye takes a hit on the way to x1, and at x1 samples a light and the direction to x2.
DEVICE bool stepEye(SharedPath& q, uint32_t pixel, const Hit& hit, SharedShadow* shadow) {
  LitVertex v;
  bool alive = arrive(q.p, hit, &v);
  q.straight += q.p.Lo;
  if (!alive) return false;
  q.travelled += hit.t;
  if (v.b.smooth) {
    uint32_t what = passMirror(q.p, &v);
    if (what < 2) return what == 1;
  }
  pointer<GBuffer>(frame.gbuffer)[pixel] = packGBuffer(v, hit, q.travelled, q.p.depth);
  pointer<Shade>(frame.shade)[pixel].prefix = q.p.throughput;
  nextEvent(q.p, v.s, v.b, &shadow->ray);
  shadow->straight = shadow->ray.contribution;
  shadow->ray.contribution = vec3(0.0f);
  return leaveFirst(q, v);
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
  return !s.front && !isBlack(pointer<const Material>(frame.materials)[s.material].scattering);
}

// stepSecond takes the hit at x2. Its own emission belongs to the direct light of x1; the rest starts a tail.
DEVICE bool stepSecond(SharedPath& q, uint32_t pixel, const Hit& hit, SharedShadow* shadow) {
  Path& p = q.p;
  float3 clear = p.throughput;
  LitVertex v;
  bool alive = arrive(p, hit, &v);
  q.straight += p.Lo;
  if (!alive) return false;
  float3 arrived = p.throughput, shared = q.toBase;
  bool absorbed = arrived.x != clear.x || arrived.y != clear.y || arrived.z != clear.z;
  bool reusable = !q.transmitted && !absorbed && !crossedMedium(v.s) &&
                  farEnough(pointer<const GBuffer>(frame.gbuffer)[pixel], v.s.position) && !isBlack(shared);
  if (reusable) keepSecond(pixel, v, p.pdf);
  if (!reusable) shared = vec3(0.0f);
  p.throughput = vec3(1.0f);
  p.Lo = vec3(0.0f);
  nextEvent(p, v.s, v.b, &shadow->ray);
  if (shadow->ray.tMax > 0.0f) {
    float3 share = baseShare(v.b, shadow->ray.direction), L = shadow->ray.contribution;
    shadow->ray.contribution = reusable ? L * share : vec3(0.0f);
    shadow->straight = L * arrived * (vec3(1.0f) - share * shared);
  }
  if (!scatter(p, v.s, v.b)) return false;
  float3 share = p.delta ? vec3(0.0f) : baseShare(v.b, p.direction);
  q.toBase = reusable ? share : vec3(0.0f);
  q.toStraight = arrived * (vec3(1.0f) - share * shared);
  q.stage = STAGE_TAIL;
  return true;
}

// stepTail takes a hit beyond x2.
DEVICE bool stepTail(SharedPath& q, const Hit& hit, SharedShadow* shadow) {
  bool alive = shadeHit(q.p, hit, &shadow->ray);
  q.base += q.p.Lo * q.toBase;
  q.straight += q.p.Lo * q.toStraight;
  shadow->straight = shadow->ray.contribution * q.toStraight;
  shadow->ray.contribution *= q.toBase;
  return alive;
}

// keepToItself sends all that the path will still gather straight to the image.
DEVICE void keepToItself(SharedPath& q) {
  q.stage = STAGE_TAIL;
  q.toBase = vec3(0.0f);
  q.toStraight = vec3(1.0f);
}

// advanceShared takes the hit of the extension ray, like advancePath.
DEVICE bool advanceShared(SharedPath& q, uint32_t pixel, const Hit& hit, SharedShadow* shadow) {
  *shadow = {};
  q.p.Lo = vec3(0.0f);
  uint32_t stretch = passMedium(q.p, hit);
  if (stretch != STRETCH_WHOLE) {
    // An event in a medium at or before x2 is no vertex that others can reach.
    if (q.stage != STAGE_TAIL) keepToItself(q);
    return stretch == STRETCH_SCATTERED;
  }
  if (q.stage == STAGE_EYE) return stepEye(q, pixel, hit, shadow);
  return q.stage == STAGE_SECOND ? stepSecond(q, pixel, hit, shadow) : stepTail(q, hit, shadow);
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
