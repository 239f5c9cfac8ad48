// The film: accumulated radiance → exposure → tone curve → RGBA8 in the target.
#pragma once

#include "tonemap.cuh"

// pixelMean is the mean radiance of a pixel, black before its first sample [nit].
DEVICE float3 pixelMean(uint32_t x, uint32_t y) {
  float4 sum = pointer<const float4>(frame.accumulation)[minu(y, frame.height - 1) * frame.width + minu(x, frame.width - 1)];
  return sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
}

// filmRadiance is the image at target pixel (x, y), stretched bilinearly where it was rendered smaller.
DEVICE float3 filmRadiance(uint32_t x, uint32_t y) {
  if (frame.width == frame.targetWidth && frame.height == frame.targetHeight) return pixelMean(x, y);
  float sx = maxf(((float)x + 0.5f) * (float)frame.width / (float)frame.targetWidth - 0.5f, 0.0f);
  float sy = maxf(((float)y + 0.5f) * (float)frame.height / (float)frame.targetHeight - 0.5f, 0.0f);
  uint32_t x0 = (uint32_t)sx, y0 = (uint32_t)sy;
  float ax = sx - (float)x0, ay = sy - (float)y0;
  float3 top = lerp(pixelMean(x0, y0), pixelMean(x0 + 1, y0), ax);
  float3 bottom = lerp(pixelMean(x0, y0 + 1), pixelMean(x0 + 1, y0 + 1), ax);
  return lerp(top, bottom, ay);
}

DEVICE uint32_t unorm8(float x) { return (uint32_t)(saturate(x) * 255.0f + 0.5f); }

KERNEL(film) {
  if (index >= frame.targetWidth * frame.targetHeight) return;
  uint32_t x = index % frame.targetWidth, row = index / frame.targetWidth;
  uint32_t y = (frame.flags & FRAME_FLIP_Y) ? frame.targetHeight - 1 - row : row;
  float3 c = tonemap(filmRadiance(x, y) * frame.exposure, frame.toneMap);
  pointer<uint32_t>(frame.target)[index] = unorm8(c.x) | (unorm8(c.y) << 8) | (unorm8(c.z) << 16) | 0xff000000u;
}
