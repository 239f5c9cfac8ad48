// One pass of the built-in filter. Its argument: which pass, twice, and the buffer that it reads; the last one ends as the picture.
#pragma once

#include "atrous.cuh"

// splineWeight is that of the cubic B-spline at whole numbers up to two.
DEVICE float splineWeight(int32_t d) { return d == 0 ? 0.375f : d * d == 1 ? 0.25f : 0.0625f; }

// filtered blurs around a pixel. Errors shrink as those of means do. How far it reaches is known to the compiler, so that the
// loads of all taps are under way at once.
template <int32_t REACH>
DEVICE Tap filtered(Tap t, uint32_t x, uint32_t y, uint32_t side, int32_t step) {
  Edges e = edgesAround(t, (float)x, (float)y);
  float centre = sqr(splineWeight(0)), pixels = (float)step;
  float3 light = t.light * centre;
  float variance = sqr(t.error * centre), weights = centre;
  for (int32_t dy = -REACH; dy <= REACH; dy++)
    for (int32_t dx = -REACH; dx <= REACH; dx++) {
      uint32_t nx = (uint32_t)((int32_t)x + dx * step), ny = (uint32_t)((int32_t)y + dy * step);
      if ((dx == 0 && dy == 0) || nx >= frame.width || ny >= frame.height) continue;
      Tap q = tapAt(side, ny * frame.width + nx);
      float apart = surfaceApart(e, q, (float)dx * pixels, (float)dy * pixels) + lightApart(e, q);
      float w = splineWeight(dx) * splineWeight(dy) * expMinus(apart), share = q.error * w;
      light = make_float3(madd(q.light.x, w, light.x), madd(q.light.y, w, light.y), madd(q.light.z, w, light.z));
      variance = madd(share, share, variance);
      weights += w;
    }
  t.light = light / weights;
  t.error = sqrtf(variance) / weights;
  return t;
}

DEVICE_TABLE float DOUBT = 256.0f;   // samples with which the filter may change a pixel's light by two standard errors
DEVICE_TABLE int32_t ERROR_REACH = 3;   // how far away, by steps of so many pixels, others' errors are looked at

// errorAround is the error of a pixel's light, or the usual one around where that is larger: where few samples find the light,
// a pixel whose samples have missed it knows of no error.
DEVICE float errorAround(float own, uint32_t pixel) {
  int32_t x = (int32_t)(pixel % frame.width), y = (int32_t)(pixel / frame.width);
  float sum = sqr(own), n = 1.0f;
  for (int32_t i = 0; i < 9; i++) {
    uint32_t nx = (uint32_t)(x + (i % 3 - 1) * ERROR_REACH), ny = (uint32_t)(y + (i / 3 - 1) * ERROR_REACH);
    if (i == 4 || nx >= frame.width || ny >= frame.height) continue;
    float error = planeAt(frame.denoiser, DENOISE_NORMAL, ny * frame.width + nx)->w;
    if (error < 0.0f) continue;
    sum += sqr(error);
    n += 1.0f;
  }
  return maxf(own, sqrtf(sum / n));
}

// trusted is what the filter makes of a pixel's light, no farther from what it was than the errors make likely. With many
// samples what is left to blur away is less than what blurring adds.
DEVICE float3 trusted(float3 light, uint32_t pixel) {
  if (!fades()) return light;
  float4 before = *planeAt(frame.denoiser, DENOISE_NORMAL, pixel);
  if (before.w < 0.0f) return light;
  float doubt = DOUBT / frame.imageSamples;
  float most = (1.0f + doubt * doubt * doubt) * errorAround(before.w, pixel);
  float change = absf(luminance(light) - luminance(xyz(before)));
  return change <= most ? light : lerp(xyz(before), light, most / change);
}

// finishPixel multiplies what was taken apart together again.
DEVICE void finishPixel(const Tap& t, uint32_t pixel) {
  float3 glow = xyz(*planeAt(frame.denoiser, DENOISE_COLOR, pixel));
  float3 L = trusted(t.light, pixel) * xyz(*planeAt(frame.denoiser, DENOISE_ALBEDO, pixel)) + glow;
  if (!finite(L)) L = vec3(0.0f);
  pointer<float4>(frame.denoised)[pixel] = make_float4(maxf(L.x, 0.0f), maxf(L.y, 0.0f), maxf(L.z, 0.0f), 0.0f);
}

KERNEL(atrous_filter) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x, turn = pass >> 1, side = pass & 1;
  Tap t = tapAt(side, pixel);
  if (!isVoid(t))
    t = turn < ATROUS_WIDE_PASSES ? filtered<2>(t, x, y, side, 1 << turn) : filtered<1>(t, x, y, side, 1 << turn);
  if (turn + 1 < ATROUS_PASSES)
    *signalAt(1 - side, pixel) = packSignal(t);
  else
    finishPixel(t, pixel);
}
