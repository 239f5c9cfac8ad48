// What is left of the filter in an image of many samples. The less noise there is, the more the filter's own bias shows: it blurs what
// guides do not know, such as shadows and reflections. How much, the image tells itself. Filtered light differs from that of the samples
// by their noise, whose size is known, and by its bias: what is more than noise is bias. That is Stein's unbiased risk estimate, which
// Firmino, Frisvad and Jensen 2022 (Progressive Denoising of Monte Carlo Rendered Images) use, without its derivative: as if filtered
// light had nothing of the pixel's own noise, so that bias seems smaller than it is. By its size the light of the samples is mixed in.
#pragma once

#include "denoise/atrous.cuh"

DEVICE_TABLE int32_t DETAIL_REACH = 3;        // how far around a pixel bias is looked for [pixels]
DEVICE_TABLE float DETAIL_FALLOFF = 0.125f;   // of the weight of what is there, by its squared distance [1/pixel²]
DEVICE_TABLE float MOST_CHANGE = 16.0f;       // squared, over the light's variance: more counts as so much
DEVICE_TABLE float DOUBTED_SAMPLES = 64.0f;   // with so many, twice the variance that they tell is taken for noise
DEVICE_TABLE float BIAS_SEEN = 2.0f;          // how much more a blur is seen than noise of the same squared error

// withDetail is filtered light with as much of the samples' light as the squared bias around asks for, on the same surface.
DEVICE float3 withDetail(const Tap& t, float4 samples, uint32_t x, uint32_t y, uint32_t buffer) {
  Edges e = edgesAround(t, (float)x, (float)y, (float)DETAIL_REACH);
  bool emits = samples.w < 0.0f;   // then the variance is also that of emission, and may be far too large
  float variance = sqr(samples.w) + NO_VARIANCE, noise = 1.0f + DOUBTED_SAMPLES / frame.denoise.imageSamples;
  float bias = 0.0f, errors = 0.0f, weights = 0.0f;   // bias: squared, over the variance
  for (int32_t dy = -DETAIL_REACH; dy <= DETAIL_REACH; dy++)
    for (int32_t dx = -DETAIL_REACH; dx <= DETAIL_REACH; dx++) {
      uint32_t nx = (uint32_t)((int32_t)x + dx), ny = (uint32_t)((int32_t)y + dy);
      if (nx >= frame.film.width || ny >= frame.film.height) continue;
      uint32_t pixel = ny * frame.film.width + nx;
      Tap q = loadTap(buffer, pixel);
      float4 other = *planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel);
      float theirs = sqr(other.w);
      if (isBackground(q) || (other.w < 0.0f && !emits) || !(theirs < MOST_VARIANCE)) continue;
      float change = sqr(luminance(q.light) - luminance(xyz(other)));
      float w = expMinus(surfaceDistance(e, q, (float)dx, (float)dy) + DETAIL_FALLOFF * (float)(dx * dx + dy * dy));
      // By the mean of both variances: a pixel that is much noisier counts twice at most.
      bias += w * (minf(change, MOST_CHANGE * theirs) - noise * theirs) / (0.5f * (theirs + variance));
      errors += w * sqrtf(sqrtf(absf(other.w)));
      weights += w;
    }
  if (!(bias > 0.0f && weights > LEAST_DIVISOR)) return t.light;
  bias *= BIAS_SEEN / weights;
  // A dark pixel may be one whose samples have missed the light. Then they do not know of their error either, but those around do. The
  // darker it is, the more of the error around counts as its own: by the mean of its fourth root, so that one pixel which errs far more
  // than the others counts little.
  float missed = saturate(1.0f - luminance(xyz(samples)) / maxf(luminance(t.light), LEAST_DIVISOR));
  float doubt = maxf(sqr(missed * sqr(sqr(errors / weights))) / variance, 1.0f);
  return lerp(t.light, xyz(samples), bias / (bias + doubt));
}

// Ends the filter of a converged image. The argument is the buffer of the filtered light, in which dots are looked for: what bias gives back
// is no chance.
KERNEL(keep_detail, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Tap t = loadTap(pass, pixel);
  float3 light = t.light;
  if (!isBackground(t)) {
    float4 samples = *planeAt(frame.denoise.inputs, DENOISE_SAMPLES, pixel);
    light = withDetail(t, samples, x, y, pass);
    // What the samples do not agree on is no surer where the filter has found nothing to average them with.
    float own = luminance(t.light);
    t.error = maxf(t.error, absf(samples.w) * own / maxf(luminance(xyz(samples)), own));
    light *= shareConfirmed(t, x, y, pass);
  }
  remodulate(light, pixel);
}
