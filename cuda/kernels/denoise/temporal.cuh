// Temporal stabilization of a denoised live view: each image is blended with the previous one, reprojected and clamped to the colours around.
// Images count by their samples. While one accumulates, the previous one stays the same, so that a resting view ends as what the denoiser
// makes of its image alone.
#pragma once

#include "core/device.h"
#include "denoise/history.cuh"

// --- Colours --------------------------------------------------------------------------------------------------------
// A colour space in which ranges are narrow, and a spline that resamples images and keeps them sharp.

// Luma and two differences of colour (YCoCg: Malvar and Sullivan 2003).
DEVICE float3 toYCoCg(float3 c) {
  return make_float3(0.25f * c.x + 0.5f * c.y + 0.25f * c.z, 0.5f * (c.x - c.z), 0.5f * c.y - 0.25f * (c.x + c.z));
}
DEVICE float3 fromYCoCg(float3 c) {
  float base = c.x - c.z;
  return make_float3(base + c.y, c.x + c.z, base - c.y);
}

// cubicWeight is the weight of the first to fourth of four pixels in a row, at `a` behind the second one (Catmull and
// Rom 1974): an image that is resampled again and again must stay sharp.
DEVICE float cubicWeight(uint32_t i, float a) {
  if (i == 0) return a * (-0.5f + a * (1.0f - 0.5f * a));
  if (i == 1) return 1.0f + a * a * (-2.5f + 1.5f * a);
  if (i == 2) return a * (0.5f + a * (2.0f - 1.5f * a));
  return a * a * (-0.5f + 0.5f * a);
}

// --- The image ------------------------------------------------------------------------------------------------------

DEVICE_TABLE float CLAMP_WIDTH = 1.5f;         // standard deviations around the mean of a neighbourhood
DEVICE_TABLE int32_t CLAMP_STEP = 4;           // distance between the 3×3 pixels of that, where there is noise
DEVICE_TABLE float PLAIN_PAST = 0.6f;          // of historyCap: what the past counts for where colours are plain,
DEVICE_TABLE float DETAILED_PAST = 0.15f;      // and where they are not
DEVICE_TABLE float DETAIL = 0.05f;             // contrast of such colours
DEVICE_TABLE float STANDING_OUT = 1.2f;        // times the third brightest of 3×3 pixels: what one sample may show
DEVICE_TABLE float LEAST_CONTRASTED = 1e-3f;   // darker albedos have no contrast
DEVICE_TABLE float LOOK_ALIKE = 0.01f;         // relative difference of pictures that says little about which one fits

DEVICE float3 denoisedAt(uint32_t pixel) { return xyz(pointer<const float4>(frame.denoise.denoised)[pixel]); }

// Neighbourhood is the mean and deviation of the colours around a pixel.
struct Neighborhood {
  float3 mean, deviation;   // YCoCg
};

DEVICE Neighborhood neighborhoodOf(uint64_t picture, uint32_t x, uint32_t y, int32_t step) {
  float3 sum = vec3(0.0f), squares = vec3(0.0f);
  float n = 0.0f;
  auto take = [&](uint32_t pixel, int32_t, int32_t) {
    float3 c = toYCoCg(xyz(pointer<const float4>(picture)[pixel]));
    sum += c;
    squares += c * c;
    n += 1.0f;
  };
  eachAround(x, y, take, step);
  float3 mean = sum / n;
  return {mean, safeSqrt3(squares / n - mean * mean)};
}

// picturesHeld limits how many samples the previous picture counts for. Resampling blurs it in each frame. That shows in textures and at
// outlines, so it counts for less where albedo has contrast (standard deviation over mean, 3×3 pixels).
DEVICE float picturesHeld(uint32_t x, uint32_t y) {
  Moments m = {};
  float n = 0.0f;
  eachAround(x, y, [&](uint32_t pixel, int32_t, int32_t) {
    addLight(m, 1.0f, paintAt(pixel));
    n += 1.0f;
  });
  float contrast = safeSqrt(varianceOf({m.mean / n, m.squares / n})) / maxf(m.mean / n, LEAST_CONTRASTED);
  return frame.denoise.historyCap * lerp(PLAIN_PAST, DETAILED_PAST, saturate(contrast / DETAIL));
}

// clampFirefly limits a pixel to what others around it make likely: k times the third-brightest of the 3×3 around it. k grows with the
// number of samples.
DEVICE float3 clampFirefly(float3 shown, uint32_t x, uint32_t y) {
  float brightest[3] = {0.0f, 0.0f, 0.0f};
  eachAround(x, y, [&](uint32_t pixel, int32_t, int32_t) {
    float l = luminance(denoisedAt(pixel));
    for (uint32_t i = 0; i < 3; i++) {
      float less = minf(l, brightest[i]);
      brightest[i] = maxf(l, brightest[i]);
      l = less;
    }
  });
  float own = luminance(shown), most = STANDING_OUT * frame.denoise.imageSamples * brightest[2];
  return own > most ? shown * (most / own) : shown;
}

// clampToNeighborhood clamps a colour to the neighbourhood's range.
DEVICE float3 clampToNeighborhood(const Neighborhood& a, float3 past) {
  float3 far = a.deviation * CLAMP_WIDTH;
  return fromYCoCg(max3(a.mean - far, min3(toYCoCg(past), a.mean + far)));
}

// displayWeight makes means of colours roughly those of what a display shows; otherwise one lamp would outweigh
// everything else (Karis 2014, High Quality Temporal Supersampling).
DEVICE float displayWeight(float3 c) { return 1.0f / (1.0f + luminance(c) * frame.display.exposure); }

// resampleSharp is a picture's colour between pixels, by a cubic spline, tx pixels to the right of at(0, 0) and ty below it. Next to a lamp
// a spline overshoots, so the result is clamped to the range of the four nearest pixels.
template <typename Pixel>
DEVICE float3 resampleSharp(float tx, float ty, Pixel at) {
  float3 L = vec3(0.0f), least = vec3(INFINITE), most = vec3(0.0f);
  for (int32_t j = 0; j < 4; j++)
    for (int32_t i = 0; i < 4; i++) {
      float3 one = at(i - 1, j - 1);
      L += one * (cubicWeight((uint32_t)i, tx) * cubicWeight((uint32_t)j, ty));
      if (i % 3 == 0 || j % 3 == 0) continue;   // not one of the four
      least = min3(least, one);
      most = max3(most, one);
    }
  return max3(least, min3(most, L));
}

// sampleSharp does so with a buffer of float4 of the previous image. False where a pixel is missing.
DEVICE bool sampleSharp(const Reprojection& t, uint64_t buffer, float3* past) {
  uint32_t x = t.left, y = t.top;
  if (t.sum < 0.999f || t.share[0] <= 0.0f || x < 1 || y < 1 || x + 2 >= frame.film.width || y + 2 >= frame.film.height)
    return false;
  *past = resampleSharp(t.x, t.y, [&](int32_t dx, int32_t dy) {
    return xyz(pointer<const float4>(buffer)[(y + (uint32_t)dy) * frame.film.width + x + (uint32_t)dx]);
  });
  return true;
}

// samplePast is a buffer of the previous image at a reprojection. What is in w, such as a number of samples, is not resampled sharply.
DEVICE float4 samplePast(const Reprojection& t, uint64_t buffer) {
  float4 mean = historyMean<float4>(t, buffer);
  float3 sharp;
  return sampleSharp(t, buffer, &sharp) ? make_float4(sharp.x, sharp.y, sharp.z, mean.w) : mean;
}

// shownAt is the luminance of a picture's pixel as a display would show it; −1 outside.
DEVICE float shownAt(uint64_t picture, uint32_t x, uint32_t y) {
  if (x >= frame.film.width || y >= frame.film.height) return -1.0f;
  float3 c = xyz(pointer<const float4>(picture)[y * frame.film.width + x]);
  return luminance(c) * displayWeight(c);
}

// shownBefore is the same of the previous image, so many pixels to the right of and below a reprojection. Between pixels, too: what lags
// by half a pixel in each frame lags by several in the end.
DEVICE float shownBefore(const Reprojection& t, uint32_t dx, uint32_t dy) {
  uint64_t past = frame.denoise.pastStabilized;
  uint32_t x = t.left + dx, y = t.top + dy;
  float a = shownAt(past, x, y), b = shownAt(past, x + 1, y), c = shownAt(past, x, y + 1),
        d = shownAt(past, x + 1, y + 1);
  if (minf(minf(a, b), minf(c, d)) < 0.0f) return -1.0f;
  return lerp(lerp(a, b, t.x), lerp(c, d, t.x), t.y);
}

// fittedShare is the share of the second part with which the past of a pixel fits best to its picture now: by least squares over the
// pixels of its neighbourhood. Where the previous image looks alike at both places, the share stays as it was.
DEVICE float fittedShare(const Followed& f, uint32_t x, uint32_t y) {
  float products = 0.0f, squares = 0.0f, size = 0.0f;
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t dx = (i % 3 - 1) * (uint32_t)CLAMP_STEP, dy = (i / 3 - 1) * (uint32_t)CLAMP_STEP;
    float now = shownAt(frame.denoise.denoised, x + dx, y + dy), surface = shownBefore(f.surface, dx, dy),
          second = shownBefore(f.second, dx, dy);
    if (minf(now, minf(surface, second)) < 0.0f) continue;
    products += (now - surface) * (second - surface);
    squares += sqr(second - surface);
    size += sqr(now);
  }
  float doubt = sqr(LOOK_ALIKE) * size + 1e-20f;
  return expectedShareOfAlbedo((products + doubt * f.share) / (squares + doubt), f.albedoShare);
}

KERNEL(temporal_stabilize, 128, 8, denoising) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  SeenAround around = seenAround(x, y);
  // Sky has no noise, so a tight clamp is safe there; a wide one would leave ghosts of surfaces that have moved on.
  Neighborhood neighborhood =
      neighborhoodOf(frame.denoise.denoised, x, y, around.kinds == 1u << NORMAL_NONE ? 1 : CLAMP_STEP);
  float3 shown = clampFirefly(denoisedAt(pixel), x, y);
  float samples = frame.denoise.imageSamples;
  Followed followed = followSecond(x, y, reprojectPixel(x, y, around));
  float share = -1.0f;
  if (followed.surface.sum > 0.0f) {
    float4 past = samplePast(followed.surface, frame.denoise.pastStabilized);
    if (followed.albedoShare > 0.0f) {
      share = fittedShare(followed, x, y);
      past = past * (1.0f - share) + samplePast(followed.second, frame.denoise.pastStabilized) * share;
    }
    float held = minf(past.w, picturesHeld(x, y));
    float3 before = clampToNeighborhood(neighborhood, xyz(past));
    float now = samples * displayWeight(shown), then = held * displayWeight(before);
    shown = lerp(shown, before, then / (now + then));
    samples += held;
  }
  if (!finite(shown)) shown = vec3(0.0f);
  pointer<float4>(frame.denoise.stabilized)[pixel] =
      make_float4(maxf(shown.x, 0.0f), maxf(shown.y, 0.0f), maxf(shown.z, 0.0f), withShare(samples, share));
}
