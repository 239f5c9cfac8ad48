// From the appearance of a point to its BSDF: which lobes there are, and what each weighs.
#pragma once

#include "bsdf/bsdf.cuh"
#include "scene/surface.cuh"

// makeBsdf weighs the lobes.
DEVICE Bsdf makeBsdf(const Material& m, const Surface& s, const Appearance& a, float3 wo) {
  Bsdf b;
  b.basis = basisAround(shadingNormal(m, s, a.bump, wo));
  b.ng = s.ng;
  b.wo = toLocal(b.basis, wo);
  b.wo.z = maxf(b.wo.z, 1e-4f);
  b.baseColor = a.baseColor;
  b.alpha = sqr(a.roughness);
  b.smooth = b.alpha < SMOOTH_ALPHA;
  b.stretchedWo = stretched(b.wo, sqr(b.alpha));
  float rough = b.smooth ? 0.0f : a.roughness;
  bool thin = (m.flags & MATERIAL_THIN) != 0;
  b.ior = maxf(m.ior, 1.001f);
  b.eta = has(FEATURE_GLASS) && !s.front ? 1.0f / b.ior : b.ior;
  float root = normalAmplitude(b.ior);
  b.f0 = sqr(root);
  b.riseScale = 1.0f / (1.0f - b.f0);
  float dielectric = 1.0f - a.metallic;
  float through = has(FEATURE_GLASS) || has(FEATURE_THIN) ? dielectric * a.transmission : 0.0f;
  bool compensate = (frame.sampling.flags & FRAME_ENERGY_COMPENSATION) != 0;
  float mirror = 1.0f, rise;
  if (b.smooth) {
    rise = fresnelRise(b.wo.z, b.ior, b.f0, b.riseScale);
  } else {
    mirror = maxf(albedoSlice(ALBEDO_MIRROR, b.wo.z, rough), 0.05f);
    rise = albedoIor(ALBEDO_COAT, root, b.wo.z, rough);
  }
  float lost = compensate ? 1.0f / mirror - 1.0f : 0.0f;   // over what is reflected

  b.metal = a.metallic;
  b.metalScale = lost;

  // The coat covers the Lambert base and thin glass; what it does not reflect reaches them.
  b.coatF90 = has(FEATURE_SPECULAR) ? a.specular : 1.0f;
  b.coatF0 = vec3(b.f0);
  if (has(FEATURE_SPECULAR)) {
    float3 f0 = a.specularColor * (b.f0 * a.specular);
    b.coatF0 = make_float3(minf(f0.x, a.specular), minf(f0.y, a.specular), minf(f0.z, a.specular));
  }
  float3 meanF = b.coatF0 + (vec3(b.coatF90) - b.coatF0) * (1.0f / 21.0f);
  float coatScale = 1.0f + average(meanF) * lost;
  float3 coatAlbedo = (b.coatF0 * (mirror - rise) + vec3(b.coatF90 * rise)) * coatScale;
  float under = saturate(1.0f - maxComponent(coatAlbedo));
  b.coat = (dielectric - (thin ? 0.0f : through)) * coatScale;
  b.base = (dielectric - through) * under;
  b.paint = nullptr;
  if (has(FEATURE_PAINT) && m.flags & MATERIAL_PAINT) layPaint(b, m, s.position, b.base);
  b.thin = a.baseColor * (has(FEATURE_THIN) && thin ? through * under : 0.0f);
  b.thinScale = 1.0f + lost;

  b.glass = thin || !has(FEATURE_GLASS) ? 0.0f : through;
  // The tables know nothing of glass that KHR_materials_specular dims: it loses what it loses.
  float kept = !has(FEATURE_GLASS) || b.smooth || !compensate || b.glass == 0.0f || !reflectsPlainly(b)
                   ? 1.0f
                   : albedoIor(s.front ? ALBEDO_GLASS_OUTSIDE : ALBEDO_GLASS_INSIDE, root, b.wo.z, rough);
  b.glassScale = 1.0f / maxf(kept, 0.05f);
  chooseLobes(b);
  return b;
}
