// GGX reflection off the dielectric coat and off the metal: one distribution, two Fresnel terms.
//   f |cos| = F D G₂ / (4 |cos θo|), sampled by visible normals (Walter 2007, Dupuy & Benyoub 2023).
#pragma once

struct ReflectionTerms {
  float coat;         // weight of the coat, compensation included
  float metal;        // weight of the conductor
  float metalScale;   // its compensation: 1 + F₀ × this
};

DEVICE void layReflection(ReflectionTerms& t, const BsdfPoint&, const Layers& l) {
  t.metal = l.metal;
  t.metalScale = l.lost;
  t.coat = (l.dielectric - (l.thin ? 0.0f : l.through)) * l.coatScale;
}

// reflectance sums both Fresnel terms, weights and compensation included, at the angle between wo and the microfacet.
DEVICE float3 reflectance(const BsdfPoint& b, const ReflectionTerms& t, float cosI) {
  float3 f = vec3(0.0f);
  if (t.coat > 0.0f) {
    float rise = fresnelRise(cosI, b.ior, b.f0, b.riseScale);
    f += filmed(b.film, cosI, b.coatF0, b.coatF0 * (1.0f - rise) + vec3(b.coatF90 * rise)) * t.coat;
  }
  if (t.metal > 0.0f)
    f += filmed(b.film, cosI, b.baseColor, fresnelSchlick(b.baseColor, cosI)) *
         (vec3(1.0f) + b.baseColor * t.metalScale) * t.metal;
  return f;
}

DEVICE float3 weightReflection(const BsdfPoint& b, const ReflectionTerms& t) { return reflectance(b, t, b.wo.z); }

// FacetReflection is f |cos| / F, the density of directions that mirrors drawn by visible normals give [1/sr], and o·h.
struct FacetReflection {
  float shape, pdf, cosI;
};

// reflectOffFacets for wi above the surface. With H = wo + wi as it is, |H| = 2 o·h, h = H / |H|, and √(z² + α²(x² + y²)) = s of
// either direction, Smith's λ is ½ (s/z − 1), so that
//   D = α² |H|⁴ / (π (Hx² + Hy² + α²Hz²)²),   G₂ = 2 zo zi / (so zi + si zo),   G₁(wo) = 2 zo / (so + zo).
// Where the widths along x and y differ, α² is their product, and Hx² and Hy² count αy/αx and αx/αy times.
DEVICE FacetReflection reflectOffFacets(float3 wo, float so, float3 wi, GgxWidth a) {
  float3 H = wo + wi;
  float a2 = a.x * a.y, H2 = dot(H, H), si = stretched(wi, a);
  float q = sqr(H.x) + sqr(H.y) + a2 * sqr(H.z);
  if (has(FEATURE_ANISOTROPY)) q = sqr(H.x) * (a.y / a.x) + sqr(H.y) * (a.x / a.y) + a2 * sqr(H.z);
  float d = (a2 * INV_PI * 0.5f) * sqr(H2) / sqr(q);
  return {d * wi.z / (so * wi.z + si * wo.z), d / (so + wo.z), 0.5f * sqrtf(H2)};
}

DEVICE float3 evalReflection(const BsdfPoint& b, const ReflectionTerms& t, float3 wi, float* pdf) {
  *pdf = 0.0f;
  if (wi.z <= 0.0f) return vec3(0.0f);
  FacetReflection r = reflectOffFacets(b.wo, b.stretchedWo, wi, b.width);
  *pdf = r.pdf;
  return reflectance(b, t, r.cosI) * r.shape;
}

// sampleMirror draws wi off a visible facet.
DEVICE bool sampleMirror(const BsdfPoint& b, float2 u, float3* wi) {
  float3 h = b.smooth ? make_float3(0.0f, 0.0f, 1.0f) : sampleGgxVisible(b.wo, b.width, u);
  *wi = h * (2.0f * dot(b.wo, h)) - b.wo;
  return wi->z > 0.0f;
}

DEVICE bool sampleReflection(const BsdfPoint& b, const ReflectionTerms& t, float, float2 u, float3* wi,
                             float3* deltaWeight) {
  if (b.smooth) *deltaWeight = weightReflection(b, t);
  return sampleMirror(b, u, wi);
}
