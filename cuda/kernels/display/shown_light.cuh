// The light that is shown: a pixel's mean, denoised or not, a part of it, or a smaller image in its place [nit].
#pragma once

#include "film/film.cuh"

// previewMean is the mean radiance of a preview pixel, clamped to its edge [nit].
DEVICE float3 previewMean(uint32_t x, uint32_t y) {
  x = minu(x, frame.film.previewWidth - 1);
  y = minu(y, frame.film.previewHeight - 1);
  float4 sum = pointer<const float4>(frame.film.preview)[y * frame.film.previewWidth + x];
  if (frame.film.previewMeans) return xyz(sum);
  return sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
}

// stretchedPreview is the preview at pixel (x, y) of the image, bilinear.
DEVICE float3 stretchedPreview(uint32_t x, uint32_t y) {
  float sx = maxf(((float)x + 0.5f) * (float)frame.film.previewWidth / (float)frame.film.width - 0.5f, 0.0f);
  float sy = maxf(((float)y + 0.5f) * (float)frame.film.previewHeight / (float)frame.film.height - 0.5f, 0.0f);
  uint32_t x0 = (uint32_t)sx, y0 = (uint32_t)sy;
  float ax = sx - (float)x0, ay = sy - (float)y0;
  float3 top = lerp(previewMean(x0, y0), previewMean(x0 + 1, y0), ax);
  float3 bottom = lerp(previewMean(x0, y0 + 1), previewMean(x0 + 1, y0 + 1), ax);
  return lerp(top, bottom, ay);
}

// showsLight tells whether film shows light, and not what else is kept of pixels.
DEVICE bool showsLight() { return frame.display.shown < SHOWN_LIGHT_END; }

// shownMean is the mean of a pixel's samples; before the first one black [nit].
DEVICE float3 shownMean(uint32_t x, uint32_t y) {
  float4 sum = pointer<const float4>(frame.film.accumulation)[y * frame.film.width + x];
  return sum.w > 0.0f ? xyz(sum) / sum.w : vec3(0.0f);
}

// One function for each source that a row of LIGHT_AOVS may name: the light at a pixel whose mean is given.
DEVICE float3 lightMean(uint32_t plane, uint32_t pixel, float3) { return meanAov(plane, pixel); }
DEVICE float3 lightRest(uint32_t plane, uint32_t pixel, float3 mean) { return mean - meanAov(plane, pixel); }

// shownLight is the mean, denoised or not, or the part of it that was chosen; all of it until there is such a part
// [nit].
DEVICE float3 shownLight(uint32_t x, uint32_t y) {
  uint32_t pixel = y * frame.film.width + x;
  if (frame.display.shown == SHOWN_PREVIEW) return stretchedPreview(x, y);
  if (frame.display.shown == SHOWN_DENOISED) return xyz(pointer<const float4>(frame.denoise.denoised)[pixel]);
  float3 mean = shownMean(x, y);
#define X(name, source, plane, ...) \
  if (frame.display.shown == SHOWN_##name && aovAt(plane, pixel)->w > 0.0f) return light##source(plane, pixel, mean);
  LIGHT_AOVS(X)
#undef X
  return mean;
}
