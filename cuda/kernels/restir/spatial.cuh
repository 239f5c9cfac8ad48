// ReSTIR, spatial pass: samples of neighbouring pixels are resampled, by pairwise MIS weights with a defensive share
// for the pixel itself (Bitterli 2022, Lin et al. 2022 §7; pass P5 of docs/restir.md).
#pragma once

#include "restir/resampling.cuh"

// A pixel and its neighbour of a round are each other's: then a visibility ray of one serves both.

// isYoung tells whether history is short: on a surface that has just come into view. Such pixels take more neighbours.
DEVICE bool isYoung(const Reservoir& r) {
  return (frame.restir.flags & RESTIR_TEMPORAL) && 2 * confidence(r) < frame.restir.confidenceCap;
}

// partnerAlong is where a coordinate lies after its block is reflected at a random place: a map that is its own inverse.
// Blocks of `side` pixels begin at a random shift.
DEVICE uint32_t partnerAlong(uint32_t x, uint32_t shift, uint32_t mirror, uint32_t side) {
  uint32_t at = x + shift, within = at % side;
  return at - within + (mirror + side - within) % side - shift;
}

// neighborOf is the neighbour of a pixel in a round; false beyond the edge of the image, and of a pixel that is its own.
DEVICE bool neighborOf(uint32_t x, uint32_t y, uint32_t round, uint32_t* at) {
  uint32_t side = frame.restir.blockSide;
  uint32_t key = hash(hash(frame.sampling.seed, frame.restir.frameIndex), STREAM_SPATIAL_FIND + (round << 8));
  uint32_t shiftX = hash(key, 0) % side, shiftY = hash(key, 1) % side;
  uint32_t mirror = hash(key, hash((x + shiftX) / side, (y + shiftY) / side));
  uint32_t nx = partnerAlong(x, shiftX, (mirror & 0xffffu) % side, side);
  uint32_t ny = partnerAlong(y, shiftY, (mirror >> 16) % side, side);
  *at = ny * frame.film.width + nx;
  return nx < frame.film.width && ny < frame.film.height && (nx != x || ny != y);
}

// areNeighbors tells whether two pixels of a round share samples. The answer is the same both ways.
DEVICE bool areNeighbors(const Domain& a, const Domain& b) {
  float3 offset = b.position - a.position;
  float apart = maxf(absf(dot(a.ng, offset)), absf(dot(b.ng, offset)));
  return compareDomains(a, b, apart, minf(a.depth, b.depth)) == VERDICT_ACCEPTED;
}

// findNeighbors writes the references to a pixel's neighbours. Beyond the usual number only young pixels have some, and only
// among themselves.
DEVICE void findNeighbors(const Domain& here, const Reservoir& own, uint32_t x, uint32_t y) {
  uint32_t pixel = y * frame.film.width + x;
  bool shares = (here.flags & GBUFFER_REUSABLE) != 0, young = isYoung(own);
  for (uint32_t i = 0; i < frame.restir.neighborPlanes; i++) {
    bool extra = i >= frame.restir.neighbors;
    uint32_t at, ref = NEIGHBOR_INDEX;
    if (shares && (young || !extra) && neighborOf(x, y, i, &at) &&
        (!extra || isYoung(fetch<Reservoir>(frame.restir.reservoirs, at))) &&
        areNeighbors(here, unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, at))))
      ref = makeNeighborRef(at);
    *neighborRef(pixel, i) = ref;
  }
}

KERNEL(spatial_find, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  findNeighbors(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)),
                fetch<Reservoir>(frame.restir.reservoirs, pixel), x, y);
}

// pairwiseShare is one neighbour's part of the pairwise weight of a sample.
DEVICE float pairwiseShare(float mine, float others) { return mine > LEAST_DIVISOR ? mine / (mine + others) : 0.0f; }

// neighborConfidence is C, the sum over all neighbours.
DEVICE float neighborConfidence(uint32_t pixel) {
  float C = 0.0f;
  for (uint32_t i = 0; i < frame.restir.neighborPlanes; i++) {
    uint32_t ref = *neighborRef(pixel, i);
    if (hasNeighbor(ref)) C += (float)confidence(pointer<const Reservoir>(frame.restir.reservoirs)[neighborIndex(ref)]);
  }
  return C;
}

// neighborSees tells whether a neighbour of a round sees this pixel's sample: this pixel is its neighbour, so it has asked.
DEVICE bool neighborSees(uint32_t ref, uint32_t round) {
  return (ref & NEIGHBOR_VIS_OUT) || (*neighborRef(neighborIndex(ref), round) & NEIGHBOR_VIS_IN);
}

// resampleNeighbors resamples between a pixel's own sample and its neighbours'. each(r, w, pixel) gets all of them with whose they were, w = m W J: the
// sum of f |cos θ| L2 w is the light that is shared, as is that of the sample that is kept, with more noise.
template <typename Each>
DEVICE Reservoir resampleNeighbors(const Domain& here, const Reservoir& own, uint32_t pixel, Stream& stream,
                                   Each& each) {
  float C = neighborConfidence(pixel), cr = (float)confidence(own), total = C + cr;
  bool naive = frame.restir.misMode == MIS_NAIVE;
  Resampling s = {nullReservoir(0), 0.0f, 0.0f};
  float pOwn = own.W > 0.0f ? targetOf(here, own) : 0.0f;
  float mOwn = cr / total;
  for (uint32_t i = 0; i < frame.restir.neighborPlanes; i++) {
    uint32_t ref = *neighborRef(pixel, i), at = neighborIndex(ref);
    if (!hasNeighbor(ref)) continue;
    Candidate q = candidate(here, fetch<GBuffer>(frame.restir.gbuffer, at),
                            fetch<Reservoir>(frame.restir.reservoirs, at), 255.0f);
    if (pOwn > 0.0f && !naive)
      mOwn += q.c / total * pairwiseShare(cr * pOwn, C * targetFrom(q.d, here, own, neighborSees(ref, i)));
    if (!(q.r.W > 0.0f) || q.J == 0.0f || !(ref & NEIGHBOR_VIS_IN)) continue;
    Reservoir r = shifted(q, here);
    float p = targetOf(here, r);
    if (!(p > 0.0f)) continue;
    float m = q.c / total * (naive ? 1.0f : pairwiseShare(C * targetOf(q.d, q.r) / q.J, cr * p));
    each(r, m * q.r.W * q.J, at);
    addSample(&s, r, m * p * q.r.W * q.J, p, uniform(stream));
  }
  if (pOwn > 0.0f) {
    each(own, mOwn * own.W, pixel);
    addSample(&s, own, mOwn * pOwn * own.W, pOwn, uniform(stream));
  }
  return finalize(s, total, age(s.r));
}

// reuseNeighbors keeps one of the samples of a pixel and its neighbours.
template <typename Each>
DEVICE void reuseNeighbors(const Domain& here, Reservoir r, uint32_t pixel, Each each) {
  if ((frame.restir.flags & RESTIR_SPATIAL) && (here.flags & GBUFFER_REUSABLE)) {
    Stream stream = beginStream(pixel, STREAM_SPATIAL_RESAMPLE);
    r = resampleNeighbors(here, r, pixel, stream, each);
  } else if (r.W > 0.0f) {
    each(r, r.W, pixel);
  }
  pointer<Reservoir>(frame.restir.history)[pixel] = r;
}

// OneSample leaves all but the sample that is kept alone.
struct OneSample {
  DEVICE_METHOD void operator()(const Reservoir&, float, uint32_t) const {}
};

KERNEL(spatial_reuse, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  reuseNeighbors(unpackDomain(fetch<GBuffer>(frame.restir.gbuffer, pixel)),
                 fetch<Reservoir>(frame.restir.reservoirs, pixel), pixel, OneSample());
}
