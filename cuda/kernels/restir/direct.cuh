// Direct light of x1 in the reservoir of ReSTIR: one of several light samples, or light that the path's own next ray met. The
// balance heuristic between both is inside the sample's weight. (Bitterli et al. 2020, ReSTIR; Talbot et al. 2005.)
#pragma once

#include "path/panes.cuh"
#include "restir/vertex.cuh"
#include "restir/visibility.cuh"

DEVICE bool sharesDirect() { return (frame.restir.flags & RESTIR_DIRECT) != 0; }

// lightSampleWeight is the MIS weight of one of N light samples over its density: 1 / (N p_light + p_bsdf) where p_light is
// what chanceWeight takes for it.
DEVICE float lightSampleWeight(const LightSample& l, float bsdfPdf) {
  float n = (float)frame.restir.lightSamples;
  if (l.delta || frame.sampling.strategy == SAMPLING_LIGHT) return 1.0f / (n * l.pdf);
  if (frame.sampling.strategy != SAMPLING_MIS) return 0.0f;
  return l.pdfWithoutNormal / l.pdf / (n * l.pdfWithoutNormal + bsdfPdf);
}

// chanceWeight is the MIS weight of light that the ray met which sampling finds with lightPdf; 0 there means that it cannot.
DEVICE float chanceWeight(float bsdfPdf, float lightPdf) {
  if (lightPdf <= 0.0f) return 1.0f;
  if (frame.sampling.strategy == SAMPLING_MIS) return bsdfPdf / (bsdfPdf + (float)frame.restir.lightSamples * lightPdf);
  return frame.sampling.strategy == SAMPLING_LIGHT ? 0.0f : 1.0f;
}

// ChosenLight is the light sample that was kept, and the BSDF's value in its direction.
struct ChosenLight {
  LightSample l;
  float2 u;        // where on the light
  float3 f;        // of all lobes, |cos θ| included
  float3 shared;   // of those that neighbours may share
  float pHat, wSum;
};

// Steps of the R2 sequence, of 2³².
DEVICE_TABLE uint32_t R2_X = 3242174889u, R2_Y = 2447445414u;

// chooseLight keeps one of the light samples of x1, by luminance of f |cos θ| Li. Lights are chosen in strata; points on them
// follow the R2 sequence (Roberts 2018) from a random start. Each sample is uniform by itself, which is all that the mean needs.
DEVICE ChosenLight chooseLight(Sampler& sampler, const ShadedVertex& v, Stream& stream) {
  uint2 uLight = sampleBits(sampler), uTexel = sampleBits(sampler), u = sampleBits(sampler);
  ChosenLight kept = {};
  uint32_t n = frame.restir.lightSamples, stratum = 0xffffffffu / n;
  for (uint32_t i = 0; i < n; i++) prefetchEnvironment(uTexel.x + R2_X * i);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t a = R2_X * i, b = R2_Y * i;   // they wrap around
    uint2 light = {stratum * i + scaled(uLight.x, stratum), uLight.y + b};
    float2 at = unit(uint2{u.x + a, u.y + b});
    LightSample l;
    if (!sampleLight(v.s, facing(v.b), light, {uTexel.x + a, uTexel.y + b}, at, &l)) continue;
    BsdfValue value = evalBsdf(v.b, l.wi);
    float pHat = luminance(value.f * l.Li), w = pHat * lightSampleWeight(l, value.pdf);
    if (!(w > 0.0f) || !finite(w)) continue;
    kept.wSum += w;
    if (uniform(stream) * kept.wSum >= w) continue;
    kept.l = l;
    kept.u = at;
    kept.f = value.f;
    kept.shared = sharedPart(v.b, value, l.wi);
    kept.pHat = pHat;
  }
  return kept;
}

// lightSource is the reservoir of light that arrives from somewhere; `dither` keeps the mean when radiance is packed. `error` is
// that of a point of a surface.
DEVICE Reservoir lightSource(SampleKind kind, float3 x2, uint32_t n2, float error, float3 L, float W, Stream& dither) {
  Reservoir r = nullReservoir(1);
  setErrorOfX2(&r, error);
  r.x2 = x2;
  r.n2 = n2;
  r.W = W;
  setKind(&r, kind);
  float u0 = uniform(dither), u1 = uniform(dither);
  packRadiance(L, u0, u1, &r);
  return r;
}

// sampleOfLight is the reservoir of a light sample.
DEVICE Reservoir sampleOfLight(const ChosenLight& c, float W, Stream& dither) {
  const Light l = fetch<Light>(frame.scene.lights, c.l.light);
  if (has(FEATURE_EMITTERS) && l.kind == LIGHT_TRIANGLE) {
    float2 b = pointOfTriangle(c.u);
    float3 x2 = l.position + l.direction * b.x + l.intensity * b.y;
    return lightSource(SAMPLE_SURFACE, x2, packNormal(normalizeAny(cross(l.direction, l.intensity))),
                       surfaceError(l.position, l.direction, l.intensity), c.l.Li, W, dither);
  }
  if (c.l.distance < INFINITE) return lightSource(SAMPLE_PUNCTUAL, l.position, c.l.light, 0.0f, c.l.Li, W, dither);
  return lightSource(SAMPLE_DISTANT, c.l.wi, 0u, 0.0f, c.l.Li, W, dither);
}

// shareable tells whether a sample may be handed to other pixels; if not, its light goes to the image at once.
DEVICE bool shareable(const GBuffer& g, const Reservoir& r) {
  return (g.color >> 24 & GBUFFER_REUSABLE) != 0 && (kindOf(r) != SAMPLE_SURFACE || farEnough(g, r.x2));
}

// --- Light that the path met ----------------------------------------------------------------------------------------

// densityOfLight is the density with which light samples find what the path's ray met; 0 where they cannot.
DEVICE float densityOfLight(const Path& p, const Hit& hit, const Surface& s) {
  if (hit.triangle == NO_HIT) return pdfOfMiss(p.origin, p.direction);
  return s.light != NO_LIGHT ? pdfOfEmission(s, p.direction, p.passed + hit.t) : 0.0f;
}

// divideMet divides light that the path's ray from x1 met, p.Lo without a MIS weight, between the image and a sample.
// `share` is the part by channel that neighbours may share, zero where they cannot reach the light. Returns what the image gets.
DEVICE float3 divideMet(const Path& p, uint32_t pixel, const Hit& hit, const ShadedVertex& v, float3 share) {
  bool missed = hit.triangle == NO_HIT;
  float weight = chanceWeight(p.pdf, p.delta ? 0.0f : densityOfLight(p, hit, v.s));
  if (p.delta || isBlack(share)) return p.Lo * weight;
  Stream dither = beginStream(pixel, STREAM_LIGHT_MET);
  float W = weight / p.pdf;
  Reservoir r = missed
                    ? lightSource(SAMPLE_DISTANT, p.direction, 0u, 0.0f, environmentRadiance(p.direction), W, dither)
                    : lightSource(SAMPLE_SURFACE, v.s.position, packNormal(v.s.ng), v.s.error, v.a.emission, W, dither);
  if (!shareable(fetch<GBuffer>(frame.restir.gbuffer, pixel), r)) return p.Lo * weight;
  pointer<Reservoir>(frame.restir.lights)[pixel] = r;
  pointer<Shade>(frame.restir.shade)[pixel].metLight = 1;
  return p.Lo * (vec3(1.0f) - share) * weight;
}

// --- Light samples of x1 --------------------------------------------------------------------------------------------

// merge keeps a sample or another, as x1 sees them; either may be null. Their MIS weights are in their W.
DEVICE Reservoir merge(const Domain& here, const Reservoir& a, const Reservoir& b, float u) {
  Resampling s = {nullReservoir(1), 0.0f, 0.0f};
  float pa = a.W > 0.0f ? targetOf(here, a) : 0.0f, pb = b.W > 0.0f ? targetOf(here, b) : 0.0f;
  addSample(&s, a, pa * a.W, pa, 0.0f);
  addSample(&s, b, pb * b.W, pb, u);
  return finalize(s, 1.0f, 0);
}

// initialStream is another one for each merge of a frame.
DEVICE Stream initialStream(uint32_t pixel, uint32_t merges) {
  Stream s = beginStream(pixel, STREAM_INITIAL);
  s.counter = merges;
  return s;
}

// lightSampleOf chooses the light sample of x1. What it adds without being shared goes to *own.
DEVICE Reservoir lightSampleOf(uint32_t x, uint32_t y, const GBuffer& g, const Shade& shade, float3* own) {
  *own = vec3(0.0f);
  if (frame.sampling.strategy == SAMPLING_NAIVE || !passesFilter(shade.dimension & SHADE_INDIRECT ? 2u : 1u))
    return nullReservoir(1);
  ShadedVertex v = rebuildVertex(g);
  if (isLink(v.b)) keepNonSpecularLobes(v.b);   // as the path did, which its pdf follows
  if (!hasFiniteLobe(v.b)) return nullReservoir(1);
  Sampler sampler = beginSampler(x, y, frame.sampling.sampleIndex, frame.sampling.seed);
  sampler.dimension = shade.dimension & SHADE_DIMENSION;
  Stream stream = beginStream(y * frame.film.width + x, STREAM_LIGHT_SAMPLES);
  ChosenLight c = chooseLight(sampler, v, stream);
  if (!(c.wSum > 0.0f && c.pHat > LEAST_DIVISOR)) return nullReservoir(1);
  Reservoir r = sampleOfLight(c, c.wSum / c.pHat, stream);
  bool shared = !isBlack(c.shared) && shareable(g, r);
  *own = shade.prefix * (shared ? c.f - c.shared : c.f) * c.l.Li * r.W;
  setConfidence(&r, shared ? 1u : 0u, 0u);
  return r;
}

// lightMedia are the volumes that the ray from x1 to its light sample is in.
DEVICE MediumStack* lightMedia(uint32_t pixel) { return pointer<MediumStack>(frame.restir.lightMedia) + pixel; }

// What the path found becomes one sample, and the light sample is chosen. Whether it is visible is asked next.
KERNEL(choose_lights, 128, 4, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  GBuffer g = fetch<GBuffer>(frame.restir.gbuffer, pixel);
  Reservoir* initial = pointer<Reservoir>(frame.restir.reservoirs) + pixel;
  Reservoir* light = pointer<Reservoir>(frame.restir.lights) + pixel;
  Shade* shade = pointer<Shade>(frame.restir.shade) + pixel;
  if (!(g.color >> 24 & GBUFFER_VALID)) {
    *light = nullReservoir(0);
    return;
  }
  Stream stream = initialStream(pixel, 0);
  if (crossesVolumes()) *lightMedia(pixel) = {};   // who is in one, or on its surface, shares nothing (touchesVolume)
  if (shade->metLight) *initial = merge(unpackDomain(g), *initial, *light, uniform(stream));
  *light = lightSampleOf(x, y, g, *shade, &shade->own);
}

// LightRays ask whether x1 sees its light sample, and add it if so.
struct LightRays {
  DEVICE_METHOD uint32_t count() const { return frame.film.tiledPixels; }
  DEVICE_METHOD uint32_t pixel(uint32_t index) const {
    uint32_t x, y;
    return pixelOf(index, frame.film.width, frame.film.height, &x, &y) ? y * frame.film.width + x : NO_INDEX;
  }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    uint32_t at = pixel(index);
    if (at == NO_INDEX) return false;
    Reservoir r = pointer<const Reservoir>(frame.restir.lights)[at];
    if (!(r.W > 0.0f)) return false;
    GBuffer g = pointer<const GBuffer>(frame.restir.gbuffer)[at];
    return connectingRay(g, r, ray);
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const { return visibilitySeed(pixel(index), 0u); }
  // Light through a pane is the pixel's own: its neighbours may see the light without one, or another.
  DEVICE_METHOD bool passes(uint32_t index, const Hit& hit, RayQuery* ray) const {
    uint32_t at = pixel(index);
    Shade* shade = pointer<Shade>(frame.restir.shade) + at;
    float3 T;
    RayQuery whole = {};
    begin(index, &whole);
    ray->tMax = whole.tMax < INFINITE ? whole.tMax - length(ray->origin - whole.origin) : INFINITE;
    if (shade->dimension >> 16 >= frame.sampling.panes) return false;
    MediumStack media = crossesVolumes() ? *lightMedia(at) : MediumStack{};
    if (!throughPane(hit, alphaSeed(index), ray, &media, &T)) return false;
    if (crossesVolumes()) *lightMedia(at) = media;
    shade->dimension += 1u << 16;
    Reservoir* r = pointer<Reservoir>(frame.restir.lights) + at;
    if (confidence(*r) != 0) {
      shade->own += shade->prefix * reflected(fetch<GBuffer>(frame.restir.gbuffer, at), *r);
      setConfidence(r, 0u, 0u);
    }
    shade->own *= T;
    return true;
  }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    if (hit.triangle != NO_HIT) return;
    uint32_t at = pixel(index);
    Shade* shade = pointer<Shade>(frame.restir.shade) + at;
    if (crossesVolumes()) shade->own *= lastStretch(*lightMedia(at), hit.t);
    shade->direct += shade->own;
    Reservoir r = pointer<const Reservoir>(frame.restir.lights)[at];
    if (confidence(r) == 0) return;   // not shared
    Stream stream = initialStream(at, 1);
    Reservoir* initial = pointer<Reservoir>(frame.restir.reservoirs) + at;
    *initial = merge(unpackDomain(pointer<const GBuffer>(frame.restir.gbuffer)[at]), *initial, r, uniform(stream));
  }
};

RAY_KERNEL(light_vis, 128, 7, reuse) { traceShadows(LightRays(), fetch); }
