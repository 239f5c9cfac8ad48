// ReSTIR GI, spatial pass: samples of neighbouring pixels join, by pairwise weights with a defensive share for the pixel
// itself (Bitterli 2022, Lin et al. 2022 §7; pass P5 of docs/restir-gi.md).
#pragma once

#include "restir/resampling.cuh"

// neighboursWanted is more where history is young: a surface that has just come into view.
DEVICE uint32_t neighboursWanted(const Reservoir& own) {
  bool young = (frame.restir.flags & RESTIR_TEMPORAL) && 2 * confidence(own) < frame.restir.confidenceCap;
  return young ? frame.restir.partnerPlanes : frame.restir.neighbours;
}

// findNeighbour tries the place at polar coordinates (u, v) of the disc; PARTNER_INDEX when nothing there is alike.
DEVICE uint32_t findNeighbour(const Domain& here, uint32_t x, uint32_t y, float u, float v) {
  float s, c, radius = sqrtf(u) * frame.restir.radius;
  sinCosTurn(v, &s, &c);
  float fx = floorf((float)x + 0.5f + radius * c), fy = floorf((float)y + 0.5f + radius * s);
  if (!(fx >= 0.0f && fy >= 0.0f && fx < (float)frame.film.width && fy < (float)frame.film.height))
    return PARTNER_INDEX;
  uint32_t nx = (uint32_t)fx, ny = (uint32_t)fy, at = ny * frame.film.width + nx;
  if (nx == x && ny == y) return PARTNER_INDEX;
  Domain d = unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, at));
  return similar(here, d, here.depth) ? partnerWord(at) : PARTNER_INDEX;
}

// findNeighbours writes the words of a pixel's partners. Places are spread by the R2 sequence (Roberts 2018) from a random
// start.
DEVICE void findNeighbours(const Domain& here, const Reservoir& own, uint32_t x, uint32_t y) {
  uint32_t pixel = y * frame.film.width + x, wanted = here.flags & GBUFFER_REUSABLE ? neighboursWanted(own) : 0u;
  Stream stream = beginStream(pixel, STREAM_SPATIAL_FIND);
  float u = uniform(stream), v = uniform(stream);
  for (uint32_t i = 0; i < frame.restir.partnerPlanes; i++) {
    u += 0.7548776662f;
    v += 0.5698402910f;
    u -= floorf(u);
    v -= floorf(v);
    *partner(pixel, i) = i < wanted ? findNeighbour(here, x, y, u, v) : PARTNER_INDEX;
  }
}

KERNEL(spatial_find, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  findNeighbours(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)),
                 fetch<Reservoir>(frame.restir.reservoirs, pixel), x, y);
}

// pairShare is one neighbour's part of the pairwise weight of a sample: p of the pixel, `other` of the neighbour.
DEVICE float pairShare(float mine, float others) { return mine > 0.0f ? mine / (mine + others) : 0.0f; }

// neighboursConfidence is C, the sum over all partners.
DEVICE float neighboursConfidence(uint32_t pixel) {
  float C = 0.0f;
  for (uint32_t i = 0; i < frame.restir.partnerPlanes; i++) {
    uint32_t word = *partner(pixel, i);
    if (hasPartner(word)) C += (float)confidence(pointer<const Reservoir>(frame.restir.reservoirs)[partnerIndex(word)]);
  }
  return C;
}

// joinNeighbours resamples between a pixel's own sample and its partners'.
DEVICE Reservoir joinNeighbours(const Domain& here, const Reservoir& own, uint32_t pixel, Stream& stream) {
  float C = neighboursConfidence(pixel), cr = (float)confidence(own), total = C + cr;
  bool naive = frame.restir.misMode == MIS_NAIVE;
  Resampling s = {nullReservoir(0), 0.0f, 0.0f};
  float pOwn = own.W > 0.0f ? targetOf(here, own) : 0.0f;
  float mOwn = cr / total;
  for (uint32_t i = 0; i < frame.restir.partnerPlanes; i++) {
    uint32_t word = *partner(pixel, i), at = partnerIndex(word);
    if (!hasPartner(word)) continue;
    Candidate q = candidate(here, fetch<GBuffer>(frame.restir.gbuffer, at),
                            fetch<Reservoir>(frame.restir.reservoirs, at), 255.0f);
    if (pOwn > 0.0f && !naive)
      mOwn += q.c / total * pairShare(cr * pOwn, C * targetFrom(q.d, here, own, word & PARTNER_SEES_OURS));
    if (!(q.r.W > 0.0f) || q.J == 0.0f || !(word & PARTNER_IS_SEEN)) continue;
    Reservoir r = shifted(q, here);
    float p = targetOf(here, r);
    if (!(p > 0.0f)) continue;
    float m = q.c / total * (naive ? 1.0f : pairShare(C * targetOf(q.d, q.r) / q.J, cr * p));
    offer(&s, r, m * p * q.r.W * q.J, p, uniform(stream));
  }
  if (pOwn > 0.0f) offer(&s, own, mOwn * pOwn * own.W, pOwn, uniform(stream));
  return finish(s, total, age(s.r));
}

// reuseNeighbours keeps one of the samples of a pixel and its partners.
DEVICE void reuseNeighbours(const Domain& here, Reservoir r, uint32_t pixel) {
  if ((frame.restir.flags & RESTIR_SPATIAL) && (here.flags & GBUFFER_REUSABLE)) {
    Stream stream = beginStream(pixel, STREAM_SPATIAL_JOIN);
    r = joinNeighbours(here, r, pixel, stream);
  }
  pointer<Reservoir>(frame.restir.history)[pixel] = r;
}

KERNEL(spatial_reuse, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  reuseNeighbours(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)),
                  fetch<Reservoir>(frame.restir.reservoirs, pixel), pixel);
}

// Both steps at once, where no rays come between.
KERNEL(spatial_fused, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Domain here = unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel));
  Reservoir own = fetch<Reservoir>(frame.restir.reservoirs, pixel);
  findNeighbours(here, own, x, y);
  reuseNeighbours(here, own, pixel);
}
