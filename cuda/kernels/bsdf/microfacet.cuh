// Microfacets: the GGX distribution in a frame whose z is the shading normal, wider along x than along y where the material is
// anisotropic (Burley 2012, Physically Based Shading at Disney), and the Fresnel reflectance of dielectrics and
// conductors. Heitz 2014 (Understanding the Masking-Shadowing Function), Dupuy & Benyoub 2023 (Sampling Visible GGX Normals with
// Spherical Caps).
#pragma once

#include "core/device.h"

// GgxWidth is the roughness of a surface along x and y of its shading frame: alpha, twice.
struct GgxWidth {
  float x, y;
};
DEVICE GgxWidth alikeWidth(float alpha) { return {alpha, alpha}; }

// stretchedPlane is the square of a direction's part in the surface's plane after the stretch that makes GGX a hemisphere.
DEVICE float stretchedPlane(float3 w, GgxWidth a) {
  if (has(FEATURE_ANISOTROPY)) return sqr(a.x * w.x) + sqr(a.y * w.y);
  return sqr(a.x) * (sqr(w.x) + sqr(w.y));
}

// ggxD is the density of normals h (unit, h.z > 0).
DEVICE float ggxD(float3 h, GgxWidth a) {
  if (has(FEATURE_ANISOTROPY)) {
    float d = sqr(h.x / a.x) + sqr(h.y / a.y) + sqr(h.z);
    return 1.0f / (PI * a.x * a.y * sqr(d));
  }
  float a2 = sqr(a.x);
  // Lagrange's form of cos²(a² − 1) + 1 keeps its digits where h is nearly the normal.
  float d = (sqr(h.x) + sqr(h.y)) + a2 * sqr(h.z);
  return a2 / (PI * sqr(d));
}

// stretched is the length of a direction after that stretch.
DEVICE float stretched(float3 w, GgxWidth a) { return sqrtf(sqr(w.z) + stretchedPlane(w, a)); }

// ggxLambda of Smith's masking for a direction (either side of the surface).
DEVICE float ggxLambda(float3 w, GgxWidth a) {
  float slope2 = stretchedPlane(w, a) / maxf(sqr(w.z), 1e-20f);
  return 0.5f * (sqrtf(1.0f + slope2) - 1.0f);
}

// ggxG1 masks one direction.
DEVICE float ggxG1(float3 w, GgxWidth a) { return 1.0f / (1.0f + ggxLambda(w, a)); }

// ggxG2 masks and shadows, height-correlated.
DEVICE float ggxG2(float3 wo, float3 wi, GgxWidth a) { return 1.0f / (1.0f + ggxLambda(wo, a) + ggxLambda(wi, a)); }

// ggxVisiblePdf is the density of h among the normals visible from wo.
DEVICE float ggxVisiblePdf(float3 wo, float3 h, GgxWidth a) {
  return ggxG1(wo, a) * ggxD(h, a) * maxf(dot(wo, h), 0.0f) / maxf(wo.z, 1e-20f);
}

// sampleGgxVisible draws a normal visible from wo (wo.z > 0).
DEVICE float3 sampleGgxVisible(float3 wo, GgxWidth a, float2 u) {
  float3 v = normalize(make_float3(a.x * wo.x, a.y * wo.y, wo.z));
  float s, c;
  sinCosTurn(u.x, &s, &c);
  float z = madd(1.0f - u.y, 1.0f + v.z, -v.z);
  float r = safeSqrt(1.0f - sqr(z));
  float3 h = make_float3(r * c, r * s, z) + v;
  return normalize(make_float3(a.x * h.x, a.y * h.y, maxf(h.z, 1e-7f)));
}

// --- Fresnel --------------------------------------------------------------------------------------------------------

// fresnelDielectric is the exact unpolarised reflectance for light that meets the interface at |cos θ| = cosI, where eta
// is the index beyond the interface over the index before it. 1 beyond the critical angle.
DEVICE float fresnelDielectric(float cosI, float eta) {
  float g2 = sqr(eta) - 1.0f + sqr(cosI);
  if (g2 <= 0.0f) return 1.0f;
  // ½ ((g − c) / (g + c))² (1 + ((c (g + c) − 1) / (c (g − c) + 1))²), g = η cos θt (Cook and Torrance 1982).
  float g = sqrtf(g2), less = g - cosI, more = g + cosI, p = cosI * more - 1.0f, q = cosI * less + 1.0f;
  return minf(0.5f * sqr(less) * (sqr(q) + sqr(p)) / sqr(more * q), 1.0f);
}

// normalAmplitude is √F₀ of an interface.
DEVICE float normalAmplitude(float eta) { return (eta - 1.0f) / (eta + 1.0f); }
DEVICE float normalReflectance(float eta) { return sqr(normalAmplitude(eta)); }

// grazingWeight is Schlick's (1 − cos θ)⁵.
DEVICE float grazingWeight(float cosTheta) {
  float m = saturate(1.0f - cosTheta);
  return sqr(sqr(m)) * m;
}

// fresnelSchlickDielectric approximates fresnelDielectric (Schlick 1994). The angle counts on the side of the lower index,
// so that both sides reflect alike and the critical angle stays where it is.
DEVICE float fresnelSchlickDielectric(float cosI, float eta) {
  float cosThin = cosI;
  if (eta < 1.0f) {
    float sin2T = (1.0f - sqr(cosI)) / sqr(eta);
    if (sin2T >= 1.0f) return 1.0f;
    cosThin = safeSqrt(1.0f - sin2T);
  }
  float f0 = normalReflectance(eta);
  return f0 + (1.0f - f0) * grazingWeight(cosThin);
}

// interfaceReflectance is what a dielectric interface reflects, by frame.sampling.flags: exact or by Schlick.
DEVICE float interfaceReflectance(float cosI, float eta) {
  return frame.sampling.flags & FRAME_SCHLICK ? fresnelSchlickDielectric(cosI, eta) : fresnelDielectric(cosI, eta);
}

// fresnelRise goes from 0 at normal incidence to 1 at grazing as the dielectric does, so that a coat with any colour f0
// reflects f0 (1 − rise) + f90 rise (KHR_materials_specular's mix, without Schlick's approximation unless it is asked for).
// plain is the interface's own reflectance F₀ at normal incidence, scale 1 / (1 − plain).
DEVICE float fresnelRise(float cosI, float ior, float plain, float scale) {
  // At index 1 the exact shape has a limit but rounding has none: Schlick's is close to it.
  if (ior <= 1.0f || (frame.sampling.flags & FRAME_SCHLICK)) return grazingWeight(cosI);
  return saturate((fresnelDielectric(cosI, ior) - plain) * scale);
}

// fresnelSchlick of a conductor (Schlick 1994).
DEVICE float3 fresnelSchlick(float3 f0, float cosI) { return f0 + (vec3(1.0f) - f0) * grazingWeight(cosI); }
