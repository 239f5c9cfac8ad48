// AOVs made visible. The colours' meaning: tracer/aov.go.
#pragma once

#include "aov.cuh"
#include "false_color.cuh"
#include "random.cuh"
#include "tonemap.cuh"

DEVICE_TABLE float FULL_MOTION = 32.0f;   // [pixels] that span the scale

// numberColor tells numbers apart; what has none is dark grey.
DEVICE uint32_t numberColor(float number) {
  return number < 0.0f ? 0x303030u : hash((uint32_t)number + 1u) & 0xffffffu;
}

// relativeError is the standard error of a pixel's mean luminance over that mean, from its moments; 0 with less than two
// samples.
DEVICE float relativeError(float4 moments) {
  float n = moments.w, mean = moments.x / n;
  if (n < 2.0f || mean <= 0.0f) return 0.0f;
  return sqrtf(maxf(moments.y / n - mean * mean, 0.0f) / (n - 1.0f)) / mean;
}

// aovColor is the view of an AOV at a pixel, 0xRRGGBB.
DEVICE uint32_t aovColor(uint32_t pixel) {
  float4 place = *aovAt(AOV_PLACE, pixel), ids = *aovAt(AOV_IDS, pixel);
  switch (frame.shown) {
    case SHOWN_ALBEDO:
      return packRgb(srgbEncode(meanAov(AOV_ALBEDO, pixel)));
    case SHOWN_NORMAL:
      return packRgb(meanAov(AOV_NORMAL, pixel) * 0.5f + vec3(0.5f));
    case SHOWN_DEPTH:
      return place.w < DEPTH_OF_NOTHING ? viridis(1.0f - expf(-place.w / frame.sceneRadius)) : 0x303030u;
    case SHOWN_POSITION: {
      if (place.w >= DEPTH_OF_NOTHING) return 0x303030u;
      float3 p = xyz(place) * (2.0f / frame.sceneRadius);
      return packRgb(wave(p));
    }
    case SHOWN_MATERIAL:
      return numberColor(ids.x);
    case SHOWN_OBJECT:
      return numberColor(ids.y);
    case SHOWN_SAMPLES:
      return viridis(log2f(1.0f + pointer<const float4>(frame.accumulation)[pixel].w) * (1.0f / 16.0f));
    case SHOWN_TRUST:
      return viridis((log2f(maxf(pointer<const float>(frame.trust)[pixel], 1e-6f)) + 8.0f) * 0.125f);
    case SHOWN_MOTION:
      return packRgb(make_float3(0.5f + ids.z / FULL_MOTION, 0.5f + ids.w / FULL_MOTION, 0.5f));
    default:
      return viridis((log2f(maxf(relativeError(*aovAt(AOV_MOMENTS, pixel)), 1e-6f)) + 10.0f) * 0.1f);
  }
}
