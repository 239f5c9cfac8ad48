// The film: what is shown of the light → bloom → exposure → white balance → tone curve → RGBA8 in the target; or a view of
// reuse or of an AOV in its place.
#pragma once

#include "display/bloom.cuh"
#include "display/exposure.cuh"
#include "display/views.cuh"

// bounded makes a number that tone curves are made for: not negative, and one that they can square of infinity.
DEVICE float bounded(float x) {
  const float most = 1e10f;
  if (finite(x)) return clampf(x, 0.0f, most);
  return x > 0.0f ? most : 0.0f;
}

// balanced turns the light of the white that was chosen into that of the display's.
DEVICE float3 balanced(float3 c) {
  if (!(frame.display.flags & DISPLAY_BALANCE)) return c;
  return rows(frame.display.balanceRed, frame.display.balanceGreen, frame.display.balanceBlue, c);
}

// roundings are what is added to each channel before it is cut to 8 bits: ½, or with dither a number of the pixel's own in
// [0, 1), so that the mean over pixels is exact. Those of neighbours are spread evenly, as those of samples are; they are
// the same in every frame, so that a still stands still.
DEVICE float3 roundings(uint32_t x, uint32_t y) {
  if (!(frame.display.flags & DISPLAY_DITHER)) return vec3(0.5f);
  Sampler s = beginSampler(x, y, 0, 0x9d17e4u);
  float2 u = sample2(s);
  return make_float3(u.x, u.y, sample1(s));
}

DEVICE uint32_t rounded8(float x, float rounding) { return minu((uint32_t)(saturate(x) * 255.0f + rounding), 255u); }

// developedLight is light as RGBA8.
DEVICE uint32_t developedLight(uint32_t x, uint32_t y) {
  float3 L = shownLight(x, y);
  if (frame.display.bloomLevels > 0) L = lerp(L, strayLight(x, y), frame.display.bloom);
  float3 c = balanced(L * (frame.display.exposure * meteredExposure()));
  c = tonemap(make_float3(bounded(c.x), bounded(c.y), bounded(c.z)), frame.display.toneMap);
  float3 r = roundings(x, y);
  return rounded8(c.x, r.x) | (rounded8(c.y, r.y) << 8) | (rounded8(c.z, r.z) << 16) | 0xff000000u;
}

// developed is the image at pixel (x, y) as RGBA8.
DEVICE uint32_t developed(uint32_t x, uint32_t y) {
  if (showsLight()) return developedLight(x, y);
  uint32_t view = aovColor(y * frame.film.width + x);
  return view >> 16 | (view & 0xff00u) | (view & 255u) << 16 | 0xff000000u;
}

KERNEL(film, 128, 1, output) {
  if (index >= frame.film.width * frame.film.height) return;
  uint32_t x = index % frame.film.width, row = index / frame.film.width;
  uint32_t y = (frame.sampling.flags & FRAME_FLIP_Y) ? frame.film.height - 1 - row : row;
  uint32_t shown = frame.restir.reuseView != REUSE_VIEW_OFF
                       ? pointer<const uint32_t>(frame.restir.view)[y * frame.film.width + x]
                       : 0u;
  pointer<uint32_t>(frame.display.target)[index] = shown ? shown : developed(x, y);
}
