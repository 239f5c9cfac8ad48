// ReSTIR GI, spatial pass: samples of neighbouring pixels are resampled, by pairwise MIS weights with a defensive share
// for the pixel itself (Bitterli 2022, Lin et al. 2022 §7; pass P5 of docs/restir-gi.md).
#pragma once

#include "restir/resampling.cuh"

// neighbourCount is larger where history is short: on a surface that has just come into view.
DEVICE uint32_t neighbourCount(const Reservoir& own) {
  bool young = (frame.restir.flags & RESTIR_TEMPORAL) && 2 * confidence(own) < frame.restir.confidenceCap;
  return young ? frame.restir.neighbourPlanes : frame.restir.neighbours;
}

// findNeighbour tries the pixel at polar coordinates (u, v) of the disc; NEIGHBOUR_INDEX when it is not similar.
DEVICE uint32_t findNeighbour(const Domain& here, uint32_t x, uint32_t y, float u, float v) {
  float s, c, radius = sqrtf(u) * frame.restir.radius;
  sinCosTurn(v, &s, &c);
  float fx = floorf((float)x + 0.5f + radius * c), fy = floorf((float)y + 0.5f + radius * s);
  if (!(fx >= 0.0f && fy >= 0.0f && fx < (float)frame.film.width && fy < (float)frame.film.height))
    return NEIGHBOUR_INDEX;
  uint32_t nx = (uint32_t)fx, ny = (uint32_t)fy, at = ny * frame.film.width + nx;
  if (nx == x && ny == y) return NEIGHBOUR_INDEX;
  Domain d = unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, at));
  return similar(here, d, here.depth) ? makeNeighbourRef(at) : NEIGHBOUR_INDEX;
}

// findNeighbours writes the references to a pixel's neighbours. Positions are spread by the R2 sequence (Roberts 2018)
// from a random start.
DEVICE void findNeighbours(const Domain& here, const Reservoir& own, uint32_t x, uint32_t y) {
  uint32_t pixel = y * frame.film.width + x, wanted = here.flags & GBUFFER_REUSABLE ? neighbourCount(own) : 0u;
  Stream stream = beginStream(pixel, STREAM_SPATIAL_FIND);
  float u = uniform(stream), v = uniform(stream);
  for (uint32_t i = 0; i < frame.restir.neighbourPlanes; i++) {
    u += 0.7548776662f;
    v += 0.5698402910f;
    u -= floorf(u);
    v -= floorf(v);
    *neighbourRef(pixel, i) = i < wanted ? findNeighbour(here, x, y, u, v) : NEIGHBOUR_INDEX;
  }
}

KERNEL(spatial_find, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  findNeighbours(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)),
                 fetch<Reservoir>(frame.restir.reservoirs, pixel), x, y);
}

// pairwiseShare is one neighbour's part of the pairwise weight of a sample.
DEVICE float pairwiseShare(float mine, float others) { return mine > 0.0f ? mine / (mine + others) : 0.0f; }

// neighbourConfidence is C, the sum over all neighbours.
DEVICE float neighbourConfidence(uint32_t pixel) {
  float C = 0.0f;
  for (uint32_t i = 0; i < frame.restir.neighbourPlanes; i++) {
    uint32_t ref = *neighbourRef(pixel, i);
    if (hasNeighbour(ref))
      C += (float)confidence(pointer<const Reservoir>(frame.restir.reservoirs)[neighbourIndex(ref)]);
  }
  return C;
}

// resampleNeighbours resamples between a pixel's own sample and its neighbours'.
DEVICE Reservoir resampleNeighbours(const Domain& here, const Reservoir& own, uint32_t pixel, Stream& stream) {
  float C = neighbourConfidence(pixel), cr = (float)confidence(own), total = C + cr;
  bool naive = frame.restir.misMode == MIS_NAIVE;
  Resampling s = {nullReservoir(0), 0.0f, 0.0f};
  float pOwn = own.W > 0.0f ? targetOf(here, own) : 0.0f;
  float mOwn = cr / total;
  for (uint32_t i = 0; i < frame.restir.neighbourPlanes; i++) {
    uint32_t ref = *neighbourRef(pixel, i), at = neighbourIndex(ref);
    if (!hasNeighbour(ref)) continue;
    Candidate q = candidate(here, fetch<GBuffer>(frame.restir.gbuffer, at),
                            fetch<Reservoir>(frame.restir.reservoirs, at), 255.0f);
    if (pOwn > 0.0f && !naive)
      mOwn += q.c / total * pairwiseShare(cr * pOwn, C * targetFrom(q.d, here, own, ref & NEIGHBOUR_VIS_OUT));
    if (!(q.r.W > 0.0f) || q.J == 0.0f || !(ref & NEIGHBOUR_VIS_IN)) continue;
    Reservoir r = shifted(q, here);
    float p = targetOf(here, r);
    if (!(p > 0.0f)) continue;
    float m = q.c / total * (naive ? 1.0f : pairwiseShare(C * targetOf(q.d, q.r) / q.J, cr * p));
    addSample(&s, r, m * p * q.r.W * q.J, p, uniform(stream));
  }
  if (pOwn > 0.0f) addSample(&s, own, mOwn * pOwn * own.W, pOwn, uniform(stream));
  return finalize(s, total, age(s.r));
}

// reuseNeighbours keeps one of the samples of a pixel and its neighbours.
DEVICE void reuseNeighbours(const Domain& here, Reservoir r, uint32_t pixel) {
  if ((frame.restir.flags & RESTIR_SPATIAL) && (here.flags & GBUFFER_REUSABLE)) {
    Stream stream = beginStream(pixel, STREAM_SPATIAL_RESAMPLE);
    r = resampleNeighbours(here, r, pixel, stream);
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

// Both steps at once, where no visibility rays are traced between them.
KERNEL(spatial_fused, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Domain here = unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel));
  Reservoir own = fetch<Reservoir>(frame.restir.reservoirs, pixel);
  findNeighbours(here, own, x, y);
  reuseNeighbours(here, own, pixel);
}
