// Thin-walled transmission (KHR_materials_transmission without volume): light passes straight through, blurred by the
// reflection lobe mirrored to the other side.
#pragma once

DEVICE float3 mirrored(float3 w) { return make_float3(w.x, w.y, -w.z); }

DEVICE float3 weightThin(const Bsdf& b) { return b.thin; }

DEVICE float3 evalThin(const Bsdf& b, float3 wi) {
  if (wi.z >= 0.0f) return vec3(0.0f);
  float3 m = mirrored(wi);
  float3 h = normalize(b.wo + m);
  return b.thin * (b.thinScale * ggxD(h, b.alpha) * ggxG2(b.wo, m, b.alpha) / (4.0f * b.wo.z));
}

DEVICE float pdfThin(const Bsdf& b, float3 wi) { return wi.z < 0.0f ? pdfReflection(b, mirrored(wi)) : 0.0f; }

DEVICE bool sampleThin(const Bsdf& b, float uSide, float2 u, float3* wi, float3* deltaWeight) {
  if (!sampleReflection(b, uSide, u, wi, deltaWeight)) return false;
  *wi = mirrored(*wi);
  *deltaWeight = b.thin;
  return true;
}
