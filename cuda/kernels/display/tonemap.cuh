// Tone curves: linear scene light in, display-encoded values 0…1 out.
#pragma once

#include "display/log_exp.cuh"

// srgbEncode is the sRGB transfer function (IEC 61966-2-1).
DEVICE float srgbEncode(float x) {
  x = cap(x, 1.0f);
  return x <= 0.0031308f ? 12.92f * x : madd(fastPow(x, 1.0f / 2.4f), 1.055f, -0.055f);
}
DEVICE float3 srgbEncode(float3 c) { return make_float3(srgbEncode(c.x), srgbEncode(c.y), srgbEncode(c.z)); }

DEVICE float3 rows(float3 r0, float3 r1, float3 r2, float3 c) {
  return make_float3(dot(r0, c), dot(r1, c), dot(r2, c));
}

// tonemapReinhard compresses luminance and keeps hue (Reinhard et al. 2002, equation 3).
DEVICE float3 tonemapReinhard(float3 c) { return srgbEncode(c / (1.0f + luminance(c))); }

// acesCurve is a rational fit of the reference rendering and sRGB output transforms.
DEVICE float acesCurve(float x) {
  return madd(x, x + 0.0245786f, -0.000090537f) / madd(x, madd(x, 0.983729f, 0.4329510f), 0.238081f);
}

// tonemapAces is Hill's fit of ACES 1.0.
DEVICE float3 tonemapAces(float3 c) {
  c = rows(make_float3(0.59719f, 0.35458f, 0.04823f), make_float3(0.07600f, 0.90834f, 0.01566f),
           make_float3(0.02840f, 0.13383f, 0.83777f), c);
  c = make_float3(acesCurve(c.x), acesCurve(c.y), acesCurve(c.z));
  return srgbEncode(rows(make_float3(1.60475f, -0.53108f, -0.07367f), make_float3(-0.10208f, 1.10813f, -0.00605f),
                         make_float3(-0.00327f, -0.07276f, 1.07602f), c));
}

// agxCurve is AgX's default contrast over log2 exposure scaled to 0…1, a sixth-order fit (Wrensch 2023, of Sobotka's AgX).
DEVICE float agxCurve(float x) {
  float p = madd(x, 15.5f, -40.14f);
  p = madd(x, p, 31.96f);
  p = madd(x, p, -6.868f);
  p = madd(x, p, 0.4298f);
  p = madd(x, p, 0.1191f);
  return madd(x, p, -0.00232f);
}

DEVICE float agxLog(float x) { return cap((fastLog2(maxf(x, 1e-10f)) + 12.47393f) / (4.026069f + 12.47393f), 1.0f); }

// tonemapAgx desaturates towards white as film does; its curve is display-encoded already.
DEVICE float3 tonemapAgx(float3 c) {
  c = rows(make_float3(0.842479062253094f, 0.0784335999999992f, 0.0792237451477643f),
           make_float3(0.0423282422610123f, 0.878468636469772f, 0.0791661274605434f),
           make_float3(0.0423756549057051f, 0.0784336f, 0.879142973793104f), c);
  c = make_float3(agxCurve(agxLog(c.x)), agxCurve(agxLog(c.y)), agxCurve(agxLog(c.z)));
  c = rows(make_float3(1.19687900512017f, -0.0980208811401368f, -0.0990297440797205f),
           make_float3(-0.0528968517574562f, 1.15190312990417f, -0.0989611768448433f),
           make_float3(-0.0529716355144438f, -0.0980434501171241f, 1.15107367264116f), c);
  return make_float3(cap(c.x, 1.0f), cap(c.y, 1.0f), cap(c.z, 1.0f));
}

// tonemapNeutral keeps base colours true up to a knee and compresses the rest (Khronos PBR Neutral).
DEVICE float3 tonemapNeutral(float3 c) {
  const float knee = 0.8f - 0.04f, desaturation = 0.15f;
  float low = minf(c.x, minf(c.y, c.z));
  float offset = low < 0.08f ? low - 6.25f * low * low : 0.04f;
  c = c - vec3(offset);
  float peak = maxf(maxComponent(c), knee), d = 1.0f - knee;   // at the knee c stays as it is, and so it does below
  float compressed = 1.0f - d * d / (peak + d - knee);
  c *= compressed / peak;
  float g = 1.0f - 1.0f / (desaturation * (peak - compressed) + 1.0f);
  return srgbEncode(lerp(c, vec3(compressed), g));
}

// The curves of enum ToneMap besides TONEMAP_NONE, which only encodes.
#define TONE_CURVES(X)                 \
  X(TONEMAP_REINHARD, tonemapReinhard) \
  X(TONEMAP_ACES, tonemapAces)         \
  X(TONEMAP_AGX, tonemapAgx)           \
  X(TONEMAP_NEUTRAL, tonemapNeutral)

// tonemap applies the chosen curve of enum ToneMap.
DEVICE float3 tonemap(float3 c, uint32_t curve) {
  switch (curve) {
#define X(id, function) \
  case id:              \
    return function(c);
    TONE_CURVES(X)
#undef X
    default:
      return srgbEncode(c);
  }
}
