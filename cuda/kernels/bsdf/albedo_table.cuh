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
  b.film = {};
  b.ior = ior;
  b.eta = outside ? ior : 1.0f / ior;
  b.f0 = normalReflectance(ior);
  b.riseScale = 1.0f / (1.0f - b.f0);
  b.alpha = maxf(sqr(roughness), SMOOTH_ALPHA);
  b.smooth = false;
  b.width = alikeWidth(b.alpha);
  b.stretchedWo = stretched(b.wo, b.width);
  return b;
}

// tablePoint is point i of n of a rank-1 lattice (R2 sequence, Roberts 2018).
DEVICE float2 tablePoint(uint32_t i) { return make_float2(unit(i * 3242174889u), unit(i * 2447445414u)); }

// mirrorAlbedo averages G₂/G₁ over visible normals, times the grazing rise of a coat when `coat`.
DEVICE float mirrorAlbedo(const Bsdf& b, bool coat, uint32_t n) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < n; i++) {
    float3 h = sampleGgxVisible(b.wo, b.width, tablePoint(i));
    float3 wi = h * (2.0f * dot(b.wo, h)) - b.wo;
    if (wi.z <= 0.0f) continue;
    sum += ggxG2(b.wo, wi, b.width) / ggxG1(b.wo, b.width) *
           (coat ? fresnelRise(dot(b.wo, h), b.ior, b.f0, b.riseScale) : 1.0f);
  }
  return sum / (float)n;
}

// glassAlbedo averages both of glass's sides.
DEVICE float glassAlbedo(const Bsdf& b, uint32_t n) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < n; i++)
    sum = addFacet(sum, b.wo, b.width, b.eta, sampleGgxVisible(b.wo, b.width, tablePoint(i)));
  return sum / (float)n;
}

// sheenAlbedo integrates sheen by uniform directions.
DEVICE float sheenAlbedo(float3 wo, float roughness, uint32_t n) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < n; i++) sum += sheenValue(wo, uniformHemisphere(tablePoint(i)), roughness);
  return sum * (2.0f * PI) / (float)n;
}

// brush widens a lobe along x, and turns wo, as a slice of anisotropic reflectors asks.
DEVICE void brush(Bsdf& b, uint32_t slice) {
  float strength2 = (float)(slice / ALBEDO_AZIMUTHS + 1) / ALBEDO_STRENGTHS;
  float azimuth = (float)(slice % ALBEDO_AZIMUTHS) / (ALBEDO_AZIMUTHS - 1);
  b.width.x = lerp(b.alpha, 1.0f, strength2);
  float towards = lerp(b.alpha, b.width.x, sqr(azimuth)), square = sqr(b.width.x) - sqr(b.alpha);
  float cos2 = square > 0.0f ? saturate((sqr(towards) - sqr(b.alpha)) / square) : 1.0f;
  float sinTheta = b.wo.x;
  b.wo.x = sinTheta * sqrtf(cos2);
  b.wo.y = sinTheta * safeSqrt(1.0f - cos2);
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
  Bsdf b = tableBsdf(cosTheta, roughness, slice < ALBEDO_SHEEN ? ior : 1.5f, slice < ALBEDO_GLASS_INSIDE);
  float albedo;
  if (slice >= ALBEDO_BRUSHED) {
    brush(b, (slice - ALBEDO_BRUSHED) % (ALBEDO_STRENGTHS * ALBEDO_AZIMUTHS));
    albedo = mirrorAlbedo(b, slice >= ALBEDO_BRUSHED_COAT, n);
  } else if (slice >= ALBEDO_SHEEN) {
    albedo = sheenAlbedo(b.wo, roughness, n);
  } else if (slice >= ALBEDO_GLASS_OUTSIDE) {
    albedo = glassAlbedo(b, n);
  } else {
    albedo = mirrorAlbedo(b, slice >= ALBEDO_COAT, n);
  }
  pointer<float>(frame.display.target)[index] = albedo;
}
