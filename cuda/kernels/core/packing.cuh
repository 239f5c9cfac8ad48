// Numbers in few bits: unorm16, unit vectors, four shares in a word.
#pragma once

#include "core/device.h"

DEVICE float unorm16(uint32_t bits) { return (float)(bits & 0xffffu) * (1.0f / 65535.0f); }

// exactUnorm8 and exactUnorm16 are n/255 and n/65535, of whole numbers correctly rounded: alpha may have to equal a number of the file.
// Both factors together are 1/255 or 1/65535, and the product with the first is exact.
DEVICE float exactUnorm8(float n) { return madd(n, 257.0f / 65536.0f, n * 5.9838392e-8f); }
DEVICE float exactUnorm16(float n) { return madd(n, 1.0f / 65536.0f, n * 2.3283420e-10f); }

// packNormal maps a unit vector to the octahedron, 16 bits a side (Cigolle et al. 2014).
DEVICE uint32_t packNormal(float3 n) {
  float s = midrangeInverse(absf(n.x) + absf(n.y) + absf(n.z));
  float x = n.x * s, y = n.y * s;
  if (n.z < 0.0f) {
    float ox = (1.0f - absf(y)) * (x >= 0.0f ? 1.0f : -1.0f);
    y = (1.0f - absf(x)) * (y >= 0.0f ? 1.0f : -1.0f);
    x = ox;
  }
  return (uint32_t)(saturate(x * 0.5f + 0.5f) * 65535.0f + 0.5f) |
         (uint32_t)(saturate(y * 0.5f + 0.5f) * 65535.0f + 0.5f) << 16;
}

// octahedralPoint is the point of the octahedron that packNormal keeps.
DEVICE float3 octahedralPoint(uint32_t p) {
  float x = unorm16(p) * 2.0f - 1.0f, y = unorm16(p >> 16) * 2.0f - 1.0f;
  float z = 1.0f - absf(x) - absf(y);
  if (z < 0.0f) {
    float ox = (1.0f - absf(y)) * (x >= 0.0f ? 1.0f : -1.0f);
    y = (1.0f - absf(x)) * (y >= 0.0f ? 1.0f : -1.0f);
    x = ox;
  }
  return make_float3(x, y, z);
}

DEVICE float3 unpackNormal(uint32_t p) { return fastNormalize(octahedralPoint(p)); }
// unpackRayNormal is unpackNormal for an end of a ray.
DEVICE float3 unpackRayNormal(uint32_t p) { return normalize(octahedralPoint(p)); }

// A length, rounded up to a power of two from 2⁻⁴⁰ m on, or of four: six or five bits reach 2²² m.
DEVICE_TABLE uint32_t LENGTH_BIAS = 127 - 40;
DEVICE uint32_t packLength(float x, uint32_t step) {
  uint32_t e = (floatBits(x) >> 23) + step;   // each step is rounded up
  return e < LENGTH_BIAS ? 0u : minu((e - LENGTH_BIAS) / step, 63u / step);
}
DEVICE float unpackLength(uint32_t p, uint32_t step) { return bitsFloat((p * step + LENGTH_BIAS) << 23); }

DEVICE uint32_t pack4(float a, float b, float c, float d) {
  return (uint32_t)(saturate(a) * 255.0f + 0.5f) | (uint32_t)(saturate(b) * 255.0f + 0.5f) << 8 |
         (uint32_t)(saturate(c) * 255.0f + 0.5f) << 16 | (uint32_t)(saturate(d) * 255.0f + 0.5f) << 24;
}
DEVICE float unpack8(uint32_t p, uint32_t byte) { return (float)(p >> (8 * byte) & 255u) * (1.0f / 255.0f); }
