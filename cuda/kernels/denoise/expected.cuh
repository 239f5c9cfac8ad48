// What is likely of a pixel's light, by that of the pixels around it now and in the past. A bright sample that nothing confirms would
// stay in the history for many images; light that is gone must not.
#pragma once

#include "denoise/atrous.cuh"
#include "denoise/history.cuh"

DEVICE_TABLE float LIKELY_CHANGE = 1.0f;   // standard errors by which now and past may differ by chance,
DEVICE_TABLE float SURE_CHANGE = 2.0f;     // and from which on the past counts for nothing
DEVICE_TABLE float SLIGHT_CHANGE = 0.1f;   // of the light: no reason to forget
DEVICE_TABLE float LIVE_FIREFLY = 50.0f;   // standard deviations above the mean, beyond which a sample is not believed
// Where single samples seldom find light, bright ones are to be expected.
DEVICE_TABLE float FOUND_LIGHT = 0.5f;    // least share of what was shown that they have found,
DEVICE_TABLE float SELDOM_FOUND = 4.0f;   // and most relative variance, where they find it often enough

// LightAround is the light of a pixel and of those around it that show the same surface.
struct LightAround {
  Moments now, others, past;   // others: now, without the pixel itself. Squares of the past are those of single samples
  float shown;                 // in the past, filtered
  float pixels;                // that were compared
};

// lightAround looks at so many pixels to each side, every so many.
template <int32_t REACH, int32_t STEP>
DEVICE LightAround lightAround(const Tap& own, uint32_t x, uint32_t y, const Reprojection& r) {
  Edges e = edgesAround(own, (float)x, (float)y, 0.0f);   // bends are not known yet
  uint32_t there = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (r.share[i] > 0.0f) there = r.at[i];
  VirtualHit here = fetch<VirtualHit>(frame.denoise.pastVirtualHits, there);
  float distance = length(here.position - frame.previous.eye);
  uint32_t px = there % frame.film.width, py = there / frame.film.width;
  LightAround a = {};
  float weights = 0.0f, squaredWeights = 0.0f;
  auto take = [&](uint32_t pixel, int32_t i, int32_t j) {
    int32_t dx = i * STEP, dy = j * STEP;
    uint32_t qx = px + (uint32_t)dx, qy = py + (uint32_t)dy, before = qy * frame.film.width + qx;
    if (qx >= frame.film.width || qy >= frame.film.height) return;
    if (!sameSurface(here, fetch<VirtualHit>(frame.denoise.pastVirtualHits, before), distance)) return;
    Tap q = loadTap(0, pixel);
    float4 light = pointer<const float4>(frame.denoise.pastLight)[before];
    float w = expMinus(surfaceDistance(e, q, (float)dx, (float)dy));
    addLight(a.now, w, luminance(q.light));
    a.past.mean += w * luminance(xyz(light));
    a.past.squares += w * light.w;
    weights += w;
    squaredWeights += sqr(w);
  };
  eachAround<REACH>(x, y, take, STEP);
  float scale = 1.0f / weights, l = luminance(own.light), rest = weights - 1.0f;   // its own weight is 1
  if (rest > 0.0f) a.others = {(a.now.mean - l) / rest, (a.now.squares - sqr(l)) / rest};
  a.now = {a.now.mean * scale, a.now.squares * scale};
  a.past = {a.past.mean * scale, a.past.squares * scale};
  a.pixels = sqr(weights) / squaredWeights;
  uint32_t pixel = y * frame.film.width + x;
  float bypass = luminance(xyz(*planeAt(frame.denoise.inputs, DENOISE_COLOR, pixel)));
  float filtered = luminance(xyz(pointer<const float4>(frame.denoise.pastStabilized)[there])) - bypass;
  a.shown = filtered / luminance(xyz(*planeAt(frame.denoise.inputs, DENOISE_ALBEDO, pixel)));
  return a;
}

// trustInPast is the share of the past that still counts. Where lamps go out or shadows move, light differs by more than chance makes
// likely. (Schied et al. 2018 trace samples of the past again to see that; the pixels around cost no rays.)
DEVICE float trustInPast(const LightAround& a) {
  float variance = maxf(varianceOf(a.now), varianceOf(a.past) / frame.denoise.imageSamples) / a.pixels;
  float slight = SLIGHT_CHANGE * maxf(a.now.mean, a.past.mean);
  float errors = absf(a.now.mean - a.past.mean) * inverseRoot(variance + sqr(slight) + NO_VARIANCE);
  return 1.0f - saturate((errors - LIKELY_CHANGE) / (SURE_CHANGE - LIKELY_CHANGE));
}

// expectedLight is a pixel's light, no brighter than others and the past make likely. What is brighter counts for the less the brighter it
// is; the more samples it is the mean of, the more is believed. Where single samples seldom find light, nothing is known of how bright
// they may be, and all of them are.
DEVICE float3 expectedLight(float3 light, const LightAround& a) {
  float n = frame.denoise.imageSamples, mean = maxf(a.others.mean, a.past.mean);
  float variance = maxf(varianceOf(a.others), varianceOf(a.past) / n);
  bool found = a.past.mean > FOUND_LIGHT * a.shown && variance * n < SELDOM_FOUND * sqr(mean);
  float most = n * (mean + LIVE_FIREFLY * sqrtf(variance)), own = luminance(light);
  return found && own > most ? light * sqr(most / own) : light;
}
