// The weights that the resampling passes give one sample, read off what they make of pixels of which one holds it.
#pragma once

#include "restir/direct.cuh"
#include "restir/spatial.cuh"
#include "restir/temporal.cuh"

const uint32_t PROBE_DOMAINS = 4;

// Bench is a row of pixels in a frame of its own. Each is a matte floor that faces +z, and their reservoirs are null but
// for a confidence.
struct Bench {
  Frame own;
  const Frame* before;
  GBuffer gbuffer[PROBE_DOMAINS];
  Reservoir reservoirs[PROBE_DOMAINS];
  uint32_t neighbors[PROBE_DOMAINS - 1];

  // in: five numbers a domain: position, brightness, confidence.
  explicit Bench(const float* in) : own(frame), before(currentFrame) {
    for (uint32_t i = 0; i < PROBE_DOMAINS; i++, in += 5) {
      uint32_t up = packNormal(make_float3(0.0f, 0.0f, 1.0f));
      uint32_t flags = GBUFFER_VALID | GBUFFER_REUSABLE | GBUFFER_NO_MIRROR;
      float root = sqrtf(in[3]);
      gbuffer[i] = {make_float3(in[0], in[1], in[2]), up,   up, up,   pack4(root, root, root, 0.0f) | flags << 24,
                    pack4(0.0f, 0.0f, 0.0f, 1.0f),    1.0f, 0,  0.0f, 0.0f};
      reservoirs[i] = nullReservoir((uint32_t)in[4]);
      if (i > 0) neighbors[i - 1] = makeNeighborRef(i);
    }
    own.restir.gbuffer = reinterpret_cast<uint64_t>(gbuffer);
    own.restir.reservoirs = reinterpret_cast<uint64_t>(reservoirs);
    own.restir.neighborRefs = reinterpret_cast<uint64_t>(neighbors);
    own.restir.neighborPlanes = PROBE_DOMAINS - 1;
    own.film.width = own.film.height = 1;
    currentFrame = &own;
  }
  ~Bench() { currentFrame = before; }

  Domain domain(uint32_t i) const { return unpackDomain(gbuffer[i]); }

  // hold gives pixel i the sample at in[0…2] with normal in[3…5] and W = 1. Returns dω_0 / dω_i.
  float hold(uint32_t i, const float* in) {
    Reservoir& r = reservoirs[i];
    r.x2 = make_float3(in[0], in[1], in[2]);
    r.n2 = packNormal(make_float3(in[3], in[4], in[5]));
    r.W = 1.0f;
    packRadiance(vec3(1.0f), 0.5f, 0.5f, &r);
    return i == 0 ? 1.0f : shiftJacobian(gbuffer[i], gbuffer[0], r.x2, unpackNormal(r.n2));
  }
};

// mapJacobian: from x1 in[0…2] to in[3…5], both 1 m from the lens; x2 is in[6…8], its normal in[9…11].
DEVICE void mapJacobian(const float* in, float* out) {
  GBuffer from = {}, to = {};
  from.position = make_float3(in[0], in[1], in[2]);
  to.position = make_float3(in[3], in[4], in[5]);
  from.depth = to.depth = 1.0f;
  *out = shiftJacobian(from, to, make_float3(in[6], in[7], in[8]), make_float3(in[9], in[10], in[11]));
}

// mapShift: a sample is moved from x1 in[0…2] to in[3…5], both 1 m from the lens, and back. It is at in[6…8] with the normal in[9…11],
// or light 0, or the direction in[6…8]; in[12] is its kind, in[13…14] roughness and reflectance of the coat over it. Gives J there and
// back, and how bright it is at in[3…5] and back at in[0…2] if it was 1 at first (of a light without area, as bright as that is).
DEVICE void mapShift(const float* in, float* out) {
  GBuffer from = {}, to = {};
  from.position = make_float3(in[0], in[1], in[2]);
  to.position = make_float3(in[3], in[4], in[5]);
  from.depth = to.depth = 1.0f;
  Reservoir r = nullReservoir(1);
  SampleKind kind = (SampleKind)(uint32_t)in[12];
  r.x2 = make_float3(in[6], in[7], in[8]);
  r.n2 = kind == SAMPLE_PUNCTUAL ? 0u : packNormal(make_float3(in[9], in[10], in[11]));
  packRadiance(vec3(1.0f / 3.0f), 0.5f, 0.5f, &r);
  setKind(&r, kind);
  setCoat(&r, {in[13], in[14]});
  Reservoir there = r;
  moveSample(&there, from.position, to.position);
  Reservoir back = there;
  moveSample(&back, to.position, from.position);
  out[0] = shiftJacobian(from, to, r);
  out[1] = shiftJacobian(to, from, there);
  out[2] = there.L2;
  out[3] = back.L2;
}

// mapMetWeights: densities [1/sr] of a light sample and of the BSDF in one direction. Gives the MIS weights of all light samples
// together, and of the path's own ray.
DEVICE void mapMetWeights(const float* in, float* out) {
  LightSample l = {};
  l.pdf = l.pdfWithoutNormal = in[0];
  out[0] = (float)frame.restir.lightSamples * l.pdf * lightSampleWeight(l, in[1]);
  out[1] = chanceWeight(in[1], in[0]);
}

// weightOf takes m out of W = m W_i J.
DEVICE float weightOf(const Reservoir& r, float J) { return J > 0.0f ? r.W / J : 0.0f; }

// mapPairwise: the spatial pass's weights of one sample, had each of the four pixels drawn it; pixel 0 is the receiver.
DEVICE void mapPairwise(const float* in, float* out) {
  for (uint32_t i = 0; i < PROBE_DOMAINS; i++) {
    Bench b(in);
    float J = b.hold(i, in + 5 * PROBE_DOMAINS);
    Stream stream = beginStream(0, STREAM_SPATIAL_RESAMPLE);
    OneSample one;
    out[i] = weightOf(resampleNeighbors(b.domain(0), b.reservoirs[0], 0, stream, one), J);
  }
}

// mapBalance: the temporal pass's, between pixel 0 and its history, pixel 1.
DEVICE void mapBalance(const float* in, float* out) {
  for (uint32_t i = 0; i < 2; i++) {
    Bench b(in);
    float J = b.hold(i, in + 5 * PROBE_DOMAINS);
    Stream stream = beginStream(0, STREAM_TEMPORAL_RESAMPLE);
    Candidate q = candidate(b.domain(0), b.gbuffer[1], b.reservoirs[1], (float)frame.restir.confidenceCap);
    out[i] = weightOf(resampleHistory(b.domain(0), b.reservoirs[0], q, makeNeighborRef(1), stream), J);
  }
}

// radianceThere packs RGB in[0…2], dithered by in[3] and in[4], and unpacks it.
DEVICE float3 radianceThere(const float* in) {
  Reservoir r = nullReservoir(0);
  packRadiance(make_float3(in[0], in[1], in[2]), in[3], in[4], &r);
  return unpackRadiance(r);
}
