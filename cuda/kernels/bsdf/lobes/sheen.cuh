// Sheen of cloth (KHR_materials_sheen): fibres that stand up, seen as microfacets whose normals lie flat. Estevez and Kulla 2017,
// Production Friendly Microfacet Sheen BRDF: D = (2 + 1/α) sin^(1/α) θh / 2π, masked by their fit of Smith's λ, without the
// softening of its terminator. Directions are drawn evenly over the hemisphere.
#pragma once

struct SheenTerms {
  float3 sheen;           // weight
  float3 sheenShare;      // of white light, towards wo
  float sheenRoughness;   // perceptual
};

DEVICE_TABLE float SHARPEST_SHEEN = 0.07f;   // roughness

// sheenCurve is the paper's L(x) = a / (1 + b xᶜ) + d x + e, between its fits for α = 0 and 1.
DEVICE float sheenCurve(float x, float alpha) {
  float t = sqr(1.0f - alpha);
  float a = lerp(21.5473f, 25.3245f, t), b = lerp(3.82987f, 3.32435f, t), c = lerp(0.19823f, 0.16801f, t);
  float d = lerp(-1.97760f, -1.27393f, t), e = lerp(-4.32054f, -4.85967f, t);
  return a / (1.0f + b * powf(x, c)) + d * x + e;
}

DEVICE float sheenLambda(float cosTheta, float alpha) {
  if (cosTheta < 0.5f) return expf(sheenCurve(cosTheta, alpha));
  return expf(2.0f * sheenCurve(0.5f, alpha) - sheenCurve(maxf(1.0f - cosTheta, 0.0f), alpha));
}

// sheenValue is f cos θi of a white sheen. A call, not inlined: other materials should not carry its code.
DEVICE_CALL float sheenValue(float3 wo, float3 wi, float roughness) {
  if (wi.z <= 0.0f) return 0.0f;
  float alpha = sqr(maxf(roughness, SHARPEST_SHEEN)), inverse = 1.0f / alpha;
  float3 h = fastNormalize(wo + wi);
  float sin2 = maxf(sqr(h.x) + sqr(h.y), 1e-8f);
  float d = (2.0f + inverse) * powf(sin2, 0.5f * inverse) * (0.5f * INV_PI);
  return d / ((1.0f + sheenLambda(wo.z, alpha) + sheenLambda(wi.z, alpha)) * 4.0f * maxf(wo.z, 1e-4f));
}

// laySheen: where sheen would send back more than falls in, at grazing angles, it is scaled to all of it.
DEVICE void laySheen(SheenTerms& t, const BsdfPoint& b, Layers& l) {
  const Material& m = l.material;
  t.sheen = t.sheenShare = vec3(0.0f);
  if (isBlack(m.sheenColor) || isInside(l)) return;
  float3 color = m.sheenColor * xyz(texelOf(m, l.surface, TEXTURE_SHEEN_COLOR));
  t.sheenRoughness = saturate(m.sheenRoughness * texelOf(m, l.surface, TEXTURE_SHEEN_ROUGHNESS).w);
  float albedo = albedoSlice(ALBEDO_SHEEN, b.wo.z, maxf(t.sheenRoughness, SHARPEST_SHEEN));
  float most = maxComponent(color) * albedo;
  color = color * ((l.metal + l.dielectric) / maxf(most, 1.0f));
  t.sheen = color;
  t.sheenShare = color * albedo;
  float under = 1.0f - minf(most, 1.0f);
  l.metal *= under;
  l.dielectric *= under;
}

DEVICE float3 weightSheen(const BsdfPoint&, const SheenTerms& t) { return t.sheenShare; }

DEVICE float3 evalSheen(const BsdfPoint& b, const SheenTerms& t, float3 wi, float* pdf) {
  *pdf = wi.z > 0.0f ? 0.5f * INV_PI : 0.0f;
  return t.sheen * sheenValue(b.wo, wi, t.sheenRoughness);
}

// uniformHemisphere draws a direction above the surface, each as often.
DEVICE float3 uniformHemisphere(float2 u) {
  float s, c, r = safeSqrt(1.0f - sqr(u.x));
  sinCosTurn(u.y, &s, &c);
  return make_float3(r * c, r * s, u.x);
}

DEVICE bool sampleSheen(const BsdfPoint&, const SheenTerms&, float, float2 u, float3* wi, float3*) {
  *wi = uniformHemisphere(u);
  return wi->z > 0.0f;
}
