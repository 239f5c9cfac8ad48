// The GGX microfacet distribution in a frame whose z is the shading normal.
// Heitz 2014 (Understanding the Masking-Shadowing Function), Dupuy & Benyoub 2023 (Sampling Visible GGX Normals with
// Spherical Caps).
#pragma once

#include "device.h"

// ggxD is the density of normals h (unit, h.z > 0).
DEVICE float ggxD(float3 h, float alpha) {
  float a2 = sqr(alpha);
  // Lagrange's form of cos²(a² − 1) + 1 keeps its digits where h is nearly the normal.
  float d = (sqr(h.x) + sqr(h.y)) + a2 * sqr(h.z);
  return a2 / (PI * sqr(d));
}

// stretched is the length of a direction after the stretch that makes GGX of squared width a2 a hemisphere.
DEVICE float stretched(float3 w, float a2) { return sqrtf(sqr(w.z) + a2 * (sqr(w.x) + sqr(w.y))); }

// ggxLambda of Smith's masking for a direction (either side of the surface).
DEVICE float ggxLambda(float3 w, float alpha) {
  float tan2 = (sqr(w.x) + sqr(w.y)) / maxf(sqr(w.z), 1e-20f);
  return 0.5f * (sqrtf(1.0f + sqr(alpha) * tan2) - 1.0f);
}

// ggxG1 masks one direction.
DEVICE float ggxG1(float3 w, float alpha) { return 1.0f / (1.0f + ggxLambda(w, alpha)); }

// ggxG2 masks and shadows, height-correlated.
DEVICE float ggxG2(float3 wo, float3 wi, float alpha) {
  return 1.0f / (1.0f + ggxLambda(wo, alpha) + ggxLambda(wi, alpha));
}

// ggxVisiblePdf is the density of h among the normals visible from wo.
DEVICE float ggxVisiblePdf(float3 wo, float3 h, float alpha) {
  return ggxG1(wo, alpha) * ggxD(h, alpha) * maxf(dot(wo, h), 0.0f) / maxf(wo.z, 1e-20f);
}

// sampleGgxVisible draws a normal visible from wo (wo.z > 0).
DEVICE float3 sampleGgxVisible(float3 wo, float alpha, float2 u) {
  float3 v = normalize(make_float3(alpha * wo.x, alpha * wo.y, wo.z));
  float s, c;
  sinCosTurn(u.x, &s, &c);
  float z = madd(1.0f - u.y, 1.0f + v.z, -v.z);
  float r = safeSqrt(1.0f - sqr(z));
  float3 h = make_float3(r * c, r * s, z) + v;
  return normalize(make_float3(alpha * h.x, alpha * h.y, maxf(h.z, 1e-7f)));
}
