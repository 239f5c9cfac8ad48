// Thin-walled transmission (KHR_materials_transmission without volume): light passes straight through, blurred by the
// reflection lobe mirrored to the other side.
#pragma once

DEVICE float3 mirrored(float3 w) { return make_float3(w.x, w.y, -w.z); }

DEVICE float3 weightThin(const Bsdf& b) { return b.thin; }

DEVICE float3 evalThin(const Bsdf& b, float3 wi, float* pdf) {
  *pdf = 0.0f;
  if (wi.z >= 0.0f) return vec3(0.0f);
  FacetReflection r = reflectOffFacets(b.wo, b.stretchedWo, mirrored(wi), b.alpha);
  *pdf = r.pdf;
  return b.thin * (b.thinScale * r.shape);
}

DEVICE bool sampleThin(const Bsdf& b, float uSide, float2 u, float3* wi, float3* deltaWeight) {
  if (!sampleReflection(b, uSide, u, wi, deltaWeight)) return false;
  *wi = mirrored(*wi);
  *deltaWeight = b.thin;
  return true;
}
