// The material's BSDF: a mixture of lobes over one shading frame.
//
// Opaque dielectric: Lambert under a GGX coat, the base scaled by what the coat's directional albedo leaves over.
// Metal: GGX with Schlick's Fresnel. Glass: GGX reflection and refraction, or thin-walled. glTF mixes them:
//   metallic · metal + (1 − metallic) · (transmission · glass + (1 − transmission) · (coat over diffuse)).
// Car paint has flakes and a base of its own in place of the Lambert base.
// Energy lost between microfacets is given back by scaling each lobe (Turquin 2019, Practical multiple scattering
// compensation for microfacet models), if frame.sampling.flags say so.
// Radiance is carried divided by the square of the index of refraction, so that refraction needs no factor for it.
#pragma once

#include "bsdf/cell_noise.cuh"
#include "bsdf/microfacet.cuh"
#include "core/random.cuh"
#include "core/tables.cuh"

// LOBES lists the lobes: X(Name, feature) stands for lobes/name.cuh with weightName, evalName (f |cos| and the pdf of
// sampleName) and sampleName, and what scenes must have to need it (enum Feature; 0: all do). Those that keep their
// width on smooth materials come first.
#define LOBES(X)          \
  X(Diffuse, 0)           \
  X(Paint, FEATURE_PAINT) \
  X(Reflection, 0)        \
  X(Glass, FEATURE_GLASS) \
  X(Thin, FEATURE_THIN)

#define X(name, feature) LOBE_##name,
enum Lobe : uint32_t { LOBES(X) LOBE_COUNT, NON_SPECULAR_LOBES = LOBE_Reflection };
#undef X

// Below this alpha GGX is a delta: a mirror, or smooth glass.
DEVICE_TABLE float SMOOTH_ALPHA = 4e-4f;

// Bsdf is everything that the lobes need at one point. Directions handed to lobes are in the shading frame with wo.z > 0.
struct Bsdf {
  Basis basis;         // z is the shading normal on wo's side
  float3 ng;           // geometric normal on wo's side
  float3 wo;           // shading frame
  float stretchedWo;   // its length after GGX's stretch
  float3 baseColor;
  float3 coatF0;              // reflectance of the dielectric coat at normal incidence
  float base;                 // weight of the Lambert base
  float glass;                // weight of solid glass
  float3 thin;                // weight of thin-walled transmission
  float coatF90;              // KHR_materials_specular's factor
  float coat;                 // weight of the coat, compensation included
  float metal;                // weight of the conductor
  float metalScale;           // its compensation: 1 + F₀ × this
  float glassScale;           // its compensation
  float thinScale;            // its compensation
  float ior;                  // of the material
  float f0;                   // its reflectance at normal incidence
  float riseScale;            // 1 / (1 − f0)
  float eta;                  // index beyond the surface over the index on wo's side
  float alpha;                // GGX width
  bool smooth;                // alpha below SMOOTH_ALPHA
  const Material* paint;      // whose flakes and base lie under the coat; none for other materials
  float paintScale;           // what the coat lets through to them
  uint32_t flake;             // what lies uppermost here: see lobes/paint.cuh
  float select[LOBE_COUNT];   // probability of sampling each lobe
};

// BsdfSample is a sampled direction; weight is f |cos| / pdf. A delta's pdf means nothing.
struct BsdfSample {
  float3 wi;       // world
  float3 weight;   // zero when the sample failed
  float pdf;       // [1/sr]
  bool delta;
  bool transmitted;
  bool drawn;   // there is a direction
};

#include "bsdf/lobes/diffuse.cuh"
#include "bsdf/lobes/flake.cuh"
#include "bsdf/lobes/glass.cuh"
#include "bsdf/lobes/paint.cuh"
#include "bsdf/lobes/reflection.cuh"
#include "bsdf/lobes/thin.cuh"

// scaleLobes scales the selection probabilities of the first lobes; the others are out.
DEVICE void scaleLobes(Bsdf& b, uint32_t lobes, float scale) {
#define X(name, feature) \
  b.select[LOBE_##name] = has(feature) && LOBE_##name < lobes ? b.select[LOBE_##name] * scale : 0.0f;
  LOBES(X)
#undef X
}

// chooseLobes sets the selection probabilities from the energy that each lobe sends to wo.
DEVICE void chooseLobes(Bsdf& b) {
  float sum = 0.0f;
#define X(name, feature)                                                  \
  b.select[LOBE_##name] = has(feature) ? average(weight##name(b)) : 0.0f; \
  sum += b.select[LOBE_##name];
  LOBES(X)
#undef X
  scaleLobes(b, LOBE_COUNT, sum > 0.0f ? 1.0f / sum : 0.0f);
}

// sameSide tells whether wi leaves on the side that its shading-frame z says, by the geometric normal too: else light
// would leak through the surface.
DEVICE bool sameSide(const Bsdf& b, float3 wiWorld, float wiZ) { return dot(wiWorld, b.ng) * wiZ > 0.0f; }

// isDelta tells whether a lobe is a mirror, or smooth glass.
DEVICE bool isDelta(const Bsdf& b, uint32_t lobe) { return b.smooth && lobe >= NON_SPECULAR_LOBES; }

// nonSpecularShare is the probability of sampling a lobe that is not a delta on any material.
DEVICE float nonSpecularShare(const Bsdf& b) {
  float sum = 0.0f;
#pragma unroll
  for (uint32_t i = 0; i < NON_SPECULAR_LOBES; i++) sum += b.select[i];
  return sum;
}

// keepNonSpecularLobes drops the other lobes.
DEVICE void keepNonSpecularLobes(Bsdf& b) { scaleLobes(b, NON_SPECULAR_LOBES, 1.0f / nonSpecularShare(b)); }

// hasFiniteLobe tells whether light sampling can find anything here.
DEVICE bool hasFiniteLobe(const Bsdf& b) { return !b.smooth || nonSpecularShare(b) > 0.0f; }

// BsdfValue is f |cos| in one direction, with what each lobe adds, and the pdf with which sampleBsdf draws it [1/sr].
struct BsdfValue {
  float3 f;
  float3 part[LOBE_COUNT];
  float pdf;
};

// evalBsdf is the value for a world direction. Delta lobes count as zero.
DEVICE BsdfValue evalBsdf(const Bsdf& b, float3 wiWorld) {
  BsdfValue v = {};
  float3 wi = toLocal(b.basis, wiWorld);
  if (!sameSide(b, wiWorld, wi.z)) return v;
#define X(name, feature)                                                          \
  if (has(feature) && b.select[LOBE_##name] > 0.0f && !isDelta(b, LOBE_##name)) { \
    float pdf;                                                                    \
    v.part[LOBE_##name] = eval##name(b, wi, &pdf);                                \
    v.f += v.part[LOBE_##name];                                                   \
    v.pdf += b.select[LOBE_##name] * pdf;                                         \
  }
  LOBES(X)
#undef X
  return v;
}

// drawBsdf draws a direction from the mixture: u.x and u.y inside the lobe, uLobe for the lobe (and glass's choice of
// side). Its weight and pdf are known already only for a delta: else weigh() adds them.
DEVICE BsdfSample drawBsdf(const Bsdf& b, float uLobe, float2 u) {
  BsdfSample s = {vec3(0.0f), vec3(0.0f), 0.0f, false, false, false};
  // Unrolled, and without an index that is not known: Bsdf stays in registers.
  uint32_t lobe = LOBE_COUNT;
  float select = 0.0f;
  bool found = false;
#define X(name, feature)                                        \
  if (has(feature) && b.select[LOBE_##name] > 0.0f && !found) { \
    lobe = LOBE_##name;                                         \
    select = b.select[LOBE_##name];                             \
    found = uLobe < select;                                     \
    if (!found) uLobe -= select;                                \
  }
  LOBES(X)
#undef X
  if (lobe == LOBE_COUNT) return s;
  float uSide = minf(uLobe / select, 0.99999994f);
  float3 wi = vec3(0.0f), deltaWeight = vec3(0.0f);
  bool valid = false;
#define X(name, feature) \
  if (has(feature) && lobe == LOBE_##name) valid = sample##name(b, uSide, u, &wi, &deltaWeight);
  LOBES(X)
#undef X
  if (!valid) return s;
  s.wi = toWorld(b.basis, wi);
  s.transmitted = wi.z < 0.0f;
  s.delta = isDelta(b, lobe);
  s.drawn = true;
  if (s.delta && sameSide(b, s.wi, wi.z)) s.weight = deltaWeight / select;
  return s;
}

// weigh completes a sample by the BSDF's value in its direction.
DEVICE void weigh(BsdfSample* s, const BsdfValue& v) {
  s->pdf = v.pdf;
  if (v.pdf > 0.0f) s->weight = v.f / v.pdf;
}

// needsValue tells whether a sample still has to be weighed.
DEVICE bool needsValue(const BsdfSample& s) { return s.drawn && !s.delta; }

// sampleBsdf draws a direction and weighs it.
DEVICE BsdfSample sampleBsdf(const Bsdf& b, float uLobe, float2 u) {
  BsdfSample s = drawBsdf(b, uLobe, u);
  if (needsValue(s)) weigh(&s, evalBsdf(b, s.wi));
  return s;
}
