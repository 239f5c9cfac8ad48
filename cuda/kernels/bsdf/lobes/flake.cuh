// One flake: Blinn and Phong's lobe about its own normal, in Ashikhmin and Shirley's form (2000, An Anisotropic Phong BRDF
// Model) without Fresnel: f = D / (4 (o·h) max(cos θo, cos θi)) with D = (n + 1)/2π (m·h)ⁿ, θ against the surface. It is
// reciprocal, and f cos θi over the density of sampling is cos θi / max(cos θo, cos θi): never above 1, however m leans.
#pragma once

// Functions are called, not inlined: other materials should not carry their code.

// flakeNormal is m, in the shading frame; flake as in lobes/paint.cuh.
DEVICE float3 flakeNormal(const Flakes& layer, uint32_t flake) {
  float s, c, slope = layer.spread * midrangeSqrt((float)(flake & 4095u) * (1.0f / 4095.0f));
  sinCosTurn((float)(flake >> 12 & 4095u) * (1.0f / 4096.0f), &s, &c);
  return normalize(make_float3(slope * c, slope * s, 1.0f));
}

// Less than this of D counts as none [1/sr]: nobody sees it, a GPU would round it to 0 and a CPU would not, and no normal that
// sampleFlake draws has so little.
DEVICE_TABLE float LEAST_FLAKE_DENSITY = 1e-20f;

// flakePdf is D / (4 (o·h)), with which sampleFlake draws wi.
DEVICE_CALL float flakePdf(const Flakes* layer, uint32_t flake, float3 wo, float3 wi) {
  if (wi.z <= 0.0f) return 0.0f;
  float3 h = normalize(wo + wi);   // exactly: the power multiplies its error by the exponent
  float mh = saturate(dot(flakeNormal(*layer, flake), h));
  float d = (layer->exponent + 1.0f) * (0.5f * INV_PI) * powf(mh, layer->exponent);
  if (d < LEAST_FLAKE_DENSITY) return 0.0f;
  return d / (4.0f * maxf(dot(wo, h), 1e-20f));
}

// sampleFlake gives wi.z = 0 when it fails.
DEVICE_CALL float3 sampleFlake(const Flakes* layer, uint32_t flake, float3 wo, float2 u) {
  float s, c, z = powf(1.0f - u.x, midrangeInverse(layer->exponent + 1.0f)), r = safeSqrt(1.0f - sqr(z));
  sinCosTurn(u.y, &s, &c);
  float3 h = toWorld(basisAround(flakeNormal(*layer, flake)), make_float3(r * c, r * s, z));
  float oh = dot(wo, h);
  float3 wi = h * (2.0f * oh) - wo;
  return oh > 0.0f && wi.z > 0.0f ? wi : vec3(0.0f);
}
