// What pictures that follow each other need of colours: a space in which ranges of them are narrow, and a spline that moves them
// by parts of pixels and keeps them sharp.
#pragma once

#include "device.h"

// Luma and two differences of colour (YCoCg: Malvar and Sullivan 2003).
DEVICE float3 toYCoCg(float3 c) {
  return make_float3(0.25f * c.x + 0.5f * c.y + 0.25f * c.z, 0.5f * (c.x - c.z), 0.5f * c.y - 0.25f * (c.x + c.z));
}
DEVICE float3 fromYCoCg(float3 c) {
  float base = c.x - c.z;
  return make_float3(base + c.y, c.x + c.z, base - c.y);
}

// root3 takes variances to deviations.
DEVICE float3 root3(float3 v) { return make_float3(safeSqrt(v.x), safeSqrt(v.y), safeSqrt(v.z)); }

// cubicWeight is that of the first to fourth of four pixels in a row, `a` behind the second one (Catmull and Rom 1974): as sharp
// after many moves as a picture that is sampled again and again must be.
DEVICE float cubicWeight(uint32_t i, float a) {
  if (i == 0) return a * (-0.5f + a * (1.0f - 0.5f * a));
  if (i == 1) return 1.0f + a * a * (-2.5f + 1.5f * a);
  if (i == 2) return a * (0.5f + a * (2.0f - 1.5f * a));
  return a * a * (-0.5f + 0.5f * a);
}
