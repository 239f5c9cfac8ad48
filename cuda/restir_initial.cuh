// ReSTIR GI, first pass: primary ray and mirrors up to x1, the G-buffer, direct light at x1, and a path from there whose
// second vertex and radiance become the initial sample. (Ouyang et al. 2021, §4.1; passes P0 to P2 of docs/restir-gi.md.)
#pragma once

#include "reservoir.cuh"

// LitVertex is a vertex with everything that shading it needs.
struct LitVertex {
  Surface s;
  Appearance a;
  Bsdf b;
  float3 wo;
};

// Outgoing is radiance that leaves x2 towards x1: of the Lambert base, which may be shared, and of everything else.
struct Outgoing {
  float3 base, rest;
};

// lightThrough traces a vertex's shadow ray and returns what arrives.
DEVICE float3 lightThrough(Path& p, const ShadowRay& shadow) {
  if (shadow.tMax <= 0.0f) return vec3(0.0f);
  countRay(COUNTER_SHADOW_RAYS);
  return traceAny(shadow.origin, shadow.direction, shadow.tMax, alphaSeed(p)) ? vec3(0.0f) : shadow.contribution;
}

DEVICE Hit extend(Path& p) {
  countRay(COUNTER_EXTENSION_RAYS);
  return traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p));
}

// arrive takes the hit of the extension ray: adds emission, with its weight against light sampling, and prepares the
// vertex. False when the path has ended there.
DEVICE bool arrive(Path& p, const Hit& hit, LitVertex* v) {
  if (hit.triangle == NO_HIT) {
    addEnvironment(p);
    return false;
  }
  v->wo = -p.direction;
  v->s = makeSurface(hit, v->wo);
  const Material& m = pointer<const Material>(frame.materials)[v->s.material];
  if (!v->s.front && m.transmission > 0.0f && !(m.flags & MATERIAL_THIN) && !isBlack(m.attenuation))
    absorb(p, m, hit.t);
  v->a = makeAppearance(m, v->s);
  if (m.flags & MATERIAL_UNLIT) {
    if (wanted(p.finite)) p.Lo += p.throughput * v->a.baseColor;
    return false;
  }
  if (!isBlack(v->a.emission)) addEmission(p, v->s, v->a.emission, hit.t);
  if (p.depth >= frame.bounces) return false;
  v->b = makeBsdf(m, v->s, v->a, v->wo);
  return true;
}

// primaryVertex follows the camera ray through mirrors and smooth glass to the first vertex with a finite lobe. Where a
// surface has both kinds of lobe, one is chosen at random. False when the path ended; what it saw is in p.Lo.
DEVICE bool primaryVertex(Path& p, LitVertex* v, Hit* hit, float* depth) {
  *depth = 0.0f;
  for (;;) {
    *hit = extend(p);
    if (!arrive(p, *hit, v)) return false;
    *depth += hit->t;
    if (!v->b.smooth) return true;
    float u = sample1(p.sampler);
    float finite = v->b.select[LOBE_Diffuse];
    if (u < finite) {
      p.throughput *= 1.0f / finite;
      for (uint32_t i = 0; i < LOBE_COUNT; i++) v->b.select[i] = i == LOBE_Diffuse ? 1.0f : 0.0f;
      return true;
    }
    BsdfSample bs = sampleBsdf(v->b, u, sample2(p.sampler));
    if (isBlack(bs.weight)) return false;
    p.throughput *= bs.weight;
    p.delta = true;
    p.direction = bs.wi;
    p.origin = offsetOrigin(v->s.position, bs.transmitted ? -v->s.ng : v->s.ng, v->s.error);
    p.depth++;
  }
}

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

// tailRadiance is the light that leaves x2 towards x1: light sampled there, then the rest of the path. x2's own emission
// belongs to the direct light of x1 and is left out.
DEVICE Outgoing tailRadiance(Path& p, const LitVertex& v) {
  p.throughput = vec3(1.0f);
  p.Lo = vec3(0.0f);
  ShadowRay shadow;
  shadow.tMax = 0.0f;
  nextEvent(p, v.s, v.b, &shadow);
  float3 lit = lightThrough(p, shadow);
  float3 litBase = isBlack(lit) ? lit : lit * baseShare(v.b, shadow.direction);
  Outgoing L = {litBase, lit - litBase};
  if (!scatter(p, v.s, v.b)) return L;
  float3 share = p.delta ? vec3(0.0f) : baseShare(v.b, p.direction);
  for (bool alive = true; alive;) {
    Hit hit = extend(p);
    ShadowRay next = {};
    alive = advancePath(p, hit, &next);
    p.Lo += lightThrough(p, next);
  }
  L.base += p.Lo * share;
  L.rest += p.Lo * (vec3(1.0f) - share);
  return L;
}

DEVICE GBuffer packGBuffer(const LitVertex& v, const Hit& hit, float depth, bool mirrored) {
  const Bsdf& b = v.b;
  float3 c = v.a.baseColor;
  uint32_t flags = GBUFFER_VALID | (mirrored ? 0u : GBUFFER_DIRECT);
  if (b.select[LOBE_Diffuse] > 0.0f || sharesReflection(b)) flags |= GBUFFER_REUSABLE;
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

// initialReservoir turns the path from x1 into a sample; everything that is not to be shared is added to `straight`.
DEVICE Reservoir initialReservoir(Path& p, const LitVertex& x1, const GBuffer& g, float3* straight) {
  Reservoir none = nullReservoir(1);
  float3 prefix = p.throughput;
  float uLobe = sample1(p.sampler);
  BsdfSample bs = sampleBsdf(x1.b, uLobe, sample2(p.sampler));
  if (isBlack(bs.weight)) return none;
  float3 clear = prefix * bs.weight;
  p.throughput = clear;
  p.pdf = bs.pdf;
  p.delta = bs.delta;
  p.direction = bs.wi;
  p.origin = offsetOrigin(x1.s.position, bs.transmitted ? -x1.s.ng : x1.s.ng, x1.s.error);
  p.depth++;
  p.finite++;
  LitVertex x2;
  bool alive = arrive(p, extend(p), &x2);
  *straight += p.Lo;
  p.Lo = vec3(0.0f);
  if (!alive) return none;
  float3 arrived = p.throughput;
  bool absorbed = arrived.x != clear.x || arrived.y != clear.y || arrived.z != clear.z;
  Outgoing L = tailRadiance(p, x2);
  float3 f = bs.weight * bs.pdf, shared = evalShared(x1.b, bs.wi);
  bool reusable =
      !bs.transmitted && !absorbed && farEnough(g, x2.s.position) && finite(L.base) && !isBlack(shared * L.base);
  if (!reusable) shared = vec3(0.0f);
  *straight += arrived * (L.rest + shareOf(f - shared, f) * L.base);
  if (!reusable) return none;
  Reservoir r;
  r.x2 = x2.s.position;
  r.n2 = packNormal(x2.s.ng);
  r.W = 1.0f / bs.pdf;
  float coat = x2.b.coat > 0.0f ? maxComponent(x2.b.coatF0) : 0.0f;
  r.meta = 1u | (pack4(0.0f, 0.0f, x2.a.roughness, coat) & 0xffff0000u);
  packRadiance(L.base, sample1(p.sampler), sample1(p.sampler), &r);
  return r;
}

KERNEL(initial_samples) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  Path p = beginPath(x, y);
  countRay(COUNTER_PATHS);
  GBuffer g = {};
  Reservoir r = nullReservoir(1);
  Shade shade = {vec3(0.0f), 0.0f, vec3(0.0f), 0.0f};
  LitVertex x1;
  Hit hit;
  float depth;
  if (primaryVertex(p, &x1, &hit, &depth)) {
    g = packGBuffer(x1, hit, depth, p.depth > 0);
    shade.prefix = p.throughput;
    ShadowRay shadow;
    shadow.tMax = 0.0f;
    nextEvent(p, x1.s, x1.b, &shadow);
    p.Lo += lightThrough(p, shadow);
    shade.direct = p.Lo;
    p.Lo = vec3(0.0f);
    r = initialReservoir(p, x1, g, &shade.direct);
  } else {
    shade.direct = p.Lo;
  }
  pointer<GBuffer>(frame.gbuffer)[pixel] = g;
  pointer<Reservoir>(frame.reservoirs)[pixel] = r;
  pointer<Shade>(frame.shade)[pixel] = shade;
}
