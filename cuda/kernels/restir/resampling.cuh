// Resampling between pixels: which pixels may share samples, and how one of several samples is kept. Weighted reservoir
// sampling after Bitterli et al. 2020; targets across domains after Lin et al. 2022.
#pragma once

#include "restir/reservoir.cuh"

// --- Neighbours -----------------------------------------------------------------------------------------------------
// The passes that look for neighbours, in the image or in the previous frame, write a word per pixel and plane: an index and,
// once the visibility rays are traced, who sees which sample.

DEVICE uint32_t pixelCount() { return frame.film.width * frame.film.height; }

// neighborRef is where the reference to a pixel's i-th neighbour is stored.
DEVICE uint32_t* neighborRef(uint32_t pixel, uint32_t i) {
  return pointer<uint32_t>(frame.restir.neighborRefs) + i * pixelCount() + pixel;
}
DEVICE uint32_t neighborIndex(uint32_t ref) { return ref & NEIGHBOR_INDEX; }
DEVICE bool hasNeighbor(uint32_t ref) { return neighborIndex(ref) != NEIGHBOR_INDEX; }

// makeNeighborRef refers to a pixel. Where no visibility rays are traced, everything counts as visible.
DEVICE uint32_t makeNeighborRef(uint32_t pixel) {
  return frame.restir.misMode == MIS_FULL ? pixel : pixel | NEIGHBOR_VIS_OUT | NEIGHBOR_VIS_IN;
}

// --- Samples -----------------------------------------------------------------------------------------------------------

// Candidate is another pixel's sample with its domain.
struct Candidate {
  Domain d;
  Reservoir r;
  float c;   // confidence, capped
  float J;   // dω_here / dω_there for its sample; 0 where the shift is undefined
};

// Resampling keeps one of several samples (weighted reservoir sampling, Chao 1982).
struct Resampling {
  Reservoir r;
  float wSum;
  float pHat;   // of r
};

DEVICE void addSample(Resampling* s, const Reservoir& r, float w, float pHat, float u) {
  if (!(w > 0.0f) || !finite(w)) return;
  s->wSum += w;
  if (u * s->wSum >= w) return;
  s->r = r;
  s->pHat = pHat;
}

// finalize sets W of the kept sample: wSum / p̂; a null sample when there is none.
DEVICE Reservoir finalize(const Resampling& s, float c, uint32_t a) {
  bool good = s.wSum > 0.0f && s.pHat > 0.0f && finite(s.wSum / s.pHat);
  Reservoir r = good ? s.r : nullReservoir(0);
  r.W = good ? s.wSum / s.pHat : 0.0f;
  setConfidence(&r, (uint32_t)(c + 0.5f), a);
  return r;
}

// shifted is a candidate's sample as the domain here would hold it.
DEVICE Reservoir shifted(const Candidate& q, const Domain& here) {
  Reservoir r = q.r;
  moveSample(&r, q.d.position, here.position);
  return r;
}

// targetFrom is p̂ of a domain's own sample mapped to another domain and back: p̂_other(y) · dω_other / dω_here. Zero
// where the sample is not visible from the other.
DEVICE float targetFrom(const Domain& other, const Domain& here, const Reservoir& r, bool visible) {
  if (!visible) return 0.0f;
  float J = shiftJacobian(here, other, r);
  if (J == 0.0f) return 0.0f;
  Reservoir there = r;
  moveSample(&there, here.position, other.position);
  return targetOf(other, there) * J;
}

DEVICE Candidate candidate(const Domain& here, const GBuffer& g, const Reservoir& r, float cap) {
  Candidate q = {unpackDomain(g), r, minf((float)confidence(r), cap), 0.0f};
  if (r.W > 0.0f) q.J = shiftJacobian(q.d, here, r);
  return q;
}

// compareDomains tells whether two domains are similar enough to share samples, where `apart` is what their distances differ
// by and `depth` what that is relative to [m]. It looks at surfaces only, never at samples, so it cannot bias.
DEVICE Verdict compareDomains(const Domain& a, const Domain& b, float apart, float depth) {
  const uint32_t need = GBUFFER_VALID | GBUFFER_REUSABLE;
  // Equal flags, mirrors counted: behind more of them fewer bounces are left for the sample.
  if ((a.flags & need) != need || a.flags != b.flags) return VERDICT_KIND;
  if (dot(a.ns, b.ns) < frame.restir.minNormalDot) return VERDICT_NORMAL;
  if (apart > frame.restir.maxDepthChange * depth) return VERDICT_DEPTH;
  float F0 = absf(lerp(a.coatF0, luminance(a.color), a.metallic) - lerp(b.coatF0, luminance(b.color), b.metallic));
  float most = frame.restir.maxMaterialChange, rough = 0.5f * absf(a.roughness - b.roughness);
  bool alike = maxf(F0, absf(luminance(a.color) - luminance(b.color))) <= most &&
               rough <= most * maxf(maxf(a.roughness, b.roughness), 0.05f);
  return alike ? VERDICT_ACCEPTED : VERDICT_MATERIAL;
}
