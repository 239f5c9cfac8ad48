// GGX reflection off the dielectric coat and off the metal: one distribution, two Fresnel terms.
//   f |cos| = F D G₂ / (4 |cos θo|), sampled by visible normals (Walter 2007, Dupuy & Benyoub 2023).
#pragma once

// reflectance sums both Fresnel terms, weights and compensation included, at the angle between wo and the microfacet.
DEVICE float3 reflectance(const Bsdf& b, float cosI) {
  float3 f = vec3(0.0f);
  if (b.coat > 0.0f) {
    float rise = fresnelRise(cosI, b.ior);
    f += (b.coatF0 * (1.0f - rise) + vec3(b.coatF90 * rise)) * b.coat;
  }
  if (b.metal > 0.0f) f += fresnelSchlick(b.baseColor, cosI) * (vec3(1.0f) + b.baseColor * b.metalScale) * b.metal;
  return f;
}

DEVICE float3 weightReflection(const Bsdf& b) { return reflectance(b, b.wo.z); }

// reflectionShape is f |cos| / F of microfacets of a width.
DEVICE float reflectionShape(const Bsdf& b, float3 wi, float3 h, float alpha) {
  return ggxD(h, alpha) * ggxG2(b.wo, wi, alpha) / (4.0f * b.wo.z);
}

DEVICE float3 evalReflection(const Bsdf& b, float3 wi) {
  if (wi.z <= 0.0f) return vec3(0.0f);
  float3 h = normalize(b.wo + wi);
  return reflectance(b, dot(b.wo, h)) * reflectionShape(b, wi, h, b.alpha);
}

DEVICE float pdfReflection(const Bsdf& b, float3 wi) {
  if (wi.z <= 0.0f) return 0.0f;
  float3 h = normalize(b.wo + wi);
  return ggxVisiblePdf(b.wo, h, b.alpha) / (4.0f * maxf(dot(b.wo, h), 1e-20f));
}

DEVICE bool sampleReflection(const Bsdf& b, float, float2 u, float3* wi, float3* deltaWeight) {
  float3 h = b.smooth ? make_float3(0.0f, 0.0f, 1.0f) : sampleGgxVisible(b.wo, b.alpha, u);
  *wi = h * (2.0f * dot(b.wo, h)) - b.wo;
  *deltaWeight = reflectance(b, b.wo.z);
  return wi->z > 0.0f;
}
