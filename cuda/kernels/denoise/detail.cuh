// What is left of the filter in an image of many samples. The less noise there is, the more the filter's own bias shows: it blurs what
// guides do not know, such as shadows and reflections. How much, the image tells itself. Filtered light differs from that of the samples
// by their noise, whose size is known, and by its bias: what is more than noise is bias (Stein's unbiased risk estimate, as Firmino,
// Frisvad and Jensen 2022, Progressive Denoising of Monte Carlo Rendered Images, use it). Both are mixed so that the error of the sum is
// least.
#pragma once

#include "denoise/atrous.cuh"

DEVICE_TABLE int32_t DETAIL_REACH = 3;        // how far around a pixel bias is looked for [pixels]
DEVICE_TABLE float DETAIL_FALLOFF = 0.125f;   // of the weight of what is there, by its squared distance [1/pixel²]
DEVICE_TABLE float MOST_CHANGE = 16.0f;       // squared, over the light's variance: more counts as so much
DEVICE_TABLE float DOUBTED_SAMPLES = 64.0f;   // as many tell a variance so badly that twice as much is taken for noise
DEVICE_TABLE float BIAS_SEEN = 2.0f;          // how much more a blur is seen than noise of the same error

// relativeBias is the squared bias of the filtered light around a pixel over the variance of its samples, of the same surface.
DEVICE float relativeBias(const Tap& t, float own, uint32_t x, uint32_t y, uint32_t buffer) {
  Edges e = edgesAround(t, (float)x, (float)y, (float)DETAIL_REACH);
  float noise = 1.0f + DOUBTED_SAMPLES / frame.denoise.imageSamples, sum = 0.0f, weights = 0.0f;
  for (int32_t dy = -DETAIL_REACH; dy <= DETAIL_REACH; dy++)
    for (int32_t dx = -DETAIL_REACH; dx <= DETAIL_REACH; dx++) {
      uint32_t nx = (uint32_t)((int32_t)x + dx), ny = (uint32_t)((int32_t)y + dy);
      if (nx >= frame.film.width || ny >= frame.film.height) continue;
      uint32_t pixel = ny * frame.film.width + nx;
      Tap q = loadTap(buffer, pixel);
      if (isBackground(q)) continue;
      float4 samples = *planeAt(frame.denoise.inputs, DENOISE_NORMAL, pixel);
      float variance = sqr(samples.w);
      if (!(variance < MOST_VARIANCE)) continue;
      float change = sqr(luminance(q.light) - luminance(xyz(samples)));
      float w = expMinus(surfaceDistance(e, q, (float)dx, (float)dy) + DETAIL_FALLOFF * (float)(dx * dx + dy * dy));
      // By the mean of both variances, so that a pixel beside a much brighter one is not judged by that.
      sum += w * (minf(change, MOST_CHANGE * variance) - noise * variance) / (0.5f * (variance + own));
      weights += w;
    }
  return sum > 0.0f ? sum / weights : 0.0f;
}

// Ends the filter of a converged image. The argument is the buffer of the filtered light.
KERNEL(keep_detail, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Tap t = loadTap(pass, pixel);
  if (!isBackground(t)) {
    float4 samples = *planeAt(frame.denoise.inputs, DENOISE_NORMAL, pixel);
    float bias = BIAS_SEEN * relativeBias(t, sqr(samples.w) + NO_VARIANCE, x, y, pass);
    t.light = lerp(t.light, xyz(samples), bias / (bias + 1.0f)) * shareConfirmed(t, x, y, pass);
  }
  remodulate(t, pixel);
}
