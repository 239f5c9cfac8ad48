// ReSTIR, temporal pass: the sample of the same place in the previous frame is resampled with this frame's, by the
// generalized balance heuristic over the two (Lin et al. 2022, equation 36; pass P3 of docs/restir.md).
#pragma once

#include "restir/resampling.cuh"

// History older than this many frames is dropped in interactive mode, where lights and things may change.
DEVICE_TABLE uint32_t MAX_AGE = 30;

// virtualPosition is x1 as a camera sees it: behind a mirror at the length of the path, otherwise x1 itself.
DEVICE float3 virtualPosition(const Domain& here, uint32_t x, uint32_t y) {
  if (here.flags & GBUFFER_NO_MIRROR) return here.position;
  Path p = beginPath(x, y);
  return p.origin + p.direction * here.depth;
}

// compareHistory tells whether a pixel of the previous frame shows the same surface as here.
DEVICE Verdict compareHistory(const Domain& here, float expectedDepth, uint32_t at) {
  Domain d = unpackDomain(fetch<GBuffer>(frame.restir.previousGBuffer, at));
  Verdict verdict = compareDomains(here, d, absf(d.depth - expectedDepth), expectedDepth);
  if (verdict != VERDICT_ACCEPTED) return verdict;
  // Mirrors show many places at one depth.
  float3 offset = d.position - here.position;
  if (!(here.flags & GBUFFER_NO_MIRROR) && dot(offset, offset) > sqr(frame.restir.maxDepthChange * expectedDepth))
    return VERDICT_DEPTH;
  bool young = !(frame.restir.flags & RESTIR_INTERACTIVE) || age(fetch<Reservoir>(frame.restir.history, at)) <= MAX_AGE;
  return young ? VERDICT_ACCEPTED : VERDICT_AGE;
}

// findHistory looks for this surface in the previous frame: at the reprojected position, rounded at random since always
// rounding the same way would drift, then at up to four positions nearby. NEIGHBOR_INDEX when it is nowhere. `why`, if
// given, is set to the verdict on the first position.
DEVICE uint32_t findHistory(const Domain& here, uint32_t x, uint32_t y, Stream& stream, Verdict* why = nullptr) {
  float px, py;
  float3 place = virtualPosition(here, x, y);
  if (why) *why = VERDICT_OUTSIDE;
  if (!project(frame.previous, place, &px, &py)) return NEIGHBOR_INDEX;
  float expected = distanceFrom(frame.previous, place);
  for (uint32_t attempt = 0; attempt < 5; attempt++) {
    float spread = attempt == 0 ? 1.0f : 4.0f;
    float fx = floorf(px + (uniform(stream) - 0.5f) * spread), fy = floorf(py + (uniform(stream) - 0.5f) * spread);
    if (!(fx >= 0.0f && fy >= 0.0f && fx < (float)frame.film.width && fy < (float)frame.film.height)) continue;
    uint32_t at = (uint32_t)fy * frame.film.width + (uint32_t)fx;
    Verdict verdict = compareHistory(here, expected, at);
    if (why && attempt == 0) *why = verdict;
    if (verdict != VERDICT_ACCEPTED) continue;
    if (why && attempt > 0) *why = VERDICT_NEAR;
    return makeNeighborRef(at);
  }
  return NEIGHBOR_INDEX;
}

// historyOf is the reference to a pixel's history in the previous frame.
DEVICE uint32_t historyOf(const Domain& here, uint32_t x, uint32_t y) {
  if (!(here.flags & GBUFFER_REUSABLE)) return NEIGHBOR_INDEX;
  Stream stream = beginStream(y * frame.film.width + x, STREAM_TEMPORAL_FIND);
  return findHistory(here, x, y, stream);
}

KERNEL(temporal_find, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  *neighborRef(pixel, 0) = historyOf(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)), x, y);
}

// resampleHistory resamples between this frame's sample and the candidate's; ref says who sees which sample.
DEVICE Reservoir resampleHistory(const Domain& here, const Reservoir& fresh, const Candidate& q, uint32_t ref,
                                 Stream& stream) {
  float c0 = 1.0f, c1 = q.c;
  bool naive = frame.restir.misMode == MIS_NAIVE;
  Resampling s = {nullReservoir(0), 0.0f, 0.0f};
  uint32_t a = 0;
  if (fresh.W > 0.0f) {
    float p = targetOf(here, fresh);
    float other = naive ? p : targetFrom(q.d, here, fresh, ref & NEIGHBOR_VIS_OUT);
    addSample(&s, fresh, c0 * p / (c0 * p + c1 * other) * p * fresh.W, p, uniform(stream));
  }
  if (q.r.W > 0.0f && q.J > 0.0f && (ref & NEIGHBOR_VIS_IN)) {
    Reservoir r = shifted(q, here);
    float p = targetOf(here, r);
    float other = naive ? p : targetOf(q.d, q.r) / q.J;
    float before = s.wSum;
    if (p > 0.0f) addSample(&s, r, c1 * other / (c0 * p + c1 * other) * p * q.r.W * q.J, p, uniform(stream));
    if (s.wSum > before && same(s.r.x2, r.x2)) a = age(q.r) + 1;
  }
  return finalize(s, minf(c0 + c1, (float)frame.restir.confidenceCap + 1.0f), a);
}

// reuseHistory resamples a pixel's sample with its history.
DEVICE void reuseHistory(const Domain& here, uint32_t pixel, uint32_t ref) {
  uint32_t at = neighborIndex(ref);
  Stream stream = beginStream(pixel, STREAM_TEMPORAL_RESAMPLE);
  Candidate q = candidate(here, fetch<GBuffer>(frame.restir.previousGBuffer, at),
                          fetch<Reservoir>(frame.restir.history, at), (float)frame.restir.confidenceCap);
  Reservoir* r = pointer<Reservoir>(frame.restir.reservoirs) + pixel;
  *r = resampleHistory(here, *r, q, ref, stream);
}

KERNEL(temporal_reuse, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x, ref = *neighborRef(pixel, 0);
  if (hasNeighbor(ref)) reuseHistory(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)), pixel, ref);
}
