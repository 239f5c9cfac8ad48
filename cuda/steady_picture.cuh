// Keeps a denoised live view steady: each picture is blended with the one before, which is moved to where its surfaces are now
// and clamped to the colours around. Each of the pictures counts for the samples that it stands for; while an image
// accumulates, the picture before it stays the same, so that a view that rests ends as what the denoiser makes of it alone.
#pragma once

#include "history.cuh"

DEVICE_TABLE float CLAMP_WIDTH = 1.5f;   // standard deviations around the mean of a neighbourhood

// Luma and chroma, so that a box around colours is narrow.
DEVICE float3 toYCoCg(float3 c) {
  return make_float3(0.25f * c.x + 0.5f * c.y + 0.25f * c.z, 0.5f * (c.x - c.z), 0.5f * c.y - 0.25f * (c.x + c.z));
}
DEVICE float3 fromYCoCg(float3 c) {
  float base = c.x - c.z;
  return make_float3(base + c.y, c.x + c.z, base - c.y);
}

DEVICE float3 denoisedAt(uint32_t x, uint32_t y) {
  return xyz(pointer<const float4>(frame.denoised)[y * frame.width + x]);
}

// clampedAround moves a colour towards those around a pixel.
DEVICE float3 clampedAround(uint32_t x, uint32_t y, float3 past) {
  float3 sum = vec3(0.0f), squares = vec3(0.0f);
  float n = 0.0f;
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;
    if (nx >= frame.width || ny >= frame.height) continue;
    float3 c = toYCoCg(denoisedAt(nx, ny));
    sum += c;
    squares += c * c;
    n += 1.0f;
  }
  float3 mean = sum / n, c = toYCoCg(past), v = squares / n - mean * mean;
  float3 far = make_float3(safeSqrt(v.x), safeSqrt(v.y), safeSqrt(v.z)) * CLAMP_WIDTH;
  c = make_float3(clampf(c.x, mean.x - far.x, mean.x + far.x), clampf(c.y, mean.y - far.y, mean.y + far.y),
                  clampf(c.z, mean.z - far.z, mean.z + far.z));
  return fromYCoCg(c);
}

KERNEL(steady_picture) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  float3 shown = denoisedAt(x, y);
  float samples = frame.imageSamples;
  Trail t = trailOf(x, y, true);
  if (t.sum > 0.0f) {
    float4 past = followed(t, frame.pastPicture);
    float held = minf(past.w, frame.historyCap);
    shown = lerp(shown, clampedAround(x, y, xyz(past)), held / (samples + held));
    samples += held;
  }
  if (!finite(shown)) shown = vec3(0.0f);
  pointer<float4>(frame.picture)[pixel] =
      make_float4(maxf(shown.x, 0.0f), maxf(shown.y, 0.0f), maxf(shown.z, 0.0f), samples);
}
