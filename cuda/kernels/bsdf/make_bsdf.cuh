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

// turnAnisotropy turns the shading frame to the direction in which the material is rougher, and widens it there: α along it is
// mixed with 1 by the square of the strength (KHR_materials_anisotropy).
DEVICE void turnAnisotropy(Bsdf& b, const Material& m, const Surface& s) {
  float3 t, up;
  if (!has(FEATURE_ANISOTROPY) || m.anisotropy <= 0.0f || !tangentsAround(s, b.basis.z, &t, &up)) return;
  float2 along = make_float2(1.0f, 0.0f);
  float strength = m.anisotropy;
  if (m.textures[TEXTURE_ANISOTROPY].texture >= 0) {
    float4 texel = texelOf(m, s, TEXTURE_ANISOTROPY);
    along = make_float2(texel.x * 2.0f - 1.0f, texel.y * 2.0f - 1.0f);
    strength *= texel.z;
  }
  float2 turned = make_float2(along.x * m.anisotropyCos - along.y * m.anisotropySin,
                              along.x * m.anisotropySin + along.y * m.anisotropyCos);
  float3 x = t * turned.x + up * turned.y;
  if (strength <= 0.0f || dot(x, x) < 1e-6f) return;
  b.basis.x = normalize(x);
  b.basis.y = cross(b.basis.z, b.basis.x);
  b.alpha = maxf(b.alpha, SMOOTH_ALPHA);
  b.width = {lerp(b.alpha, 1.0f, sqr(minf(strength, 1.0f))), b.alpha};
}

// layBrushed looks up what an anisotropic surface reflects towards wo: as a mirror, and the grazing part of a coat. Tables have that of
// one index; others follow it as those of the width towards wo do.
DEVICE void layBrushed(const BsdfPoint& b, const Layers& l, float* mirror, float* rise) {
  float across2 = maxf(sqr(b.wo.x) + sqr(b.wo.y), 1e-12f);
  float towards = sqrtf(stretchedPlane(b.wo, b.width) / across2), wide = b.width.x - b.width.y;
  float strength2 = wide / (1.0f - b.width.y), azimuth = sqrtf(saturate((towards - b.width.y) / wide));
  float cosO = b.wo.z, alike = albedoSlice(ALBEDO_MIRROR, cosO, l.rough);
  *mirror = maxf(albedoBrushed(ALBEDO_BRUSHED, alike, cosO, l.rough, strength2, azimuth), 0.05f);
  const float root = 0.2f;
  float coat = albedoIor(ALBEDO_COAT, root, cosO, l.rough), r = sqrtf(minf(towards, 1.0f));
  float ratio = albedoIor(ALBEDO_COAT, l.root, cosO, r) / maxf(albedoIor(ALBEDO_COAT, root, cosO, r), 1e-6f);
  const float safe = 1.01f;   // the base must not give back what interpolation has missed
  *rise = minf(albedoBrushed(ALBEDO_BRUSHED_COAT, coat, cosO, l.rough, strength2, azimuth) * ratio * safe, *mirror);
}

// filmOf is the thin film over a point.
DEVICE Film filmOf(const Material& m, const Surface& s) {
  if (!has(FEATURE_IRIDESCENCE) || m.iridescence <= 0.0f) return {};
  float thickness = lerp(m.iridescenceMin, m.iridescenceMax, texelOf(m, s, TEXTURE_IRIDESCENCE_THICKNESS).y);
  float weight = saturate(m.iridescence * texelOf(m, s, TEXTURE_IRIDESCENCE).x);
  return {thickness > 0.0f ? weight : 0.0f, m.iridescenceIor, thickness};
}

// meanAngle is the cosine at which a dielectric's reflectance has risen by as much as a rough coat's has on average.
DEVICE float meanAngle(const BsdfPoint& b, float rise) {
  float low = 0.0f, high = 1.0f;
  for (uint32_t i = 0; i < 10; i++) {
    float middle = 0.5f * (low + high);
    if (fresnelRise(middle, b.ior, b.f0, b.riseScale) > rise)
      low = middle;
    else
      high = middle;
  }
  return high;
}

// iorOf is the index of refraction at a place of the spectrum: −1 for red light at 656 nm, 0 for green, 1 for blue at 486 nm
// (KHR_materials_dispersion).
DEVICE float iorOf(const Material& m, float spectrum) {
  if (!has(FEATURE_DISPERSION)) return m.ior;
  return m.ior + spectrum * (m.ior - 1.0f) * 0.025f * m.dispersion;
}

// Lower indices of refraction count as this, unless nothing bends light at all.
DEVICE_TABLE float LEAST_IOR = 1.001f;

// isStraight tells whether light goes straight through the surface of a volume: the index is that of air on both sides. Such a surface is
// a pane, however rough it is, that light leaves in another medium.
DEVICE bool isStraight(const Material& m, float around) {
  return has(FEATURE_PANES) && (m.flags & MATERIAL_STRAIGHT) && around < LEAST_IOR;
}

// makeBsdf weighs the lobes. Where light refracts, `spectrum` is its wavelength, as iorOf takes it. `around` is the index of refraction on the outer
// side of the surface.
DEVICE Bsdf makeBsdf(const Material& m, const Surface& s, const Appearance& a, float3 wo, float spectrum = 0.0f,
                     float around = 1.0f) {
  Bsdf b;
  b.basis = basisAround(shadingNormal(m, s, a.bump, wo));
  b.ng = s.ng;
  b.baseColor = a.baseColor;
  bool straight = isStraight(m, around);
  b.alpha = straight ? 0.0f : sqr(a.roughness);
  b.width = alikeWidth(b.alpha);
  b.film = filmOf(m, s);
  if (!straight) turnAnisotropy(b, m, s);
  b.wo = toLocal(b.basis, wo);
  b.wo.z = maxf(b.wo.z, 1e-4f);
  b.smooth = b.alpha < SMOOTH_ALPHA;
  b.stretchedWo = stretched(b.wo, b.width);
  float ior = maxf(iorOf(m, spectrum), LEAST_IOR);
  bool thinner = ior < around;   // as ice is in water
  b.ior = straight ? 1.0f : maxf(thinner ? exactDiv(around, ior) : exactDiv(ior, around), LEAST_IOR);
  b.eta = has(FEATURE_GLASS) && s.front == thinner ? midrangeInverse(b.ior) : b.ior;

  Layers l = {m, s, a};
  l.rough = b.smooth ? 0.0f : a.roughness;
  l.thin = straight || (m.flags & MATERIAL_THIN) != 0;
  l.compensate = (frame.sampling.flags & FRAME_ENERGY_COMPENSATION) != 0;
  l.root = normalAmplitude(b.ior);
  b.f0 = sqr(l.root);
  b.riseScale = 1.0f / (1.0f - b.f0);
  l.translucent =
      has(FEATURE_TRANSLUCENT) ? saturate(m.diffuseTransmission * texelOf(m, s, TEXTURE_DIFFUSE_TRANSMISSION).w) : 0.0f;
  l.metal = a.metallic;
  l.dielectric = 1.0f - a.metallic;
  layLobes(b, l, true);
  l.through = has(FEATURE_GLASS) || has(FEATURE_THIN) ? l.dielectric * a.transmission : 0.0f;
  float mirror = 1.0f, rise;
  if (b.smooth) {
    rise = fresnelRise(b.wo.z, b.ior, b.f0, b.riseScale);
  } else if (isBrushed(b)) {
    layBrushed(b, l, &mirror, &rise);
  } else {
    mirror = maxf(albedoSlice(ALBEDO_MIRROR, b.wo.z, l.rough), 0.05f);
    rise = albedoIor(ALBEDO_COAT, l.root, b.wo.z, l.rough);
  }
  l.lost = l.compensate ? 1.0f / mirror - 1.0f : 0.0f;

  // The coat covers the Lambert base and thin glass; what it does not reflect reaches them.
  b.coatF90 = straight ? 0.0f : has(FEATURE_SPECULAR) ? a.specular : 1.0f;
  b.coatF0 = vec3(b.f0);
  if (has(FEATURE_SPECULAR)) {
    float3 f0 = a.specularColor * (b.f0 * a.specular);
    b.coatF0 = make_float3(minf(f0.x, a.specular), minf(f0.y, a.specular), minf(f0.z, a.specular));
  }
  float3 meanF = b.coatF0 + (vec3(b.coatF90) - b.coatF0) * (1.0f / 21.0f);
  l.coatScale = 1.0f + average(meanF) * l.lost;
  float3 coatAlbedo = (b.coatF0 * (mirror - rise) + vec3(b.coatF90 * rise)) * l.coatScale;
  if (isFilmed(b.film)) {
    // As at the one angle at which the coat without a film would reflect as much.
    float cosMean = b.smooth ? b.wo.z : meanAngle(b, rise / mirror);
    coatAlbedo =
        filmed(b.film, cosMean, b.coatF0, coatAlbedo * (1.0f / (mirror * l.coatScale))) * (mirror * l.coatScale);
  }
  l.under = saturate(1.0f - maxComponent(coatAlbedo));
  layLobes(b, l, false);
  chooseLobes(b);
  return b;
}

// makeOpen turns the surface into a hole: a pane without a colour.
DEVICE void makeOpen(Bsdf& b) {
  scaleLobes(b, 0, 0.0f);
  b.select[LOBE_Thin] = 1.0f;
  b.thin = vec3(1.0f);
  b.smooth = true;
}
