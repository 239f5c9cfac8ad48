// ReSTIR GI, temporal pass: the previous frame's sample of the same place joins this frame's, by the generalized balance
// heuristic over the two (Lin et al. 2022, equation 36; pass P3 of docs/restir-gi.md).
#pragma once

#include "restir/resampling.cuh"

// History older than this many frames is dropped in interactive mode, where lights and things may change.
DEVICE_TABLE uint32_t MAX_AGE = 30;

// permuted swaps pixels inside 4×4 blocks that move from frame to frame: neighbours then hold different samples, which
// denoisers count on (permutation sampling, RTXDI).
DEVICE float permuted(float x, uint32_t shift) { return (float)(int32_t)((((uint32_t)x + shift) ^ 3u) - shift); }

// unfolded is where a camera sees x1: behind a mirror as far as the path is long, else at x1 itself.
DEVICE float3 unfolded(const Domain& here, uint32_t x, uint32_t y) {
  if (here.flags & GBUFFER_DIRECT) return here.position;
  Path p = beginPath(x, y);
  return p.origin + p.direction * here.depth;
}

// judgeHistory tells whether a pixel of the frame before shows the same surface as here.
DEVICE Verdict judgeHistory(const Domain& here, float expectedDepth, uint32_t at) {
  Domain d = unpackDomain(fetch<GBuffer>(frame.restir.previousGBuffer, at));
  Verdict verdict = judge(here, d, expectedDepth);
  if (verdict != VERDICT_TAKEN) return verdict;
  // Mirrors show many places at one depth.
  float3 apart = d.position - here.position;
  if (!(here.flags & GBUFFER_DIRECT) && dot(apart, apart) > sqr(frame.restir.maxDepthChange * expectedDepth))
    return VERDICT_DEPTH;
  bool young = !(frame.restir.flags & RESTIR_INTERACTIVE) || age(fetch<Reservoir>(frame.restir.history, at)) <= MAX_AGE;
  return young ? VERDICT_TAKEN : VERDICT_AGE;
}

// findHistory looks for this surface in the frame before: at the reprojected place, rounded at random since rounding
// always the same way would drift, then at up to four places near by. PARTNER_INDEX when it is nowhere.
// `why`, for who asks, is the verdict on the first place.
DEVICE uint32_t findHistory(const Domain& here, uint32_t x, uint32_t y, Stream& stream, Verdict* why = nullptr) {
  float px, py;
  float3 place = unfolded(here, x, y);
  if (why) *why = VERDICT_OUTSIDE;
  if (!placeInImage(frame.previous, place, &px, &py)) return PARTNER_INDEX;
  float expected = length(place - frame.previous.eye);
  uint32_t shift = hash(frame.sampling.seed, frame.restir.frameIndex);
  for (uint32_t attempt = 0; attempt < 5; attempt++) {
    float spread = attempt == 0 ? 1.0f : 4.0f;
    float fx = floorf(px + (uniform(stream) - 0.5f) * spread), fy = floorf(py + (uniform(stream) - 0.5f) * spread);
    if (!(fx >= 0.0f && fy >= 0.0f && fx < (float)frame.film.width && fy < (float)frame.film.height)) continue;
    if (attempt == 0 && (frame.restir.flags & RESTIR_PERMUTE)) {
      fx = clampf(permuted(fx, shift & 3u), 0.0f, (float)(frame.film.width - 1));
      fy = clampf(permuted(fy, shift >> 2 & 3u), 0.0f, (float)(frame.film.height - 1));
    }
    uint32_t at = (uint32_t)fy * frame.film.width + (uint32_t)fx;
    Verdict verdict = judgeHistory(here, expected, at);
    if (why && attempt == 0) *why = verdict;
    if (verdict != VERDICT_TAKEN) continue;
    if (why && attempt > 0) *why = VERDICT_NEAR;
    return partnerWord(at);
  }
  return PARTNER_INDEX;
}

// historyOf is the word of a pixel's partner in the frame before.
DEVICE uint32_t historyOf(const Domain& here, uint32_t x, uint32_t y) {
  if (!(here.flags & GBUFFER_REUSABLE)) return PARTNER_INDEX;
  Stream stream = beginStream(y * frame.film.width + x, STREAM_TEMPORAL_FIND);
  return findHistory(here, x, y, stream);
}

KERNEL(temporal_find, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  *partner(pixel, 0) = historyOf(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)), x, y);
}

// joinHistory resamples between this frame's sample and the candidate's; word says who sees what.
DEVICE Reservoir joinHistory(const Domain& here, const Reservoir& fresh, const Candidate& q, uint32_t word,
                             Stream& stream) {
  float c0 = 1.0f, c1 = q.c;
  bool naive = frame.restir.misMode == MIS_NAIVE;
  Resampling s = {nullReservoir(0), 0.0f, 0.0f};
  uint32_t a = 0;
  if (fresh.W > 0.0f) {
    float p = targetOf(here, fresh);
    float other = naive ? p : targetFrom(q.d, here, fresh, word & PARTNER_SEES_OURS);
    offer(&s, fresh, c0 * p / (c0 * p + c1 * other) * p * fresh.W, p, uniform(stream));
  }
  if (q.r.W > 0.0f && q.J > 0.0f && (word & PARTNER_IS_SEEN)) {
    Reservoir r = shifted(q, here);
    float p = targetOf(here, r);
    float other = naive ? p : targetOf(q.d, q.r) / q.J;
    float before = s.wSum;
    if (p > 0.0f) offer(&s, r, c1 * other / (c0 * p + c1 * other) * p * q.r.W * q.J, p, uniform(stream));
    if (s.wSum > before && s.r.x2.x == r.x2.x && s.r.x2.y == r.x2.y && s.r.x2.z == r.x2.z) a = age(q.r) + 1;
  }
  return finish(s, minf(c0 + c1, (float)frame.restir.confidenceCap + 1.0f), a);
}

// reuseHistory lets a pixel's sample compete with that of its partner.
DEVICE void reuseHistory(const Domain& here, uint32_t pixel, uint32_t word) {
  uint32_t at = partnerIndex(word);
  Stream stream = beginStream(pixel, STREAM_TEMPORAL_JOIN);
  Candidate q = candidate(here, fetch<GBuffer>(frame.restir.previousGBuffer, at),
                          fetch<Reservoir>(frame.restir.history, at), (float)frame.restir.confidenceCap);
  Reservoir* r = pointer<Reservoir>(frame.restir.reservoirs) + pixel;
  *r = joinHistory(here, *r, q, word, stream);
}

KERNEL(temporal_reuse, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x, word = *partner(pixel, 0);
  if (hasPartner(word)) reuseHistory(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)), pixel, word);
}

// Both steps at once, where no rays come between.
KERNEL(temporal_fused, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Domain here = unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel));
  uint32_t word = historyOf(here, x, y);
  if (hasPartner(word)) reuseHistory(here, pixel, word);
}
