// The material's BSDF: a mixture of lobes over one shading frame.
//
// Opaque dielectric: Lambert under a GGX coat, the base scaled by what the coat's directional albedo leaves over.
// Metal: GGX with Schlick's Fresnel. Glass: GGX reflection and refraction, or thin-walled. glTF mixes them:
//   metallic · metal + (1 − metallic) · (transmission · glass + (1 − transmission) · (coat over diffuse)).
// Energy lost between microfacets is given back by scaling each lobe (Turquin 2019, Practical multiple scattering
// compensation for microfacet models), as frame.flags ask.
// Radiance is carried divided by the square of the index of refraction, so that refraction needs no factor for it.
#pragma once

#include "fresnel.cuh"
#include "microfacet.cuh"
#include "random.cuh"
#include "tables.cuh"

// LOBES lists the lobes: X(Name) stands for lobes/name.cuh with weightName, evalName, pdfName and sampleName.
#define LOBES(X) X(Diffuse) X(Reflection) X(Glass) X(Thin)

#define X(name) LOBE_##name,
enum Lobe : uint32_t { LOBES(X) LOBE_COUNT };
#undef X

// Below this alpha GGX is a delta: a mirror, or smooth glass.
DEVICE_TABLE float SMOOTH_ALPHA = 4e-4f;

// Bsdf is everything that the lobes need at one point. Directions handed to lobes are in the shading frame with wo.z > 0.
struct Bsdf {
  Basis basis;   // z is the shading normal on wo's side
  float3 ng;     // geometric normal on wo's side
  float3 wo;     // shading frame
  float3 baseColor;
  float3 coatF0;              // reflectance of the dielectric coat at normal incidence
  float3 diffuse;             // weight of the Lambert base
  float glass;                // weight of solid glass
  float3 thin;                // weight of thin-walled transmission
  float coatF90;              // KHR_materials_specular's factor
  float coat;                 // weight of the coat, compensation included
  float metal;                // weight of the conductor
  float metalScale;           // its compensation: 1 + F₀ × this
  float glassScale;           // its compensation
  float thinScale;            // its compensation
  float ior;                  // of the material
  float eta;                  // index beyond the surface over the index on wo's side
  float alpha;                // GGX width
  bool smooth;                // alpha below SMOOTH_ALPHA
  float select[LOBE_COUNT];   // probability of sampling each lobe
};

// BsdfSample is a sampled direction; weight is f |cos| / pdf. A delta's pdf means nothing.
struct BsdfSample {
  float3 wi;       // world
  float3 weight;   // zero when the sample failed
  float pdf;       // [1/sr]
  bool delta;
  bool transmitted;
};

#include "lobes/diffuse.cuh"
#include "lobes/glass.cuh"
#include "lobes/reflection.cuh"
#include "lobes/thin.cuh"

// chooseLobes sets the selection probabilities from the energy that each lobe sends to wo.
DEVICE void chooseLobes(Bsdf& b) {
  float sum = 0.0f;
#define X(name)                                     \
  b.select[LOBE_##name] = average(weight##name(b)); \
  sum += b.select[LOBE_##name];
  LOBES(X)
#undef X
  float scale = sum > 0.0f ? 1.0f / sum : 0.0f;
#pragma unroll
  for (uint32_t i = 0; i < LOBE_COUNT; i++) b.select[i] *= scale;
}

// sameSide tells whether wi leaves on the side that its shading-frame z says, by the geometric normal too: else light
// would leak through the surface.
DEVICE bool sameSide(const Bsdf& b, float3 wiWorld, float wiZ) { return dot(wiWorld, b.ng) * wiZ > 0.0f; }

// hasFiniteLobe tells whether light sampling can find anything here.
DEVICE bool hasFiniteLobe(const Bsdf& b) { return !b.smooth || b.select[LOBE_Diffuse] > 0.0f; }

// evalBsdf is f |cos| for a world direction, and the pdf with which sampleBsdf draws it. Delta lobes count as zero.
DEVICE float3 evalBsdf(const Bsdf& b, float3 wiWorld, float* pdf) {
  float3 wi = toLocal(b.basis, wiWorld);
  float3 f = vec3(0.0f);
  *pdf = 0.0f;
  if (!sameSide(b, wiWorld, wi.z)) return f;
#define X(name)                                                                     \
  if (b.select[LOBE_##name] > 0.0f && !(b.smooth && LOBE_##name != LOBE_Diffuse)) { \
    f += eval##name(b, wi);                                                         \
    *pdf += b.select[LOBE_##name] * pdf##name(b, wi);                               \
  }
  LOBES(X)
#undef X
  return f;
}

// evalLobes is the part of evalBsdf's value that comes from the lobes in mask (bit LOBE_x).
DEVICE float3 evalLobes(const Bsdf& b, float3 wiWorld, uint32_t mask) {
  float3 wi = toLocal(b.basis, wiWorld);
  float3 f = vec3(0.0f);
  if (!sameSide(b, wiWorld, wi.z)) return f;
#define X(name)                                                                                                 \
  if ((mask >> LOBE_##name & 1u) && b.select[LOBE_##name] > 0.0f && !(b.smooth && LOBE_##name != LOBE_Diffuse)) \
    f += eval##name(b, wi);
  LOBES(X)
#undef X
  return f;
}

// sampleBsdf draws a direction from the mixture: u.x and u.y inside the lobe, uLobe for the lobe (and glass's choice of side).
DEVICE BsdfSample sampleBsdf(const Bsdf& b, float uLobe, float2 u) {
  BsdfSample s = {vec3(0.0f), vec3(0.0f), 0.0f, false, false};
  // Unrolled, and without an index that is not known: Bsdf stays in registers.
  uint32_t lobe = LOBE_COUNT;
  float select = 0.0f;
  bool found = false;
#pragma unroll
  for (uint32_t i = 0; i < LOBE_COUNT; i++) {
    if (b.select[i] <= 0.0f || found) continue;
    lobe = i;
    select = b.select[i];
    found = uLobe < select;
    if (!found) uLobe -= select;
  }
  if (lobe == LOBE_COUNT) return s;
  float uSide = minf(uLobe / select, 0.99999994f);
  float3 wi, deltaWeight = vec3(0.0f);
  bool valid = false;
#define X(name) \
  if (lobe == LOBE_##name) valid = sample##name(b, uSide, u, &wi, &deltaWeight);
  LOBES(X)
#undef X
  if (!valid) return s;
  s.wi = toWorld(b.basis, wi);
  s.transmitted = wi.z < 0.0f;
  s.delta = b.smooth && lobe != LOBE_Diffuse;
  if (s.delta) {
    if (sameSide(b, s.wi, wi.z)) s.weight = deltaWeight / select;
    return s;
  }
  float3 f = evalBsdf(b, s.wi, &s.pdf);
  if (s.pdf > 0.0f) s.weight = f / s.pdf;
  return s;
}
