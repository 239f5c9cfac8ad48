// Lambert's lobe: f = ρ/π, sampled by cosine.
#pragma once

DEVICE float3 weightDiffuse(const Bsdf& b) { return b.baseColor * b.base; }

DEVICE float pdfDiffuse(float3 wi) { return maxf(wi.z, 0.0f) * INV_PI; }

DEVICE float3 evalDiffuse(const Bsdf& b, float3 wi, float* pdf) {
  *pdf = pdfDiffuse(wi);
  return b.baseColor * (b.base * *pdf);
}

DEVICE bool sampleDiffuse(const Bsdf&, float, float2 u, float3* wi, float3*) {
  float s, c, r = sqrtf(u.x);
  sinCosTurn(u.y, &s, &c);
  *wi = make_float3(r * c, r * s, safeSqrt(1.0f - u.x));
  return wi->z > 0.0f;
}
