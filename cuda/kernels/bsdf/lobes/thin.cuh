// Thin-walled transmission (KHR_materials_transmission without volume): light passes straight through, blurred by the
// reflection lobe mirrored to the other side.
#pragma once

#include "bsdf/lobes/reflection.cuh"

struct ThinTerms {
  float3 thin;       // weight
  float thinScale;   // its compensation
};

DEVICE void layThin(ThinTerms& t, const BsdfPoint& b, const Layers& l) {
  t.thin = b.baseColor * (has(FEATURE_THIN) && l.thin ? l.through * l.under : 0.0f);
  t.thinScale = 1.0f + l.lost;
}

DEVICE float3 mirrored(float3 w) { return make_float3(w.x, w.y, -w.z); }

DEVICE float3 weightThin(const BsdfPoint&, const ThinTerms& t) { return t.thin; }

DEVICE float3 evalThin(const BsdfPoint& b, const ThinTerms& t, float3 wi, float* pdf) {
  *pdf = 0.0f;
  if (wi.z >= 0.0f) return vec3(0.0f);
  FacetReflection r = reflectOffFacets(b.wo, b.stretchedWo, mirrored(wi), b.width);
  *pdf = r.pdf;
  return t.thin * (t.thinScale * r.shape);
}

DEVICE bool sampleThin(const BsdfPoint& b, const ThinTerms& t, float, float2 u, float3* wi, float3* deltaWeight) {
  if (!sampleMirror(b, u, wi)) return false;
  *wi = mirrored(*wi);
  *deltaWeight = t.thin;
  return true;
}
