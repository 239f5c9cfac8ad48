// Keeps a denoised live view steady: each picture is blended with the one before, which is moved to where its surfaces are now
// and clamped to the colours around. Each of the pictures counts for the samples that it stands for; while an image
// accumulates, the picture before it stays the same, so that a view that rests ends as what the denoiser makes of it alone.
#pragma once

#include "core/device.h"
#include "denoise/history.cuh"

// --- Colours --------------------------------------------------------------------------------------------------------
// A space in which ranges of colours are narrow, and a spline that moves pictures by parts of pixels and keeps them sharp.

// Luma and two differences of colour (YCoCg: Malvar and Sullivan 2003).
DEVICE float3 toYCoCg(float3 c) {
  return make_float3(0.25f * c.x + 0.5f * c.y + 0.25f * c.z, 0.5f * (c.x - c.z), 0.5f * c.y - 0.25f * (c.x + c.z));
}
DEVICE float3 fromYCoCg(float3 c) {
  float base = c.x - c.z;
  return make_float3(base + c.y, c.x + c.z, base - c.y);
}

// root3 takes variances to deviations.
DEVICE float3 root3(float3 v) { return make_float3(safeSqrt(v.x), safeSqrt(v.y), safeSqrt(v.z)); }

// cubicWeight is that of the first to fourth of four pixels in a row, `a` behind the second one (Catmull and Rom 1974): as sharp
// after many moves as a picture that is sampled again and again must be.
DEVICE float cubicWeight(uint32_t i, float a) {
  if (i == 0) return a * (-0.5f + a * (1.0f - 0.5f * a));
  if (i == 1) return 1.0f + a * a * (-2.5f + 1.5f * a);
  if (i == 2) return a * (0.5f + a * (2.0f - 1.5f * a));
  return a * a * (-0.5f + 0.5f * a);
}

// --- The picture ----------------------------------------------------------------------------------------------------

DEVICE_TABLE float CLAMP_WIDTH = 1.5f;     // standard deviations around the mean of a neighbourhood
DEVICE_TABLE uint32_t CLAMP_STEP = 4;      // how far apart the 3×3 pixels of that are
DEVICE_TABLE float SOFT_TENT = 0.65f;      // how much neighbours count where there are few samples
DEVICE_TABLE float SOFT_LIGHT = 0.3f;      // of the light around: what is darker counts like this
DEVICE_TABLE float SOFT_SAMPLES = 16.0f;   // with as many, a pixel stands by itself

DEVICE float3 denoisedAt(uint32_t x, uint32_t y) {
  return xyz(pointer<const float4>(frame.denoise.denoised)[y * frame.film.width + x]);
}

// Around is what the pixels around one say of its colour.
struct Around {
  float3 mean, deviation;   // YCoCg
};

DEVICE Around coloursAround(uint32_t x, uint32_t y) {
  float3 sum = vec3(0.0f), squares = vec3(0.0f);
  float n = 0.0f;
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t nx = x + (i % 3 - 1) * CLAMP_STEP,
             ny = y + (i / 3 - 1) * CLAMP_STEP;   // beyond the first they wrap around to be too large
    if (nx >= frame.film.width || ny >= frame.film.height) continue;
    float3 c = toYCoCg(denoisedAt(nx, ny));
    sum += c;
    squares += c * c;
    n += 1.0f;
  }
  float3 mean = sum / n;
  return {mean, root3(squares / n - mean * mean)};
}

// softAround is the mean of a pixel and those beside it, where `usual` is the luminance thereabouts. What is bright counts for
// less: with one sample a pixel, the edge of a lamp is where its sample fell, and too dark an edge is a smaller error.
DEVICE float3 softAround(uint32_t x, uint32_t y, float usual) {
  float3 sum = vec3(0.0f);
  float weights = 0.0f, least = SOFT_LIGHT * usual + 1e-20f;
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;
    if (nx >= frame.film.width || ny >= frame.film.height) continue;
    float3 c = denoisedAt(nx, ny);
    float w = (i % 3 == 1 ? 1.0f : SOFT_TENT) * (i / 3 == 1 ? 1.0f : SOFT_TENT) / (luminance(c) + least);
    sum += c * w;
    weights += w;
  }
  return sum / weights;
}

// clamped moves a colour towards those around.
DEVICE float3 clamped(const Around& a, float3 past) {
  float3 far = a.deviation * CLAMP_WIDTH, mean = a.mean, c = toYCoCg(past);
  c = make_float3(clampf(c.x, mean.x - far.x, mean.x + far.x), clampf(c.y, mean.y - far.y, mean.y + far.y),
                  clampf(c.z, mean.z - far.z, mean.z + far.z));
  return fromYCoCg(c);
}

// displayWeight makes means of colours those of what a display shows of them, about: one lamp would outweigh all else (Karis
// 2014, High Quality Temporal Supersampling).
DEVICE float displayWeight(float3 c) { return 1.0f / (1.0f + luminance(c) * frame.display.exposure); }

// sharpAlong is the picture before along a trail of which nothing is missing. False where it cannot tell.
DEVICE bool sharpAlong(const Trail& t, float3* past) {
  uint32_t x = t.at[0] % frame.film.width, y = t.at[0] / frame.film.width;
  if (t.sum < 0.999f || t.share[0] <= 0.0f || x < 1 || y < 1 || x + 2 >= frame.film.width || y + 2 >= frame.film.height)
    return false;
  float3 sum = vec3(0.0f);
  float weights = 0.0f;
  for (uint32_t i = 0; i < 16; i++) {
    float3 c =
        xyz(pointer<const float4>(frame.denoise.pastPicture)[(y + i / 4 - 1) * frame.film.width + x + i % 4 - 1]);
    float w = cubicWeight(i % 4, t.x) * cubicWeight(i / 4, t.y) * displayWeight(c);
    sum += c * w;
    weights += w;
  }
  *past = sum / weights;
  return weights > 0.0f;
}

// pastAlong is the picture before along a trail, and how many samples it stands for.
DEVICE float4 pastAlong(const Trail& t) {
  float3 sum = vec3(0.0f), sharp;
  float weights = 0.0f, samples = 0.0f;
  for (uint32_t i = 0; i < 4; i++) {
    if (!(t.share[i] > 0.0f)) continue;
    float4 past = pointer<const float4>(frame.denoise.pastPicture)[t.at[i]];
    float w = t.share[i] * displayWeight(xyz(past));
    sum += xyz(past) * w;
    weights += w;
    samples += t.share[i] * past.w;
  }
  sum *= 1.0f / weights;
  if (sharpAlong(t, &sharp)) sum = sharp;
  return make_float4(sum.x, sum.y, sum.z, samples / t.sum);
}

// Its argument: enum Steadying.
KERNEL(steady_picture, 128, 1, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Around around = coloursAround(x, y);
  float3 shown = denoisedAt(x, y);
  float samples = frame.denoise.imageSamples;
  Trail t = trailOfPixel(x, y);
  if (t.sum > 0.0f) {
    float4 past = pastAlong(t);
    float held = minf(past.w, frame.denoise.historyCap);
    float3 before = clamped(around, xyz(past));
    float now = samples * displayWeight(shown), then = held * displayWeight(before);
    shown = lerp(shown, before, then / (now + then));
    samples += held;
  }
  if (pass == STEADY_SOFT && samples < SOFT_SAMPLES)
    shown = lerp(shown, softAround(x, y, luminance(fromYCoCg(around.mean))), 1.0f / samples);
  if (!finite(shown)) shown = vec3(0.0f);
  pointer<float4>(frame.denoise.picture)[pixel] =
      make_float4(maxf(shown.x, 0.0f), maxf(shown.y, 0.0f), maxf(shown.z, 0.0f), samples);
}
