// The film: accumulated or denoised radiance → exposure → tone curve → RGBA8 in the target; or a view of reuse or of an AOV in
// its place.
#pragma once

#include "show_aov.cuh"
#include "views.h"

// previewMean is the mean radiance of a preview pixel, clamped to its edge [nit].
DEVICE float3 previewMean(uint32_t x, uint32_t y) {
  x = minu(x, frame.previewWidth - 1);
  y = minu(y, frame.previewHeight - 1);
  float4 sum = pointer<const float4>(frame.preview)[y * frame.previewWidth + x];
  return sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
}

// stretchedPreview is the preview at pixel (x, y) of the image, bilinear.
DEVICE float3 stretchedPreview(uint32_t x, uint32_t y) {
  float sx = maxf(((float)x + 0.5f) * (float)frame.previewWidth / (float)frame.width - 0.5f, 0.0f);
  float sy = maxf(((float)y + 0.5f) * (float)frame.previewHeight / (float)frame.height - 0.5f, 0.0f);
  uint32_t x0 = (uint32_t)sx, y0 = (uint32_t)sy;
  float ax = sx - (float)x0, ay = sy - (float)y0;
  float3 top = lerp(previewMean(x0, y0), previewMean(x0 + 1, y0), ax);
  float3 bottom = lerp(previewMean(x0, y0 + 1), previewMean(x0 + 1, y0 + 1), ax);
  return lerp(top, bottom, ay);
}

// filmRadiance is the mean of a pixel's samples, denoised or not; before the first one the preview's, or black [nit].
DEVICE float3 filmRadiance(uint32_t x, uint32_t y) {
  if (frame.shown == SHOWN_DENOISED) return xyz(pointer<const float4>(frame.denoised)[y * frame.width + x]);
  float4 sum = pointer<const float4>(frame.accumulation)[y * frame.width + x];
  if (sum.w > 0.0f) return xyz(sum) / sum.w;
  return frame.previewWidth > 0 ? stretchedPreview(x, y) : vec3(0.0f);
}

// developed is the image at pixel (x, y) as RGBA8.
DEVICE uint32_t developed(uint32_t x, uint32_t y) {
  if (frame.shown > SHOWN_DENOISED) {
    uint32_t view = aovColor(y * frame.width + x);
    return view >> 16 | (view & 0xff00u) | (view & 255u) << 16 | 0xff000000u;
  }
  float3 c = tonemap(filmRadiance(x, y) * frame.exposure, frame.toneMap);
  return unorm8(c.x) | (unorm8(c.y) << 8) | (unorm8(c.z) << 16) | 0xff000000u;
}

KERNEL(film) {
  if (index >= frame.width * frame.height) return;
  uint32_t x = index % frame.width, row = index / frame.width;
  uint32_t y = (frame.flags & FRAME_FLIP_Y) ? frame.height - 1 - row : row;
  uint32_t shown = frame.reuseView != REUSE_VIEW_OFF ? pointer<const uint32_t>(frame.view)[y * frame.width + x] : 0u;
  pointer<uint32_t>(frame.target)[index] = shown ? shown : developed(x, y);
}
