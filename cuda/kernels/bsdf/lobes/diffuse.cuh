// Lambert's lobe: f = ρ/π, sampled by cosine.
#pragma once

struct DiffuseTerms {
  float base;   // weight of the Lambert base
};

DEVICE void layDiffuse(DiffuseTerms& t, const BsdfPoint&, const Layers& l) {
  t.base = isPainted(l.material) ? 0.0f : (l.dielectric - l.through) * l.under * (1.0f - l.translucent);
}

DEVICE float3 weightDiffuse(const BsdfPoint& b, const DiffuseTerms& t) { return b.baseColor * t.base; }

DEVICE float pdfDiffuse(float3 wi) { return maxf(wi.z, 0.0f) * INV_PI; }

// sampleCosine draws wi by its cosine.
DEVICE bool sampleCosine(float2 u, float3* wi) {
  float s, c, r = midrangeSqrt(u.x);
  sinCosTurn(u.y, &s, &c);
  *wi = make_float3(r * c, r * s, safeSqrt(1.0f - u.x));
  return wi->z > 0.0f;
}

DEVICE float3 evalDiffuse(const BsdfPoint& b, const DiffuseTerms& t, float3 wi, float* pdf) {
  *pdf = pdfDiffuse(wi);
  return b.baseColor * (t.base * *pdf);
}

DEVICE bool sampleDiffuse(const BsdfPoint&, const DiffuseTerms&, float, float2 u, float3* wi, float3*) {
  return sampleCosine(u, wi);
}
