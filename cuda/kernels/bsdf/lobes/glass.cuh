// Solid glass: GGX reflection and refraction with a dielectric's Fresnel term (Walter et al. 2007, Microfacet Models for
// Refraction through Rough Surfaces). Refraction is tinted by the base colour, once at each crossing; reflection is weighed
// and tinted by KHR_materials_specular, but for total reflection.
#pragma once

struct GlassTerms {
  float glass;        // weight
  float glassScale;   // its compensation
};

DEVICE float3 weightGlass(const BsdfPoint&, const GlassTerms& t) { return vec3(t.glass); }

// glassHalf is the microfacet normal that sends wi to wo, on wo's side; false when there is none.
DEVICE bool glassHalf(const BsdfPoint& b, float3 wi, float3* h) {
  bool refracted = wi.z < 0.0f;
  float3 sum = refracted ? b.wo + wi * b.eta : b.wo + wi;
  float length2 = dot(sum, sum);
  if (wi.z == 0.0f || length2 == 0.0f) return false;
  *h = sum * ((sum.z < 0.0f ? -1.0f : 1.0f) / sqrtf(length2));
  // A facet seen from behind by either direction takes no part.
  return dot(b.wo, *h) > 0.0f && dot(wi, *h) * wi.z > 0.0f;
}

// glassJacobian is dωh/dωi: how densely microfacet normals map to directions.
DEVICE float glassJacobian(const BsdfPoint& b, float3 wi, float3 h) {
  float oh = dot(b.wo, h), ih = dot(wi, h);
  if (wi.z > 0.0f) return 1.0f / (4.0f * oh);
  return sqr(b.eta) * absf(ih) / maxf(sqr(oh + b.eta * ih), 1e-20f);
}

// reflectsPlainly tells whether KHR_materials_specular and a film leave reflection as it is.
DEVICE bool reflectsPlainly(const BsdfPoint& b) {
  if (isFilmed(b.film)) return false;
  return !has(FEATURE_SPECULAR) || (b.coatF90 == 1.0f && same(b.coatF0, vec3(b.f0)));
}

// addFacet adds what a facet h of plain glass sends on to either side, less what other facets hide of it.
DEVICE float addFacet(float sum, float3 wo, GgxWidth width, float eta, float3 h) {
  float oh = dot(wo, h);
  float fresnel = interfaceReflectance(oh, eta);
  float3 reflected = h * (2.0f * oh) - wo;
  if (reflected.z > 0.0f) sum += fresnel * ggxG2(wo, reflected, width) / ggxG1(wo, width);
  if (fresnel >= 1.0f) return sum;
  float cosT = safeSqrt(1.0f - (1.0f - sqr(oh)) / sqr(eta));
  float3 refracted = h * (oh / eta - cosT) - wo * (1.0f / eta);
  if (refracted.z < 0.0f) sum += (1.0f - fresnel) * ggxG2(wo, refracted, width) / ggxG1(wo, width);
  return sum;
}

// brushedGlassAlbedo is what plain brushed glass sends on, summed at each hit: a table would need five dimensions, and between its
// entries be further off. From inside, where total reflection begins at an edge, it takes more points. They are those of a
// golden-ratio lattice. A call, not inlined: other materials should not carry its code.
DEVICE_CALL float brushedGlassAlbedo(float3 wo, GgxWidth width, float eta) {
  uint32_t n = eta > 1.0f ? 89 : 144;
  float sum = 0.0f, step = 1.0f / (float)n;
  for (uint32_t i = 0; i < n; i++) {
    float2 u = make_float2(unit(i * 2654435769u), ((float)i + 0.5f) * step);
    sum = addFacet(sum, wo, width, eta, sampleGgxVisible(wo, width, u));
  }
  return sum * step;
}

// layGlass: nothing knows what glass loses that KHR_materials_specular dims or a film covers: it loses that.
DEVICE void layGlass(GlassTerms& t, const BsdfPoint& b, const Layers& l) {
  t.glass = l.thin || !has(FEATURE_GLASS) ? 0.0f : l.through;
  float kept = 1.0f;
  if (has(FEATURE_GLASS) && !b.smooth && l.compensate && t.glass != 0.0f && reflectsPlainly(b))
    kept = isBrushed(b) ? brushedGlassAlbedo(b.wo, b.width, b.eta)
                        : albedoIor(b.eta > 1.0f ? ALBEDO_GLASS_OUTSIDE : ALBEDO_GLASS_INSIDE, l.root, b.wo.z, l.rough);
  t.glassScale = 1.0f / maxf(kept, 0.05f);
}

// glassReflectance is what a facet reflects at |cos θ| = cosI. What its greatest component leaves over is refracted.
DEVICE float3 glassReflectance(const BsdfPoint& b, float cosI) {
  float fresnel = interfaceReflectance(cosI, b.eta);
  if (fresnel >= 1.0f || reflectsPlainly(b)) return vec3(fresnel);
  float rise = saturate((fresnel - b.f0) * b.riseScale);
  return filmed(b.film, cosI, b.coatF0, b.coatF0 * (1.0f - rise) + vec3(b.coatF90 * rise));
}

DEVICE float3 evalGlass(const BsdfPoint& b, const GlassTerms& t, float3 wi, float* pdf) {
  float3 h;
  *pdf = 0.0f;
  if (!glassHalf(b, wi, &h)) return vec3(0.0f);
  float3 reflected = glassReflectance(b, dot(b.wo, h));
  float fresnel = maxComponent(reflected);
  float visible = ggxVisiblePdf(b.wo, h, b.width) * glassJacobian(b, wi, h);
  *pdf = visible * (wi.z > 0.0f ? fresnel : 1.0f - fresnel);
  float3 side = wi.z > 0.0f ? reflected : b.baseColor * (1.0f - fresnel);
  float shadowed = (1.0f + ggxLambda(b.wo, b.width)) * ggxG2(b.wo, wi, b.width);   // G₂ / G₁(wo)
  return side * (t.glass * t.glassScale * visible * shadowed);
}

DEVICE bool sampleGlass(const BsdfPoint& b, const GlassTerms& t, float uSide, float2 u, float3* wi,
                        float3* deltaWeight) {
  float3 h = b.smooth ? make_float3(0.0f, 0.0f, 1.0f) : sampleGgxVisible(b.wo, b.width, u);
  float oh = dot(b.wo, h);
  float3 reflected = glassReflectance(b, oh);
  float fresnel = maxComponent(reflected);
  if (uSide < fresnel) {
    *wi = h * (2.0f * oh) - b.wo;
    *deltaWeight = make_float3(reflected.x / fresnel, reflected.y / fresnel, reflected.z / fresnel) * t.glass;
    return wi->z > 0.0f;
  }
  float cosT = safeSqrt(1.0f - exactDiv(1.0f - sqr(oh), sqr(b.eta)));
  *wi = h * (exactDiv(oh, b.eta) - cosT) - b.wo * midrangeInverse(b.eta);
  *deltaWeight = b.baseColor * t.glass;
  return wi->z < 0.0f;
}
