// Henyey and Greenstein's phase function (1941): light is turned by an angle whose cosine has the mean g, with density
//   p(cos θ) = (1 − g²) / (4π (1 + g² − 2 g cos θ)^(3/2)) [1/sr].
#pragma once

#include "device.h"

// sampleHenyeyGreenstein turns a direction of travel. The density is p itself, so the sample's weight is 1.
DEVICE float3 sampleHenyeyGreenstein(float3 direction, float g, float2 u) {
  float x = 2.0f * u.x - 1.0f;
  // The inverse of p's distribution function with its division by 2g carried out: it holds at g = 0, too.
  float cosT = (x + g * (1.5f + 0.5f * sqr(x) + g * (x + g * 0.5f * (sqr(x) - 1.0f)))) / sqr(1.0f + g * x);
  cosT = clampf(cosT, -1.0f, 1.0f);
  float s, c, sinT = safeSqrt(1.0f - sqr(cosT));
  sinCosTurn(u.y, &s, &c);
  return toWorld(basisAround(direction), make_float3(sinT * c, sinT * s, cosT));
}
