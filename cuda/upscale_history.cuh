// What upscaling remembers of a pixel: radiance, for how many frames that stands, and how far these lie apart.
#pragma once

#include "aov.cuh"

DEVICE_TABLE float SHARP_AFTER = 6.0f;   // frames, samples are spread no farther than must be

// Memory is one pixel's history.
struct Memory {
  float3 L;          // [nit]
  float frames;      // that it stands for
  float deviation;   // of their luminance [nit]
};

// Frames go into the lower 16 bits of w, in 256ths; the deviation into the upper ones, as a float cut short.
DEVICE float4 packMemory(const Memory& m) {
  uint32_t frames = (uint32_t)(clampf(m.frames, 0.0f, 255.0f) * 256.0f);
  return make_float4(m.L.x, m.L.y, m.L.z, bitsFloat((floatBits(m.deviation) & 0xffff0000u) | frames));
}

DEVICE float framesOf(float4 packed) { return (float)(floatBits(packed.w) & 0xffffu) * (1.0f / 256.0f); }

DEVICE Memory unpackMemory(float4 packed) {
  return {xyz(packed), framesOf(packed), bitsFloat(floatBits(packed.w) & 0xffff0000u)};
}
