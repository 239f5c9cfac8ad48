// Makes the tables of tables.cuh by integrating the lobes themselves, one entry an index. Run once, by `make kernels`.
#pragma once

#include "bsdf/bsdf.cuh"

// tableBsdf is a bare lobe in its own frame, with unit weight and no compensation.
DEVICE Bsdf tableBsdf(float cosTheta, float roughness, float ior, bool outside) {
  Bsdf b;
  b.basis = {make_float3(1.0f, 0.0f, 0.0f), make_float3(0.0f, 1.0f, 0.0f), make_float3(0.0f, 0.0f, 1.0f)};
  b.ng = b.basis.z;
  b.wo = make_float3(safeSqrt(1.0f - sqr(cosTheta)), 0.0f, cosTheta);
  b.baseColor = vec3(1.0f);
  b.coatF0 = b.thin = vec3(0.0f);
  b.base = b.coatF90 = b.coat = b.metal = b.metalScale = 0.0f;
  b.glass = b.glassScale = b.thinScale = 1.0f;
  b.paint = nullptr;
  b.ior = ior;
  b.eta = outside ? ior : 1.0f / ior;
  b.f0 = normalReflectance(ior);
  b.riseScale = 1.0f / (1.0f - b.f0);
  b.alpha = maxf(sqr(roughness), SMOOTH_ALPHA);
  b.smooth = false;
  b.stretchedWo = stretched(b.wo, sqr(b.alpha));
  return b;
}

// tablePoint is point i of n of a rank-1 lattice (R2 sequence, Roberts 2018).
DEVICE float2 tablePoint(uint32_t i) { return make_float2(unit(i * 3242174889u), unit(i * 2447445414u)); }

// mirrorAlbedo averages G₂/G₁ over visible normals, times the grazing rise of a coat when `coat`.
DEVICE float mirrorAlbedo(const Bsdf& b, bool coat, uint32_t n) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < n; i++) {
    float3 h = sampleGgxVisible(b.wo, b.alpha, tablePoint(i));
    float3 wi = h * (2.0f * dot(b.wo, h)) - b.wo;
    if (wi.z <= 0.0f) continue;
    sum += ggxG2(b.wo, wi, b.alpha) / ggxG1(b.wo, b.alpha) *
           (coat ? fresnelRise(dot(b.wo, h), b.ior, b.f0, b.riseScale) : 1.0f);
  }
  return sum / (float)n;
}

// glassAlbedo averages both of glass's sides.
DEVICE float glassAlbedo(const Bsdf& b, uint32_t n) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < n; i++) {
    float3 h = sampleGgxVisible(b.wo, b.alpha, tablePoint(i));
    float oh = dot(b.wo, h);
    float fresnel = fresnelDielectric(oh, b.eta);
    float3 reflected = h * (2.0f * oh) - b.wo;
    if (reflected.z > 0.0f) sum += fresnel * ggxG2(b.wo, reflected, b.alpha) / ggxG1(b.wo, b.alpha);
    if (fresnel >= 1.0f) continue;
    float cosT = safeSqrt(1.0f - (1.0f - sqr(oh)) / sqr(b.eta));
    float3 refracted = h * (oh / b.eta - cosT) - b.wo * (1.0f / b.eta);
    if (refracted.z < 0.0f) sum += (1.0f - fresnel) * ggxG2(b.wo, refracted, b.alpha) / ggxG1(b.wo, b.alpha);
  }
  return sum / (float)n;
}

KERNEL(albedo_table, 128, 1, tool) {
  if (index >= ALBEDO_SLICES * ALBEDO_SLICE) return;
  uint32_t slice = index / ALBEDO_SLICE;
  float cosTheta = maxf(sqr((float)(index % ALBEDO_SIZE) / (ALBEDO_SIZE - 1)), 1e-4f);
  float roughness = (float)(index % ALBEDO_SLICE / ALBEDO_SIZE) / (ALBEDO_SIZE - 1);
  uint32_t step = slice < ALBEDO_COAT ? 0 : (slice - ALBEDO_COAT) % ALBEDO_IORS;
  float z = 0.5f * (float)step / (ALBEDO_IORS - 1);
  float ior = maxf((1.0f + z) / (1.0f - z), 1.001f);
  const uint32_t n = 4096;
  Bsdf b = tableBsdf(cosTheta, roughness, ior, slice < ALBEDO_GLASS_INSIDE);
  float albedo = slice < ALBEDO_GLASS_OUTSIDE ? mirrorAlbedo(b, slice >= ALBEDO_COAT, n) : glassAlbedo(b, n);
  pointer<float>(frame.display.target)[index] = albedo;
}
