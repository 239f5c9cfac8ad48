// Light from around the scene: constant, or an equirectangular image sampled by its brightness.
#pragma once

#include "core/random.cuh"

// sineFromTop is sin θ of a direction, where y = cos θ. Not from y: near the poles that has lost it.
DEVICE float sineFromTop(float3 d) { return sqrtf(d.x * d.x + d.z * d.z); }

// environmentUv: u = atan2(z, x)/2π + ½ after the rotation, v = θ/π from the top.
DEVICE float2 environmentUv(float3 d) {
  float u = (atan2f(d.z, d.x) - frame.scene.environment.rotation) * (0.5f * INV_PI) + 0.5f;
  // What is not a number becomes 0: texels are found by these.
  return make_float2(saturate(u - floorf(u)), saturate(acosf(clampf(d.y, -1.0f, 1.0f)) * INV_PI));
}

// hasSky tells whether the environment is an image.
DEVICE bool hasSky() { return has(FEATURE_SKY) && frame.scene.environment.width != 0; }

// environmentScale is what the environment's values are multiplied by.
DEVICE float environmentScale() { return frame.scene.environment.strength * frame.scene.lightScale; }

// skyRadiance is the light that arrives from a place of the image, bilinearly filtered [nit].
DEVICE float3 skyRadiance(float2 uv) {
  const Environment& e = frame.scene.environment;
  float x = uv.x * (float)e.width - 0.5f, y = uv.y * (float)e.height - 0.5f;
  float fx = floorf(x), fy = floorf(y);
  int32_t w = (int32_t)e.width, h = (int32_t)e.height;
  int32_t x0 = (int32_t)fx, y0 = (int32_t)fy;
  int32_t x1 = x0 + 1 >= w ? 0 : x0 + 1, y1 = y0 + 1 >= h ? h - 1 : y0 + 1;
  x0 = x0 < 0 ? w - 1 : x0;
  y0 = y0 < 0 ? 0 : y0;
  const float4* t = pointer<const float4>(e.texels);
  float ax = x - fx, ay = y - fy;
  float3 top = lerp(xyz(t[y0 * w + x0]), xyz(t[y0 * w + x1]), ax);
  float3 bottom = lerp(xyz(t[y1 * w + x0]), xyz(t[y1 * w + x1]), ax);
  return lerp(top, bottom, ay) * environmentScale();
}

// environmentRadiance is the light that arrives from direction d [nit].
DEVICE float3 environmentRadiance(float3 d) {
  return hasSky() ? skyRadiance(environmentUv(d)) : frame.scene.environment.constant * environmentScale();
}

// skyPdf is the density of sampleEnvironment in a texel of the image, at sin θ from the top [1/sr]. Inside it points are uniform in
// (u, v): dω = 2π² sin θ du dv.
DEVICE float skyPdf(uint32_t texel, float sinTheta) {
  const Environment& e = frame.scene.environment;
  float share = pointer<const AliasEntry>(e.alias)[texel].pdf;
  return share * (float)e.width * (float)e.height / (2.0f * PI * PI * maxf(sinTheta, 1e-6f));
}

// environmentPdf of sampleEnvironment [1/sr].
DEVICE float environmentPdf(float3 d) {
  const Environment& e = frame.scene.environment;
  if (!hasSky()) return 0.25f * INV_PI;
  float2 uv = environmentUv(d);
  uint32_t x = minu((uint32_t)(uv.x * (float)e.width), e.width - 1);
  uint32_t y = minu((uint32_t)(uv.y * (float)e.height), e.height - 1);
  return skyPdf(y * e.width + x, sineFromTop(d));
}

// chooseAlias draws an index by Walker's method. Column and threshold take a number each: in a table of 2¹⁹ texels one
// number of 24 bits would leave the threshold five, and dim texels beside a sun would be chosen far too often. The column takes
// all 32 bits, since 24 would draw only every other column of a table of 2²⁵.
DEVICE uint32_t chooseAlias(const AliasEntry* table, uint32_t n, uint2 u) {
  uint32_t i = scaled(u.x, n);
  return unit(u.y) < table[i].threshold ? i : table[i].alias;
}

// prefetchEnvironment fetches what sampleEnvironment reads first for uTexel: its table is larger than a core's own caches.
DEVICE void prefetchEnvironment(uint32_t uTexel) {
  if (hasSky())
    PREFETCH(pointer<const AliasEntry>(frame.scene.environment.alias) +
             scaled(uTexel, frame.scene.environment.width * frame.scene.environment.height));
}

// EnvironmentSample is a direction to the environment, with what environmentRadiance and environmentPdf are there.
struct EnvironmentSample {
  float3 wi, Li;
  float pdf;
};

// sampleEnvironment draws a direction. uTexel picks the texel, u the place inside.
DEVICE EnvironmentSample sampleEnvironment(uint2 uTexel, float2 u) {
  const Environment& e = frame.scene.environment;
  float s, c;
  if (!hasSky()) {
    float z = 1.0f - 2.0f * u.x, r = safeSqrt(1.0f - sqr(z));
    sinCosTurn(u.y, &s, &c);
    return {make_float3(r * c, z, r * s), e.constant * environmentScale(), 0.25f * INV_PI};
  }
  uint32_t i = chooseAlias(pointer<const AliasEntry>(e.alias), e.width * e.height, uTexel);
  float2 uv = {exactDiv((float)(i % e.width) + u.x, (float)e.width),
               exactDiv((float)(i / e.width) + u.y, (float)e.height)};
  float turn = uv.x - 0.5f + e.rotation * (0.5f * INV_PI);
  sinCosTurn(turn - floorf(turn), &s, &c);
  float sinTheta, cosTheta;
  sinCosTurn(0.5f * uv.y, &sinTheta, &cosTheta);
  return {make_float3(sinTheta * c, cosTheta, sinTheta * s), skyRadiance(uv), skyPdf(i, sinTheta)};
}
