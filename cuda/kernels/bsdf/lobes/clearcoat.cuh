// A clear coat of lacquer over all else (KHR_materials_clearcoat): GGX reflection of an index of 1.5, with a normal of its own.
// What it does not reflect reaches the layers under it, by its directional albedo towards the viewer. It is never sharper than
// SMOOTH_ALPHA: light sampling finds what it reflects, and only the surface under it may be a mirror.
#pragma once

#include "bsdf/lobes/reflection.cuh"

struct ClearcoatTerms {
  float clearcoat;          // weight, compensation included
  float3 clearcoatNormal;   // shading frame
  float clearcoatAlpha;
};

DEVICE_TABLE float CLEARCOAT_IOR = 1.5f;
DEVICE_TABLE float CLEARCOAT_ROOT = 0.2f;   // √F₀
DEVICE_TABLE float CLEARCOAT_F0 = 0.04f;

DEVICE float clearcoatReflectance(float cosI) {
  float rise = fresnelRise(cosI, CLEARCOAT_IOR, CLEARCOAT_F0, 1.0f / (1.0f - CLEARCOAT_F0));
  return CLEARCOAT_F0 + (1.0f - CLEARCOAT_F0) * rise;
}

// clearcoatNormalOf is the coat's normal in world space: that of the geometry unless it has a map of its own.
DEVICE float3 clearcoatNormalOf(const Layers& l, float3 wo) {
  const TextureRef& map = l.material.textures[TEXTURE_CLEARCOAT_NORMAL];
  float3 n = l.surface.ns;
  if (map.texture >= 0) {
    float3 bump = xyz(lobeTexture(&map, l.surface.uv0, l.surface.uv1));
    n = bumped(l.surface, bump, l.material.clearcoatNormalScale);
  }
  return lifted(n, l.surface, wo);
}

DEVICE void layClearcoat(ClearcoatTerms& t, const BsdfPoint& b, Layers& l) {
  const Material& m = l.material;
  t.clearcoat = 0.0f;
  if (m.clearcoat <= 0.0f || isInside(l)) return;
  float weight = saturate(m.clearcoat * texelOf(m, l.surface, TEXTURE_CLEARCOAT).x);
  if (weight == 0.0f) return;
  float rough = saturate(m.clearcoatRoughness * texelOf(m, l.surface, TEXTURE_CLEARCOAT_ROUGHNESS).y);
  t.clearcoatAlpha = maxf(sqr(rough), SMOOTH_ALPHA);
  t.clearcoatNormal = toLocal(b.basis, clearcoatNormalOf(l, toWorld(b.basis, b.wo)));
  float cosO = maxf(dot(t.clearcoatNormal, b.wo), 1e-4f);
  float mirror = maxf(albedoSlice(ALBEDO_MIRROR, cosO, rough), 0.05f);
  float rise = albedoIor(ALBEDO_COAT, CLEARCOAT_ROOT, cosO, rough);
  const float mean = CLEARCOAT_F0 + (1.0f - CLEARCOAT_F0) * (1.0f / 21.0f);
  t.clearcoat = weight * (l.compensate ? 1.0f + mean * (1.0f / mirror - 1.0f) : 1.0f);
  float under = saturate(1.0f - t.clearcoat * (CLEARCOAT_F0 * (mirror - rise) + rise));
  l.metal *= under;
  l.dielectric *= under;
}

DEVICE float3 weightClearcoat(const BsdfPoint& b, const ClearcoatTerms& t) {
  if (t.clearcoat == 0.0f) return vec3(0.0f);
  return vec3(clearcoatReflectance(saturate(dot(t.clearcoatNormal, b.wo))) * t.clearcoat);
}

DEVICE float3 evalClearcoat(const BsdfPoint& b, const ClearcoatTerms& t, float3 wi, float* pdf) {
  *pdf = 0.0f;
  Basis basis = basisAround(t.clearcoatNormal);
  float3 o = toLocal(basis, b.wo), i = toLocal(basis, wi);
  if (wi.z <= 0.0f || o.z <= 0.0f || i.z <= 0.0f) return vec3(0.0f);
  GgxWidth width = alikeWidth(t.clearcoatAlpha);
  FacetReflection r = reflectOffFacets(o, stretched(o, width), i, width);
  *pdf = r.pdf;
  return vec3(clearcoatReflectance(r.cosI) * t.clearcoat * r.shape);
}

DEVICE bool sampleClearcoat(const BsdfPoint& b, const ClearcoatTerms& t, float, float2 u, float3* wi, float3*) {
  Basis basis = basisAround(t.clearcoatNormal);
  float3 o = toLocal(basis, b.wo);
  if (o.z <= 0.0f) return false;
  float3 h = sampleGgxVisible(o, alikeWidth(t.clearcoatAlpha), u);
  float3 i = h * (2.0f * dot(o, h)) - o;
  *wi = toWorld(basis, i);
  return i.z > 0.0f && wi->z > 0.0f;
}
