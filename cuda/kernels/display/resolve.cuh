// Resolve: the light that is shown → bloom → exposure → white balance → tone curve → RGBA8 in the target; or a view of
// an AOV or of ReSTIR GI in its place.
#pragma once

#include "display/bloom.cuh"
#include "display/exposure.cuh"
#include "display/views.cuh"

// bounded makes a number safe for tone curves: not negative, finite, and small enough to be squared.
DEVICE float bounded(float x) {
  const float most = 1e10f;
  if (finite(x)) return clampf(x, 0.0f, most);
  return x > 0.0f ? most : 0.0f;
}

// whiteBalanced maps the chosen white to the display's.
DEVICE float3 whiteBalanced(float3 c) {
  if (!(frame.display.flags & DISPLAY_BALANCE)) return c;
  return rows(frame.display.balanceRed, frame.display.balanceGreen, frame.display.balanceBlue, c);
}

// ditherOffsets are added to each channel before it is truncated to 8 bits: ½, or with dithering a number in [0, 1) of
// the pixel's own, so that the mean over pixels is exact. They are spread evenly over neighbours, as samples are, and
// the same in every frame, so that a still image does not flicker.
DEVICE float3 ditherOffsets(uint32_t x, uint32_t y) {
  if (!(frame.display.flags & DISPLAY_DITHER)) return vec3(0.5f);
  Sampler s = beginSampler(x, y, 0, 0x9d17e4u);
  float2 u = sample2(s);
  return make_float3(u.x, u.y, sample1(s));
}

DEVICE uint32_t rounded8(float x, float rounding) { return minu((uint32_t)(saturate(x) * 255.0f + rounding), 255u); }

// displayedLight is the light as RGBA8.
DEVICE uint32_t displayedLight(uint32_t x, uint32_t y) {
  float3 L = shownLight(x, y);
  if (frame.display.bloomLevels > 0) L = lerp(L, strayLight(x, y), frame.display.bloom);
  float3 c = whiteBalanced(L * (frame.display.exposure * meteredExposure()));
  c = tonemap(make_float3(bounded(c.x), bounded(c.y), bounded(c.z)), frame.display.toneMap);
  float3 r = ditherOffsets(x, y);
  return rounded8(c.x, r.x) | (rounded8(c.y, r.y) << 8) | (rounded8(c.z, r.z) << 16) | 0xff000000u;
}

// displayed is what is shown at pixel (x, y), as RGBA8.
DEVICE uint32_t displayed(uint32_t x, uint32_t y) {
  if (showsLight()) return displayedLight(x, y);
  uint32_t view = aovColor(y * frame.film.width + x);
  return view >> 16 | (view & 0xff00u) | (view & 255u) << 16 | 0xff000000u;
}

KERNEL(resolve, 128, 1, output) {
  if (index >= frame.film.width * frame.film.height) return;
  uint32_t x = index % frame.film.width, row = index / frame.film.width;
  uint32_t y = (frame.sampling.flags & FRAME_FLIP_Y) ? frame.film.height - 1 - row : row;
  uint32_t shown = frame.restir.reuseView != REUSE_VIEW_OFF
                       ? pointer<const uint32_t>(frame.restir.view)[y * frame.film.width + x]
                       : 0u;
  pointer<uint32_t>(frame.display.target)[index] = shown ? shown : displayed(x, y);
}
