// Reservoirs of indirect samples: packing, the reconnection shift with its Jacobian, and the target function.
// Ouyang et al. 2021 (ReSTIR GI), Lin et al. 2022 (GRIS). docs/restir.md holds each formula beside its name here.
#pragma once

#include "film/film.cuh"
#include "core/packing.cuh"
#include "path/path.cuh"
#include "bvh/traverse.cuh"

// --- Packing -------------------------------------------------------------------------------------------------------

// Radiance is stored as its sum in full precision and two channels' shares of it in 16 bits, dithered by u0 and u1 so
// that the mean is preserved.
DEVICE void packRadiance(float3 L, float u0, float u1, Reservoir* r) {
  r->L2 = L.x + L.y + L.z;
  float scale = r->L2 > 0.0f ? 65535.0f / r->L2 : 0.0f;
  uint32_t red = minu((uint32_t)(L.x * scale + u0), 65535u), green = minu((uint32_t)(L.y * scale + u1), 65535u - red);
  r->chroma = red | green << 16;
}
DEVICE float3 unpackRadiance(const Reservoir& r) {
  float red = unorm16(r.chroma), green = unorm16(r.chroma >> 16);
  return make_float3(red, green, maxf(1.0f - red - green, 0.0f)) * r.L2;
}

// Reservoir.meta, from its lowest bit: confidence 8 bits, age 5, kind 2, error of x2 5, and of the coat over x2 roughness 6 and
// the root of its reflectance 6.
DEVICE_TABLE uint32_t OLDEST = 31;
DEVICE uint32_t confidence(const Reservoir& r) { return r.meta & 255u; }
DEVICE uint32_t age(const Reservoir& r) { return r.meta >> 8 & OLDEST; }
DEVICE uint32_t kindOf(const Reservoir& r) { return r.meta >> 13 & 3u; }
DEVICE void setConfidence(Reservoir* r, uint32_t c, uint32_t a) {
  r->meta = (r->meta & ~0x1fffu) | minu(c, 255u) | minu(a, OLDEST) << 8;
}
DEVICE void setKind(Reservoir* r, SampleKind kind) { r->meta = (r->meta & ~(3u << 13)) | kind << 13; }

// How far rounding may have moved x2 off its triangle [m], rounded up.
DEVICE void setErrorOfX2(Reservoir* r, float error) { r->meta = (r->meta & ~(31u << 15)) | packLength(error, 2) << 15; }
DEVICE float errorOfX2(const Reservoir& r) { return unpackLength(r.meta >> 15 & 31u, 2); }

// Coat is what lies over x2.
struct Coat {
  float roughness, f0;   // reflectance at normal incidence
};

DEVICE uint32_t sixBits(float x) { return (uint32_t)(saturate(x) * 63.0f + 0.5f); }
DEVICE void setCoat(Reservoir* r, const Coat& c) {
  r->meta = (r->meta & 0xfffffu) | sixBits(c.roughness) << 20 | sixBits(sqrtf(c.f0)) << 26;
}
DEVICE Coat coatOf(const Reservoir& r) {
  return {(float)(r.meta >> 20 & 63u) * (1.0f / 63.0f), sqr((float)(r.meta >> 26) * (1.0f / 63.0f))};
}

// The error of x1 stands in the lower bits of the depth, which is needed to no more than a thousandth.
DEVICE_TABLE uint32_t ERROR_BITS = 63;
DEVICE float depthWithError(float depth, float error) {
  return bitsFloat((floatBits(depth) & ~ERROR_BITS) | packLength(error, 1));
}
DEVICE float errorOfX1(const GBuffer& g) { return unpackLength(floatBits(g.depth) & ERROR_BITS, 1); }

// nullReservoir has a confidence but no sample: paths that found no light count too.
DEVICE Reservoir nullReservoir(uint32_t c) { return {vec3(0.0f), 0, 0.0f, 0, 0.0f, c}; }

// --- Domains -------------------------------------------------------------------------------------------------------

// Domain is a pixel's x1 as resampling sees it: enough to evaluate the reusable lobes, from the packed buffer alone.
struct Domain {
  float3 position, ns, ng, wo;
  float3 color;
  float roughness, metallic, coatF0, base;
  float depth;
  uint32_t flags;
};

DEVICE Domain unpackDomain(const GBuffer& g) {
  float3 root = make_float3(unpack8(g.color, 0), unpack8(g.color, 1), unpack8(g.color, 2));
  return {g.position,          unpackNormal(g.ns),  unpackNormal(g.ng),  unpackNormal(g.wo),  root * root,
          unpack8(g.lobes, 0), unpack8(g.lobes, 1), unpack8(g.lobes, 2), unpack8(g.lobes, 3), g.depth,
          g.color >> 24};
}

// Roughness from which the reflection lobe is shared between pixels; sharper reflections are direct.
DEVICE_TABLE float REUSE_ROUGHNESS = 0.2f;

// Below this roughness the reflection is shared in part.
DEVICE_TABLE float PARTITION_ROUGHNESS = 0.3f;

// unsharedShare is the part of a sharp reflection that each pixel keeps to itself: the more, the higher its value is
// above that of a rougher lobe (after RTXDI's final shading). Any share is unbiased when initial and reused sample use
// the same.
DEVICE float unsharedShare(float sharp, float rough) {
  float share = sharp > 0.0f ? sharp / (sharp + rough) : 0.0f;
  return share * share * share;
}

// sharesReflection tells whether the reflection of x1 is shared at all.
DEVICE bool sharesReflection(const Bsdf& b) { return b.alpha >= sqr(REUSE_ROUGHNESS); }

// Roughness up to which metal is a link of a chain. From here on sharing at the metal itself errs less (docs/measurements.md).
DEVICE_TABLE float LINK_ROUGHNESS = 0.25f;

// isLink tells whether a path from the camera may go on through a surface as through a mirror: x1 then lies beyond, where pixels have
// light to share. Smooth surfaces are links, and those that have little to share themselves: polished metal, rough glass. Where a
// Lambert base lies under a sharp coat that is not smooth, x1 is the surface itself: choosing between both would show the base in a
// part of the pixels alone, which costs more than sharing what the coat mirrors gains.
DEVICE bool isLink(const Bsdf& b) {
  bool sharp = b.alpha < sqr(LINK_ROUGHNESS) || b.select[LOBE_Reflection] <= 0.0f;
  return b.smooth || (sharp && nonSpecularShare(b) <= 0.0f);
}

// sharedPart is the part of f |cos θ| in direction wi that neighbours may share: the diffuse base, and reflection as
// far as it is rough.
DEVICE float3 sharedPart(const Bsdf& b, const BsdfValue& v, float3 wiWorld) {
  float3 f = v.part[LOBE_Diffuse], reflected = v.part[LOBE_Reflection];
  if (!sharesReflection(b) || isBlack(reflected)) return f;   // below the horizon the shapes are no numbers
  if (b.alpha >= sqr(PARTITION_ROUGHNESS)) return f + reflected;
  float3 wi = toLocal(b.basis, wiWorld);
  GgxWidth wide = alikeWidth(sqr(PARTITION_ROUGHNESS));
  float sharp = reflectOffFacets(b.wo, b.stretchedWo, wi, b.width).shape;
  float rough = reflectOffFacets(b.wo, stretched(b.wo, wide), wi, wide).shape;
  return f + reflected * (1.0f - unsharedShare(sharp, rough));
}

// ggxAround is D of a width whose fourth power of roughness is a2, at nh = cos θ of the microfacet.
DEVICE float ggxAround(float nh, float a2) { return a2 / (PI * sqr(sqr(nh) * (a2 - 1.0f) + 1.0f)); }

// domainBsdf approximates f |cos θ| of what is shared. It is only the target function: any value > 0 where f > 0 is
// unbiased, which the small constant at the end ensures in spite of 8-bit storage.
DEVICE float domainBsdf(const Domain& d, float3 wi) {
  float cosTheta = dot(d.ns, wi);
  if (cosTheta <= 0.0f || dot(d.ng, wi) <= 0.0f) return 0.0f;
  float f = luminance(d.color) * d.base * cosTheta * INV_PI;
  if (d.roughness >= REUSE_ROUGHNESS - 1.0f / 255.0f) {
    float3 h = fastNormalize(d.wo + wi);
    float a2 = sqr(sqr(d.roughness)), nh = saturate(dot(d.ns, h)), no = maxf(dot(d.ns, d.wo), 1e-3f);
    float D = ggxAround(nh, a2);
    if (d.roughness < PARTITION_ROUGHNESS) D *= 1.0f - unsharedShare(D, ggxAround(nh, sqr(sqr(PARTITION_ROUGHNESS))));
    float f0 = lerp(d.coatF0, luminance(d.color), d.metallic);
    float m = 1.0f - saturate(dot(d.wo, h));
    float F = f0 + (1.0f - f0) * sqr(sqr(m)) * m;
    // Smith's G₂ / (4 cos cos), in Hammon's approximation (2017).
    float V = 0.5f / maxf(lerp(2.0f * no * cosTheta, no + cosTheta, sqr(d.roughness)), 1e-4f);
    f += F * D * V * cosTheta;
  }
  return f + 0.01f * cosTheta * INV_PI;
}

// --- The reconnection shift -----------------------------------------------------------------------------------------

// A Jacobian outside these bounds, in either direction, leaves the shift undefined (Lin 2022's threshold).
DEVICE_TABLE float MAX_JACOBIAN = 10.0f;

// jacobian of moving the sample's first vertex from `from` to `to` with x2 kept: dω_to / dω_from =
// (|cos φ_to| / |cos φ_from|) · (|x2 − from|² / |x2 − to|²). Zero where the shift is undefined, the same both ways.
DEVICE float jacobian(float3 from, float3 to, float3 x2, float3 n2) {
  float3 a = from - x2, b = to - x2;
  float a2 = dot(a, a), b2 = dot(b, b);
  float ca = dot(n2, a), cb = dot(n2, b);
  if (!(ca * cb > 0.0f)) return 0.0f;
  // cos φ = c / |·|, so each distance appears to the third power.
  float j = (cb / ca) * (a2 * sqrtf(a2)) / (b2 * sqrtf(b2));
  return j >= 1.0f / MAX_JACOBIAN && j <= MAX_JACOBIAN ? j : 0.0f;
}

// farEnough: a sample so close to x1 that neighbours see it from quite different directions is not shared. The limit is
// relative to the distance of x1 from the lens, as the distance between neighbours is. P has a position and a depth.
template <typename P>
DEVICE bool farEnough(const P& x1, float3 x2) {
  float3 d = x2 - x1.position;
  return dot(d, d) >= sqr(frame.restir.minDistance * x1.depth);
}

// shiftJacobian is the Jacobian between two pixels' x1, zero where either is too close.
template <typename P, typename Q>
DEVICE float shiftJacobian(const P& from, const Q& to, float3 x2, float3 n2) {
  return farEnough(from, x2) && farEnough(to, x2) ? jacobian(from.position, to.position, x2, n2) : 0.0f;
}

// Directions to distant light are the same everywhere, and lights without area are counted, not measured: J = 1.
template <typename P, typename Q>
DEVICE float shiftJacobian(const P& from, const Q& to, const Reservoir& r) {
  return kindOf(r) == SAMPLE_SURFACE ? shiftJacobian(from, to, r.x2, unpackNormal(r.n2)) : 1.0f;
}

// directionTo is the unit direction from a point to a sample.
DEVICE float3 directionTo(const Reservoir& r, float3 from) {
  return kindOf(r) == SAMPLE_DISTANT ? r.x2 : fastNormalize(r.x2 - from);
}

// sharedBase is what a sample keeps of the light that x2 sends: that of lobes of LOBE_SHARED.
DEVICE float3 sharedBase(const BsdfValue& v) {
  float3 sum = vec3(0.0f);
#define X(name, feature, kind, reuse) \
  if (LOBE_##reuse == LOBE_SHARED && has(feature)) sum += v.part[LOBE_##name];
  LOBES(X)
#undef X
  return sum;
}

// isCovered tells whether that light depends on the viewing direction in a way that coatTransmittance does not know. Such an x2 is not shared:
// its light in other directions would be wrong.
DEVICE bool isCovered(const Bsdf& b) {
  bool covered =
      isFilmed(b.film) || isBrushed(b);   // what such a coat takes of light from below, it does not know either
#define X(name, feature, kind, reuse) \
  if (LOBE_##reuse == LOBE_COVER && has(feature)) covered = covered || b.select[LOBE_##name] > 0.0f;
  LOBES(X)
#undef X
  return covered;
}

// coatTransmittance is the share of light that the coat over x2, the lobe of LOBE_COAT, transmits towards a direction at
// cosTheta: the only way in which what a sample keeps depends on the viewing direction.
#define X(name, feature, kind, reuse) +(LOBE_##reuse == LOBE_COAT ? 1 : 0)
static_assert(0 LOBES(X) == 1, "coatTransmittance knows one coat");
#undef X
DEVICE float coatTransmittance(const Coat& c, float cosTheta) {
  if (c.f0 == 0.0f) return 1.0f;
  float mirror = albedoSlice(ALBEDO_MIRROR, cosTheta, c.roughness);
  float rise = albedoIor(ALBEDO_COAT, sqrtf(c.f0), cosTheta, c.roughness);
  return maxf(1.0f - c.f0 * (mirror - rise) - rise, 0.01f);
}

// radianceRatio is the radiance of a sample seen from `to` over that seen from `from`.
DEVICE float radianceRatio(const Reservoir& r, float3 n2, float3 from, float3 to) {
  float a = absf(dot(n2, fastNormalize(from - r.x2))), b = absf(dot(n2, fastNormalize(to - r.x2)));
  Coat c = coatOf(r);
  return coatTransmittance(c, b) / coatTransmittance(c, a);
}

// moveSample makes a sample what arrives of it at `to` in place of `from`.
DEVICE void moveSample(Reservoir* r, float3 from, float3 to) {
  uint32_t kind = kindOf(*r);
  if (kind == SAMPLE_SURFACE) r->L2 *= radianceRatio(*r, unpackNormal(r->n2), from, to);
  if (!has(FEATURE_PUNCTUAL) || kind != SAMPLE_PUNCTUAL) return;
  LightSample l;
  bool lit = samplePunctualLight(fetch<Light>(frame.scene.lights, r->n2), to, &l);
  r->L2 = lit ? l.Li.x + l.Li.y + l.Li.z : 0.0f;
}

// targetOf is p̂ of a sample at its owner's domain: luminance of f |cos θ| L2, without visibility.
DEVICE float targetOf(const Domain& d, const Reservoir& r) {
  return domainBsdf(d, directionTo(r, d.position)) * luminance(unpackRadiance(r));
}

// connectingRay makes the ray from x1 to a sample, ends on surfaces moved off them by their error bounds. False when both are
// one point.
DEVICE bool connectingRay(const GBuffer& g, const Reservoir& r, RayQuery* ray) {
  uint32_t kind = kindOf(r);
  float3 ng = unpackRayNormal(g.ng), toX2 = kind == SAMPLE_DISTANT ? r.x2 : r.x2 - g.position;
  float3 from = offsetOrigin(g.position, dot(toX2, ng) > 0.0f ? ng : -ng, errorOfX1(g)), to = r.x2;
  if (kind == SAMPLE_DISTANT) {
    *ray = {from, r.x2, INFINITE};
    return true;
  }
  if (kind == SAMPLE_SURFACE) {
    float3 n2 = unpackRayNormal(r.n2);
    to = offsetOrigin(to, dot(toX2, n2) > 0.0f ? -n2 : n2, errorOfX2(r));
  }
  float3 v = to - from;
  float distance = length(v);
  *ray = {from, v * midrangeInverse(distance), distance};
  return distance > 0.0f;
}

// --- Streams of random numbers --------------------------------------------------------------------------------------

// Stream yields independent numbers for the resampling passes: no two passes, pixels or frames share one.
struct Stream {
  uint32_t key, counter;
};
enum StreamUse : uint32_t {
  STREAM_TEMPORAL_FIND,
  STREAM_TEMPORAL_RESAMPLE,
  STREAM_SPATIAL_FIND,
  STREAM_SPATIAL_RESAMPLE,
  STREAM_LIGHT_MET,
  STREAM_LIGHT_SAMPLES,
  STREAM_INITIAL,
};
DEVICE Stream beginStream(uint32_t pixel, StreamUse pass) {
  return {hash(hash(hash(frame.sampling.seed, frame.restir.frameIndex), pass), pixel), 0};
}
DEVICE uint32_t bits(Stream& s) { return hash(s.key, s.counter++); }
DEVICE float uniform(Stream& s) { return unit(bits(s)); }
