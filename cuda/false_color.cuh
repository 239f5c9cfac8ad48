// Colour maps for numbers, display-encoded and packed as 0xRRGGBB.
#pragma once

#include "device.h"

DEVICE uint32_t unorm8(float x) { return (uint32_t)(saturate(x) * 255.0f + 0.5f); }
DEVICE uint32_t packRgb(float3 c) { return unorm8(c.x) << 16 | unorm8(c.y) << 8 | unorm8(c.z); }
DEVICE float3 unpackRgb(uint32_t c) {
  return make_float3((float)(c >> 16 & 255u), (float)(c >> 8 & 255u), (float)(c & 255u)) * (1.0f / 255.0f);
}

// Ends of the maps and seven places between.
DEVICE_TABLE uint32_t VIRIDIS[9] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                    0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
DEVICE_TABLE uint32_t BLUE_WHITE_RED[9] = {0x053061, 0x2166ac, 0x4393c3, 0xa7d0e4, 0xf7f7f7,
                                           0xf9c0a5, 0xd6604d, 0xb2182b, 0x67001f};

DEVICE uint32_t mapped(const uint32_t* map, float t) {
  float x = saturate(t) * 8.0f;
  uint32_t i = minu((uint32_t)x, 7u);
  return packRgb(lerp(unpackRgb(map[i]), unpackRgb(map[i + 1]), x - (float)i));
}

// viridis runs from dark violet at 0 to yellow at 1, evenly for the eye (Smith and van der Walt 2015).
DEVICE uint32_t viridis(float t) { return mapped(VIRIDIS, t); }

// diverging runs from blue at −1 over white to red at 1 (after ColorBrewer's RdBu).
DEVICE uint32_t diverging(float t) { return mapped(BLUE_WHITE_RED, 0.5f * t + 0.5f); }

// wave runs from 0 to 1 and back while x advances by 2.
DEVICE float wave(float x) {
  x -= 2.0f * floorf(0.5f * x);
  return x < 1.0f ? x : 2.0f - x;
}
DEVICE float3 wave(float3 p) { return make_float3(wave(p.x), wave(p.y), wave(p.z)); }
