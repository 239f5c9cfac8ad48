// ReSTIR GI made visible: reservoirs, verdicts, Jacobians and duplicates in false colours, one view at a time. Nothing here
// runs while no view is on; what only a pass knows is computed anew from the same random numbers.
// The colours' meaning: tracer/reuse_view.go.
#pragma once

#include "duplicates.cuh"
#include "false_color.cuh"
#include "restir_temporal.cuh"
#include "tonemap.cuh"

// Largest values of the scales.
DEVICE_TABLE float MAX_SHOWN_COUNT = 255.0f;
DEVICE_TABLE float MAX_SHOWN_NEIGHBOURS = 8.0f;

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
  bool verdicts = frame.reuseView == REUSE_VIEW_VERDICT;
  if (!(frame.restir & RESTIR_HISTORY)) return verdicts ? (uint32_t)VERDICT_NEW : (uint32_t)SHIFT_NONE;
  Stream stream = beginStream(y * frame.width + x, STREAM_TEMPORAL_FIND);
  Verdict why;
  uint32_t word = findHistory(here, x, y, stream, &why), at = partnerIndex(word);
  if (verdicts) return why;
  if (!hasPartner(word)) return SHIFT_NONE;
  Reservoir r = pointer<const Reservoir>(frame.history)[at];
  if (!(r.W > 0.0f)) return SHIFT_EMPTY;
  return shiftColor(candidate(here, pointer<const GBuffer>(frame.previousGBuffer)[at], r, 255.0f));
}

// neighbourColor reads the partners that the spatial pass has found; the Jacobian is that of the first with a sample.
DEVICE uint32_t neighbourColor(const Domain& here, uint32_t pixel) {
  uint32_t planes = frame.restir & RESTIR_SPATIAL ? frame.partnerPlanes : 0u, count = 0;
  bool counts = frame.reuseView == REUSE_VIEW_NEIGHBOURS;
  for (uint32_t i = 0; i < planes; i++) {
    uint32_t word = *partner(pixel, i), at = partnerIndex(word);
    if (!hasPartner(word)) continue;
    count++;
    Reservoir r = pointer<const Reservoir>(frame.reservoirs)[at];
    if (!counts && r.W > 0.0f) return shiftColor(candidate(here, pointer<const GBuffer>(frame.gbuffer)[at], r, 255.0f));
  }
  if (counts) return viridis((float)count / MAX_SHOWN_NEIGHBOURS);
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

// sampleColor shows a field of the sample that is shaded; null samples have a confidence alone.
DEVICE uint32_t sampleColor(const Reservoir& r) {
  if (frame.reuseView == REUSE_VIEW_CONFIDENCE) return viridis(logScale((float)confidence(r), MAX_SHOWN_COUNT));
  if (!(r.W > 0.0f)) return SHIFT_EMPTY;
  switch (frame.reuseView) {
    case REUSE_VIEW_POSITION:
      return packRgb(wave(r.x2 * (2.0f / frame.sceneRadius)));
    case REUSE_VIEW_NORMAL:
      return packRgb(unpackNormal(r.n2) * 0.5f + vec3(0.5f));
    case REUSE_VIEW_RADIANCE:
      return packRgb(tonemap(unpackRadiance(r) * frame.exposure, frame.toneMap));
    case REUSE_VIEW_COAT:
      return packRgb(make_float3(unpack8(r.meta, 2), unpack8(r.meta, 3), 0.0f));
    case REUSE_VIEW_WEIGHT:
      return viridis((log2f(r.W) / log2f(10.0f) + 2.0f) * 0.2f);
    default:
      return viridis(logScale((float)age(r), MAX_SHOWN_COUNT));
  }
}

DEVICE uint32_t reuseColor(uint32_t x, uint32_t y) {
  uint32_t pixel = y * frame.width + x;
  Domain here = unpackDomain(pointer<const GBuffer>(frame.gbuffer)[pixel]);
  if (!(here.flags & GBUFFER_REUSABLE)) return VERDICT_UNSHARED;
  Reservoir r = pointer<const Reservoir>(frame.history)[pixel];
  switch (frame.reuseView) {
    case REUSE_VIEW_VERDICT:
    case REUSE_VIEW_TEMPORAL_JACOBIAN:
      return historyColor(here, x, y);
    case REUSE_VIEW_NEIGHBOURS:
    case REUSE_VIEW_SPATIAL_JACOBIAN:
      return neighbourColor(here, pixel);
    case REUSE_VIEW_DUPLICATES:
      return duplicateColor(r, (int32_t)x, (int32_t)y);
    default:
      return sampleColor(r);
  }
}

KERNEL(show_reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t c = reuseColor(x, y);
  uint32_t rgba = c >> 16 | (c & 0xff00u) | (c & 255u) << 16 | 0xff000000u;
  pointer<uint32_t>(frame.view)[y * frame.width + x] = rgba;
}
