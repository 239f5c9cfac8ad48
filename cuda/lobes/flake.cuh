// One flake: Blinn and Phong's lobe about its own normal, in Ashikhmin and Shirley's form (2000, An Anisotropic Phong BRDF
// Model) without Fresnel: f = D / (4 (o·h) max(cos θo, cos θi)) with D = (n + 1)/2π (m·h)ⁿ, θ against the surface. It is
// reciprocal, and f cos θi over the density of sampling is cos θi / max(cos θo, cos θi): never above 1, however m leans.
#pragma once

// flakePdf is D / (4 (o·h)), with which sampleFlake draws wi.
DEVICE float flakePdf(float3 m, float exponent, float3 wo, float3 wi) {
  if (wi.z <= 0.0f) return 0.0f;
  float3 h = normalize(wo + wi);
  float d = (exponent + 1.0f) * (0.5f * INV_PI) * powf(saturate(dot(m, h)), exponent);
  return d / (4.0f * maxf(dot(wo, h), 1e-20f));
}

// evalFlake is f cos θi of a white flake.
DEVICE float evalFlake(float3 m, float exponent, float3 wo, float3 wi) {
  return flakePdf(m, exponent, wo, wi) * wi.z / maxf(wo.z, wi.z);
}

DEVICE bool sampleFlake(float3 m, float exponent, float3 wo, float2 u, float3* wi) {
  float s, c, z = powf(1.0f - u.x, 1.0f / (exponent + 1.0f)), r = safeSqrt(1.0f - sqr(z));
  sinCosTurn(u.y, &s, &c);
  float3 h = toWorld(basisAround(m), make_float3(r * c, r * s, z));
  float oh = dot(wo, h);
  *wi = h * (2.0f * oh) - wo;
  return oh > 0.0f && wi->z > 0.0f;
}
