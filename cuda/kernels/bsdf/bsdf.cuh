// The material's BSDF: a mixture of lobes over one shading frame.
//
// Opaque dielectric: Lambert under a GGX coat, the base scaled by what the coat's directional albedo leaves over.
// Metal: GGX with Schlick's Fresnel. Glass: GGX reflection and refraction, or thin-walled. glTF mixes them:
//   metallic · metal + (1 − metallic) · (transmission · glass + (1 − transmission) · (coat over diffuse)).
// Car paint has flakes and a base of its own in place of the Lambert base; a share of that may lie on the other side.
// Over all of it may lie sheen, and over that a clear coat. A thin film may change what the surface reflects.
// Energy lost between microfacets is given back by scaling each lobe (Turquin 2019, Practical multiple scattering
// compensation for microfacet models), if frame.sampling.flags say so.
// Radiance is carried divided by the square of the index of refraction, so that refraction needs no factor for it.
#pragma once

#include "bsdf/cell_noise.cuh"
#include "bsdf/thin_film.cuh"
#include "core/random.cuh"
#include "core/tables.cuh"
#include "scene/surface.cuh"

// A lobe is a row of LOBES (params/scene.h) and a file lobes/name.cuh, which defines
//   struct NameTerms                              what the lobe needs at a point besides BsdfPoint
//   layName(terms, point, layers)                 fills that in; a lobe of LOBE_COVER also takes its share from the layers
//   weightName(point, terms)                      about its albedo towards wo: how often it is sampled. Above 0 for all wo
//                                                 where the lobe is there at all
//   evalName(point, terms, wi, &pdf)              f |cos| and the pdf of sampleName
//   sampleName(point, terms, uSide, u, &wi, &w)   draws wi; f |cos| / pdf for a delta
#define X(name, ...) LOBE_##name,
enum Lobe : uint32_t { LOBES(X) LOBE_COUNT };
#undef X

// lobesInOrder: specular lobes stand after the others, those that transmit last. isDelta() relies on it, and guides do, which
// choose between mirror and what lies behind by the ends of the interval that drawBsdf chooses a lobe by.
constexpr bool lobesInOrder() {
  uint32_t last = 0;
#define X(name, feature, kind, reuse)   \
  if (LOBE_##kind < last) return false; \
  last = LOBE_##kind;
  LOBES(X)
#undef X
  return true;
}
static_assert(lobesInOrder(), "rows of LOBES stand in the order of enum LobeKind");

// NON_SPECULAR_LOBES is how many lobes, the first, keep their width on smooth materials.
#define X(name, feature, kind, reuse) +(LOBE_##kind == LOBE_NON_SPECULAR ? 1 : 0)
enum LobeNumber : uint32_t { NON_SPECULAR_LOBES = 0 LOBES(X) };
#undef X

// Below this alpha GGX is a delta: a mirror, or smooth glass.
DEVICE_TABLE float SMOOTH_ALPHA = 4e-4f;

// BsdfPoint is what all lobes see of one point. Directions handed to lobes are in the shading frame with wo.z > 0.
struct BsdfPoint {
  Basis basis;         // z is the shading normal on wo's side
  float3 ng;           // geometric normal on wo's side
  float3 wo;           // shading frame
  float stretchedWo;   // its length after GGX's stretch
  float3 baseColor;
  float3 coatF0;     // reflectance of the dielectric coat at normal incidence
  float coatF90;     // KHR_materials_specular's factor
  float ior;         // of the denser side over that of the other: of the material, in air
  float f0;          // reflectance at normal incidence
  float riseScale;   // 1 / (1 − f0)
  float eta;         // index beyond the surface over the index on wo's side
  float alpha;       // GGX width; of anisotropic materials the smaller one
  GgxWidth width;    // both
  bool smooth;       // alpha below SMOOTH_ALPHA
  Film film;         // over the coat and the metal
};

// Layers is how a material's light is divided between its lobes. Those of kind LOBE_COVER are laid first and leave the others
// less of metal and dielectric; the rest is known only then.
struct Layers {
  const Material& material;
  const Surface& surface;
  const Appearance& appearance;
  float metal;         // weight of the conductor
  float dielectric;    // weight of all else
  float through;       // of that, what passes into or through the material
  float under;         // what the coat leaves to the lobes under it
  float coatScale;     // compensation of the coat
  float lost;          // between microfacets, over what is reflected
  float root;          // √f0
  float rough;         // roughness, 0 where the material is smooth; of anisotropic materials, the smaller one
  float translucent;   // share of the base that light passes through
  bool thin;           // thin-walled
  bool compensate;     // FRAME_ENERGY_COMPENSATION
};

// isInside tells whether wo is within solid glass, where nothing lies over the surface.
DEVICE bool isInside(const Layers& l) {
  return has(FEATURE_GLASS) && !l.surface.front && !l.thin && l.appearance.transmission > 0.0f;
}

DEVICE bool isBrushed(const BsdfPoint& b) { return has(FEATURE_ANISOTROPY) && b.width.x != b.width.y; }

// isPainted: flakes and a base of their own stand in place of the Lambert base.
DEVICE bool isPainted(const Material& m) { return has(FEATURE_PAINT) && (m.flags & MATERIAL_PAINT) != 0; }

#include "bsdf/lobes_gen.cuh"

// Bsdf is everything at one point.
#define X(name, ...) , name##Terms
struct Bsdf : BsdfPoint LOBES(X) {
  float select[LOBE_COUNT];   // probability of sampling each lobe
};
#undef X

// BsdfSample is a sampled direction; weight is f |cos| / pdf. A delta's pdf is 0.
struct BsdfSample {
  float3 wi;       // world
  float3 weight;   // zero when the sample failed
  float pdf;       // [1/sr]
  bool delta;
  bool transmitted;
  bool drawn;   // there is a direction
};

// scaleLobes scales the selection probabilities of the first lobes; the others are out.
DEVICE void scaleLobes(Bsdf& b, uint32_t lobes, float scale) {
#define X(name, feature, ...) \
  b.select[LOBE_##name] = has(feature) && LOBE_##name < lobes ? b.select[LOBE_##name] * scale : 0.0f;
  LOBES(X)
#undef X
}

// chooseLobes sets the selection probabilities from the energy that each lobe sends to wo.
DEVICE void chooseLobes(Bsdf& b) {
  float sum = 0.0f;
#define X(name, feature, ...)                                                \
  b.select[LOBE_##name] = has(feature) ? average(weight##name(b, b)) : 0.0f; \
  sum += b.select[LOBE_##name];
  LOBES(X)
#undef X
  scaleLobes(b, LOBE_COUNT, sum > 0.0f ? 1.0f / sum : 0.0f);
}

// facing is the geometric normal of a surface that reflects alone; zero where light may come through.
DEVICE float3 facing(const Bsdf& b) {
  bool through = b.select[LOBE_Glass] > 0.0f || b.select[LOBE_Thin] > 0.0f || b.select[LOBE_Translucent] > 0.0f;
  return through ? vec3(0.0f) : b.ng;
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

// keepSpecularLobes drops those that keepNonSpecularLobes keeps.
DEVICE void keepSpecularLobes(Bsdf& b) {
  float scale = 1.0f / (1.0f - nonSpecularShare(b));
#define X(name, feature, kind, reuse) \
  b.select[LOBE_##name] = has(feature) && LOBE_##kind != LOBE_NON_SPECULAR ? b.select[LOBE_##name] * scale : 0.0f;
  LOBES(X)
#undef X
}

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
#define X(name, feature, ...)                                                     \
  if (has(feature) && b.select[LOBE_##name] > 0.0f && !isDelta(b, LOBE_##name)) { \
    float pdf;                                                                    \
    v.part[LOBE_##name] = eval##name(b, b, wi, &pdf);                             \
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
#define X(name, feature, ...)                                   \
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
#define X(name, feature, ...) \
  if (has(feature) && lobe == LOBE_##name) valid = sample##name(b, b, uSide, u, &wi, &deltaWeight);
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
