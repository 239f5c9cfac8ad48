// ReSTIR GI, spatial pass: samples of neighbouring pixels join, by pairwise weights with a defensive share for the pixel
// itself (Bitterli 2022, Lin et al. 2022 §7; pass P5 of docs/restir-gi.md).
#pragma once

#include "restir_temporal.cuh"

// At most so many neighbours a pixel.
DEVICE_TABLE uint32_t MAX_NEIGHBOURS = 8;

// Neighbours are the candidates that passed validation.
struct Neighbours {
  uint32_t at[MAX_NEIGHBOURS];
  uint32_t n;
  float C;   // sum of confidences
};

// gatherNeighbours draws places in a disc, spread by the R2 sequence (Roberts 2018) from a random start.
DEVICE Neighbours gatherNeighbours(const Domain& here, uint32_t x, uint32_t y, Stream& stream) {
  Neighbours found;
  found.n = 0;
  found.C = 0.0f;
  float u = uniform(stream), v = uniform(stream);
  uint32_t wanted = minu(frame.neighbours, MAX_NEIGHBOURS);
  for (uint32_t i = 0; i < wanted; i++) {
    u += 0.7548776662f;
    v += 0.5698402910f;
    u -= floorf(u);
    v -= floorf(v);
    float s, c, radius = sqrtf(u) * frame.radius;
    sinCosTurn(v, &s, &c);
    float fx = floorf((float)x + 0.5f + radius * c), fy = floorf((float)y + 0.5f + radius * s);
    if (!(fx >= 0.0f && fy >= 0.0f && fx < (float)frame.width && fy < (float)frame.height)) continue;
    uint32_t nx = (uint32_t)fx, ny = (uint32_t)fy, at = ny * frame.width + nx;
    if (nx == x && ny == y) continue;
    Domain d = unpackDomain(pointer<const GBuffer>(frame.gbuffer)[at]);
    if (!similar(here, d, here.depth)) continue;
    found.at[found.n++] = at;
    found.C += (float)confidence(pointer<const Reservoir>(frame.reservoirs)[at]);
  }
  return found;
}

// pairShare is one neighbour's part of the pairwise weight of a sample: p of the pixel, `other` of the neighbour.
DEVICE float pairShare(float mine, float others) { return mine > 0.0f ? mine / (mine + others) : 0.0f; }

// joinNeighbours resamples between a pixel's own sample and its neighbours'.
DEVICE Reservoir joinNeighbours(const Domain& here, const Reservoir& own, const Neighbours& near, Stream& stream) {
  float cr = (float)confidence(own), total = near.C + cr;
  bool naive = frame.misMode == MIS_NAIVE;
  Resampling s = {nullReservoir(0), 0.0f, 0.0f};
  float pOwn = own.W > 0.0f ? targetOf(here, own) : 0.0f;
  float mOwn = cr / total;
  for (uint32_t i = 0; i < near.n; i++) {
    uint32_t at = near.at[i];
    Candidate q = candidate(here, pointer<const GBuffer>(frame.gbuffer)[at],
                            pointer<const Reservoir>(frame.reservoirs)[at], 255.0f);
    if (pOwn > 0.0f && !naive)
      mOwn += q.c / total * pairShare(cr * pOwn, near.C * targetFrom(q.d, here, own, bits(stream)));
    if (!(q.r.W > 0.0f) || q.J == 0.0f) continue;
    Reservoir r = shifted(q, here);
    float p = targetOf(here, r);
    if (!(p > 0.0f) || (frame.misMode == MIS_FULL && !sees(here, r, unpackNormal(r.n2), bits(stream)))) continue;
    float m = q.c / total * (naive ? 1.0f : pairShare(near.C * targetOf(q.d, q.r) / q.J, cr * p));
    offer(&s, r, m * p * q.r.W * q.J, p, uniform(stream));
  }
  if (pOwn > 0.0f) offer(&s, own, mOwn * pOwn * own.W, pOwn, uniform(stream));
  return finish(s, total, age(s.r));
}

KERNEL(spatial_reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  Domain here = unpackDomain(pointer<const GBuffer>(frame.gbuffer)[pixel]);
  Reservoir r = pointer<const Reservoir>(frame.reservoirs)[pixel];
  if ((frame.restir & RESTIR_SPATIAL) && (here.flags & GBUFFER_REUSABLE)) {
    Stream stream = beginStream(pixel, 2);
    Neighbours near = gatherNeighbours(here, x, y, stream);
    if (near.n > 0) r = joinNeighbours(here, r, near, stream);
  }
  pointer<Reservoir>(frame.history)[pixel] = r;
}
