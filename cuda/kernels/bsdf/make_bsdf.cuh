// From the appearance of a point to its BSDF: which lobes there are, and what each weighs.
#pragma once

#include "bsdf/bsdf.cuh"

// layersFor: only a lobe of LOBE_COVER may change the layers. What else would take light from other lobes does not compile, so
// that ReSTIR hears of it (isCovered in restir/reservoir.cuh).
template <bool covers>
DEVICE decltype(auto) layersFor(Layers& l) {
  if constexpr (covers)
    return (l);
  else
    return static_cast<const Layers&>(l);
}

// layLobes lays the lobes that cover others, or all else.
DEVICE void layLobes(Bsdf& b, Layers& l, bool covers) {
#define X(name, feature, kind, reuse)                           \
  if (has(feature) && covers == (LOBE_##reuse == LOBE_COVER)) { \
    lay##name(b, b, layersFor<LOBE_##reuse == LOBE_COVER>(l));  \
  }
  LOBES(X)
#undef X
}

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
  b.ior = maxf(m.ior, 1.001f);
  b.eta = has(FEATURE_GLASS) && !s.front ? 1.0f / b.ior : b.ior;

  Layers l = {m, s, a};
  l.rough = b.smooth ? 0.0f : a.roughness;
  l.thin = (m.flags & MATERIAL_THIN) != 0;
  l.compensate = (frame.sampling.flags & FRAME_ENERGY_COMPENSATION) != 0;
  l.root = normalAmplitude(b.ior);
  b.f0 = sqr(l.root);
  b.riseScale = 1.0f / (1.0f - b.f0);
  l.metal = a.metallic;
  l.dielectric = 1.0f - a.metallic;
  layLobes(b, l, true);
  l.through = has(FEATURE_GLASS) || has(FEATURE_THIN) ? l.dielectric * a.transmission : 0.0f;
  float mirror = 1.0f, rise;
  if (b.smooth) {
    rise = fresnelRise(b.wo.z, b.ior, b.f0, b.riseScale);
  } else {
    mirror = maxf(albedoSlice(ALBEDO_MIRROR, b.wo.z, l.rough), 0.05f);
    rise = albedoIor(ALBEDO_COAT, l.root, b.wo.z, l.rough);
  }
  l.lost = l.compensate ? 1.0f / mirror - 1.0f : 0.0f;

  // The coat covers the Lambert base and thin glass; what it does not reflect reaches them.
  b.coatF90 = has(FEATURE_SPECULAR) ? a.specular : 1.0f;
  b.coatF0 = vec3(b.f0);
  if (has(FEATURE_SPECULAR)) {
    float3 f0 = a.specularColor * (b.f0 * a.specular);
    b.coatF0 = make_float3(minf(f0.x, a.specular), minf(f0.y, a.specular), minf(f0.z, a.specular));
  }
  float3 meanF = b.coatF0 + (vec3(b.coatF90) - b.coatF0) * (1.0f / 21.0f);
  l.coatScale = 1.0f + average(meanF) * l.lost;
  float3 coatAlbedo = (b.coatF0 * (mirror - rise) + vec3(b.coatF90 * rise)) * l.coatScale;
  l.under = saturate(1.0f - maxComponent(coatAlbedo));
  layLobes(b, l, false);
  chooseLobes(b);
  return b;
}
