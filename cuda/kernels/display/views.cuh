// Views of data that is not light, in false colours: AOVs, and the reservoirs of ReSTIR. What the colours mean is
// listed in Go as well (AOVs and ReuseViews of package tracer).
#pragma once

#include "core/device.h"
#include "core/random.cuh"
#include "display/tonemap.cuh"
#include "film/film.cuh"
#include "restir/filters.cuh"
#include "restir/temporal.cuh"

// --- Colour maps ----------------------------------------------------------------------------------------------------
// Display-encoded and packed as 0xRRGGBB.

DEVICE uint32_t unorm8(float x) { return (uint32_t)(saturate(x) * 255.0f + 0.5f); }
DEVICE uint32_t packRgb(float3 c) { return unorm8(c.x) << 16 | unorm8(c.y) << 8 | unorm8(c.z); }
DEVICE float3 unpackRgb(uint32_t c) {
  return make_float3((float)(c >> 16 & 255u), (float)(c >> 8 & 255u), (float)(c & 255u)) * (1.0f / 255.0f);
}

// The ends of the maps and seven colours between.
DEVICE_TABLE uint32_t VIRIDIS[9] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                    0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
DEVICE_TABLE uint32_t BLUE_WHITE_RED[9] = {0x053061, 0x2166ac, 0x4393c3, 0xa7d0e4, 0xf7f7f7,
                                           0xf9c0a5, 0xd6604d, 0xb2182b, 0x67001f};

DEVICE uint32_t mapped(const uint32_t* map, float t) {
  float x = saturate(t) * 8.0f;
  uint32_t i = minu((uint32_t)x, 7u);
  return packRgb(lerp(unpackRgb(map[i]), unpackRgb(map[i + 1]), x - (float)i));
}

// viridis runs from dark violet at 0 to yellow at 1, evenly for the eye (Smith and van der Walt 2015).
DEVICE uint32_t viridis(float t) { return mapped(VIRIDIS, t); }

// diverging runs from blue at −1 over white to red at 1 (after ColorBrewer's RdBu).
DEVICE uint32_t diverging(float t) { return mapped(BLUE_WHITE_RED, 0.5f * t + 0.5f); }

// wave runs from 0 to 1 and back while x advances by 2.
DEVICE float wave(float x) {
  x -= 2.0f * floorf(0.5f * x);
  return x < 1.0f ? x : 2.0f - x;
}
DEVICE float3 wave(float3 p) { return make_float3(wave(p.x), wave(p.y), wave(p.z)); }

// --- AOVs -----------------------------------------------------------------------------------------------------------

DEVICE_TABLE float FULL_MOTION = 32.0f;   // [pixels] that span the scale

// numberColor gives each number a colour; negative ones are dark grey.
DEVICE uint32_t numberColor(float number) {
  return number < 0.0f ? 0x303030u : hash((uint32_t)number + 1u) & 0xffffffu;
}

// relativeError is the standard error of a mean over that mean, from its variance and itself (aovMoments).
DEVICE float relativeError(float4 v) { return v.y > 0.0f ? sqrtf(v.x) / v.y : 0.0f; }

// One function for each view that a row of VIEW_AOVS may name: the colour of a value, 0xRRGGBB.

DEVICE uint32_t showColor(float4 v, uint32_t) { return packRgb(srgbEncode(xyz(v))); }

DEVICE uint32_t showDirection(float4 v, uint32_t) { return packRgb(xyz(v) * 0.5f + vec3(0.5f)); }

DEVICE uint32_t showDepth(float4 v, uint32_t) {
  return v.x < DEPTH_OF_NOTHING ? viridis(1.0f - expf(-v.x / frame.scene.radius)) : 0x303030u;
}

// The depth stands beside the position.
DEVICE uint32_t showPosition(float4 v, uint32_t) {
  return v.w < DEPTH_OF_NOTHING ? packRgb(wave(xyz(v) * (2.0f / frame.scene.radius))) : 0x303030u;
}

DEVICE uint32_t showNumber(float4 v, uint32_t) { return numberColor(v.x); }

DEVICE uint32_t showMotion(float4 v, uint32_t) {
  return packRgb(make_float3(0.5f + v.x / FULL_MOTION, 0.5f + v.y / FULL_MOTION, 0.5f));
}

DEVICE uint32_t showCount(float4 v, uint32_t) { return viridis(log2f(1.0f + v.x) * (1.0f / 16.0f)); }

DEVICE uint32_t showRelativeError(float4 v, uint32_t) {
  return viridis((log2f(maxf(relativeError(v), 1e-6f)) + 10.0f) * 0.1f);
}

DEVICE uint32_t showErrorMap(float4, uint32_t pixel) {
  return viridis((log2f(maxf(pointer<const float>(frame.errorMap.errors)[pixel], 1e-6f)) + 8.0f) * 0.125f);
}

// aovColor is the view of an AOV at a pixel, 0xRRGGBB.
DEVICE uint32_t aovColor(uint32_t pixel) {
  switch (frame.display.shown) {
#define X(name, source, plane, channel, view, ...) \
  case SHOWN_##name:                               \
    return show##view(aov##source(plane, channel, pixel), pixel);
    VIEW_AOVS(X)
#undef X
  }
  return 0u;
}

// --- ReSTIR ---------------------------------------------------------------------------------------------------------
// Reservoirs, verdicts, Jacobians and duplicates, one view at a time. Nothing here runs while no view is on. What only
// a pass knows is recomputed from the same random numbers.

// Largest values of the scales.
DEVICE_TABLE float MAX_SHOWN_COUNT = 255.0f;
DEVICE_TABLE float MAX_SHOWN_NEIGHBORS = 8.0f;

// logScale maps 0 to 0 and `most` to 1.
DEVICE float logScale(float x, float most) { return log2f(1.0f + x) / log2f(1.0f + most); }

// shiftColor shows a Jacobian by its logarithm, stretched around J = 1, whose bounds are the ends of the scale.
DEVICE uint32_t shiftColor(const Candidate& q) {
  if (!(q.J > 0.0f)) return SHIFT_UNDEFINED;
  float t = log2f(q.J) / log2f(MAX_JACOBIAN);
  return diverging(copySign(sqrtf(absf(t)), t));
}

// historyColor repeats the search of the temporal pass.
DEVICE uint32_t historyColor(const Domain& here, uint32_t x, uint32_t y) {
  bool verdicts = frame.restir.reuseView == REUSE_VIEW_VERDICT;
  if (!(frame.restir.flags & RESTIR_HISTORY)) return verdicts ? (uint32_t)VERDICT_NEW : (uint32_t)SHIFT_NONE;
  Stream stream = beginStream(y * frame.film.width + x, STREAM_TEMPORAL_FIND);
  Verdict why;
  uint32_t ref = findHistory(here, x, y, stream, &why), at = neighborIndex(ref);
  if (verdicts) return why;
  if (!hasNeighbor(ref)) return SHIFT_NONE;
  Reservoir r = pointer<const Reservoir>(frame.restir.history)[at];
  if (!(r.W > 0.0f)) return SHIFT_EMPTY;
  return shiftColor(candidate(here, pointer<const GBuffer>(frame.restir.previousGBuffer)[at], r, 255.0f));
}

// neighborColor reads the neighbours that the spatial pass has found; the Jacobian is that of the first with a sample.
DEVICE uint32_t neighborColor(const Domain& here, uint32_t pixel) {
  uint32_t planes = frame.restir.flags & RESTIR_SPATIAL ? frame.restir.neighborPlanes : 0u, count = 0;
  bool counts = frame.restir.reuseView == REUSE_VIEW_NEIGHBORS;
  for (uint32_t i = 0; i < planes; i++) {
    uint32_t ref = *neighborRef(pixel, i), at = neighborIndex(ref);
    if (!hasNeighbor(ref)) continue;
    count++;
    Reservoir r = pointer<const Reservoir>(frame.restir.reservoirs)[at];
    if (!counts && r.W > 0.0f)
      return shiftColor(candidate(here, pointer<const GBuffer>(frame.restir.gbuffer)[at], r, 255.0f));
  }
  if (counts) return viridis((float)count / MAX_SHOWN_NEIGHBORS);
  return count > 0 ? SHIFT_EMPTY : SHIFT_NONE;
}

// duplicateColor counts the pixels around that hold the same x2: shifts change L2, never the vertex.
DEVICE uint32_t duplicateColor(const Reservoir& r, int32_t x, int32_t y) {
  if (!(r.W > 0.0f)) return SHIFT_EMPTY;
  const int32_t reach = DUPLICATE_REACH;
  uint32_t same = 0, own = sampleId(r);
  for (int32_t v = y - reach; v <= y + reach; v++) {
    for (int32_t u = x - reach; u <= x + reach; u++) same += sampleIdAt(u, v) == own ? 1u : 0u;
  }
  return viridis(logScale((float)(same - 1), MOST_DUPLICATES));
}

// sampleColor shows a field of the sample that is shaded; null samples have only a confidence.
DEVICE uint32_t sampleColor(const Reservoir& r) {
  if (frame.restir.reuseView == REUSE_VIEW_CONFIDENCE) return viridis(logScale((float)confidence(r), MAX_SHOWN_COUNT));
  if (!(r.W > 0.0f)) return SHIFT_EMPTY;
  switch (frame.restir.reuseView) {
    case REUSE_VIEW_POSITION:
      return packRgb(wave(r.x2 * (2.0f / frame.scene.reach)));
    case REUSE_VIEW_NORMAL:
      return packRgb(unpackNormal(r.n2) * 0.5f + vec3(0.5f));
    case REUSE_VIEW_RADIANCE:
      return packRgb(tonemap(unpackRadiance(r) * frame.display.exposure, frame.display.toneMap));
    case REUSE_VIEW_COAT:
      return packRgb(make_float3(coatOf(r).roughness, coatOf(r).f0, 0.0f));
    case REUSE_VIEW_WEIGHT:
      return viridis((log2f(r.W) / log2f(10.0f) + 2.0f) * 0.2f);
    default:
      return viridis(logScale((float)age(r), MAX_SHOWN_COUNT));
  }
}

DEVICE uint32_t reuseColor(uint32_t x, uint32_t y) {
  uint32_t pixel = y * frame.film.width + x;
  Domain here = unpackDomain(pointer<const GBuffer>(frame.restir.gbuffer)[pixel]);
  if (!(here.flags & GBUFFER_REUSABLE)) return VERDICT_UNSHARED;
  Reservoir r = pointer<const Reservoir>(frame.restir.history)[pixel];
  switch (frame.restir.reuseView) {
    case REUSE_VIEW_VERDICT:
    case REUSE_VIEW_TEMPORAL_JACOBIAN:
      return historyColor(here, x, y);
    case REUSE_VIEW_NEIGHBORS:
    case REUSE_VIEW_SPATIAL_JACOBIAN:
      return neighborColor(here, pixel);
    case REUSE_VIEW_DUPLICATES:
      return duplicateColor(r, (int32_t)x, (int32_t)y);
    default:
      return sampleColor(r);
  }
}

KERNEL(show_reuse, 128, 1, output) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t c = reuseColor(x, y);
  uint32_t rgba = c >> 16 | (c & 0xff00u) | (c & 255u) << 16 | 0xff000000u;
  pointer<uint32_t>(frame.restir.view)[y * frame.film.width + x] = rgba;
}
