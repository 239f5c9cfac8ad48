// ReSTIR GI, temporal pass: the previous frame's sample of the same place joins this frame's, by the generalized balance
// heuristic over the two (Lin et al. 2022, equation 36; pass P3 of docs/restir-gi.md).
#pragma once

#include "restir_initial.cuh"

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

DEVICE void offer(Resampling* s, const Reservoir& r, float w, float pHat, float u) {
  if (!(w > 0.0f) || !finite(w)) return;
  s->wSum += w;
  if (u * s->wSum >= w) return;
  s->r = r;
  s->pHat = pHat;
}

// finish sets W of the kept sample: wSum / p̂; a null sample when there is none.
DEVICE Reservoir finish(const Resampling& s, float c, uint32_t a) {
  bool good = s.wSum > 0.0f && s.pHat > 0.0f && finite(s.wSum / s.pHat);
  Reservoir r = good ? s.r : nullReservoir(0);
  r.W = good ? s.wSum / s.pHat : 0.0f;
  setConfidence(&r, (uint32_t)(c + 0.5f), a);
  return r;
}

// shifted is a candidate's sample as the domain here would hold it.
DEVICE Reservoir shifted(const Candidate& q, const Domain& here) {
  Reservoir r = q.r;
  r.L2 *= reseen(q.r, unpackNormal(q.r.n2), q.d.position, here.position);
  return r;
}

DEVICE float targetOf(const Domain& d, const Reservoir& r) { return targetAt(d, r.x2, unpackRadiance(r)); }

// targetFrom is p̂ of a domain's own sample mapped to another domain and back: p̂_other(y) · dω_other / dω_here, with
// visibility from the other in the unbiased mode.
DEVICE float targetFrom(const Domain& other, const Domain& here, const Reservoir& r, uint32_t seed) {
  float3 n2 = unpackNormal(r.n2);
  float J = jacobian(here.position, other.position, r.x2, n2);
  if (J == 0.0f) return 0.0f;
  Reservoir there = r;
  there.L2 *= reseen(r, n2, here.position, other.position);
  float p = targetOf(other, there) * J;
  if (p > 0.0f && frame.misMode == MIS_FULL && !sees(other, r, n2, seed)) return 0.0f;
  return p;
}

DEVICE Candidate candidate(const Domain& here, const GBuffer& g, const Reservoir& r, float cap) {
  Candidate q = {unpackDomain(g), r, minf((float)confidence(r), cap), 0.0f};
  if (r.W > 0.0f) q.J = jacobian(q.d.position, here.position, r.x2, unpackNormal(r.n2));
  return q;
}

// judge tells whether two domains are alike enough to share samples; a decision by surface, which cannot bias.
DEVICE Verdict judge(const Domain& a, const Domain& b, float expectedDepth) {
  const uint32_t need = GBUFFER_VALID | GBUFFER_REUSABLE;
  if ((a.flags & b.flags & need) != need) return VERDICT_KIND;
  if (dot(a.ns, b.ns) < 0.6f) return VERDICT_NORMAL;
  if (absf(b.depth - expectedDepth) > 0.1f * expectedDepth) return VERDICT_DEPTH;
  float rough = absf(a.roughness - b.roughness) / maxf(maxf(a.roughness, b.roughness), 0.05f);
  float F0 = absf(lerp(a.coatF0, luminance(a.color), a.metallic) - lerp(b.coatF0, luminance(b.color), b.metallic));
  bool alike = rough <= 0.5f && F0 <= 0.25f && absf(luminance(a.color) - luminance(b.color)) <= 0.25f;
  return alike ? VERDICT_TAKEN : VERDICT_MATERIAL;
}

DEVICE bool similar(const Domain& a, const Domain& b, float expectedDepth) {
  return judge(a, b, expectedDepth) == VERDICT_TAKEN;
}

// previousPixel is where the frame before saw a point, in pixels from the top left; false behind that camera.
DEVICE bool previousPixel(float3 x1, float* px, float* py) {
  const Camera& c = frame.previousCamera;
  float3 v = x1 - c.eye;
  float x = dot(v, c.right), y = dot(v, c.up), z = dot(v, c.forward);
  if (z <= 0.0f) return false;
  float half = c.orthoHalfHeight > 0.0f ? c.orthoHalfHeight : z * c.tanHalfFovY;
  *px = (x / (half * c.aspect) * 0.5f + 0.5f) * (float)frame.width;
  *py = (0.5f - y / half * 0.5f) * (float)frame.height;
  return true;
}

// History older than this many frames is dropped in interactive mode, where lights and things may change.
DEVICE_TABLE uint32_t MAX_AGE = 30;

// permuted swaps pixels inside 4×4 blocks that move from frame to frame: neighbours then hold different samples, which
// denoisers count on (permutation sampling, RTXDI).
DEVICE float permuted(float x, uint32_t shift) { return (float)(int32_t)((((uint32_t)x + shift) ^ 3u) - shift); }

// findHistory looks for this surface in the frame before: at the reprojected place, rounded at random since rounding
// always the same way would drift, then at up to four places near by. `why`, for who asks, is the verdict on the first.
DEVICE bool findHistory(const Domain& here, Stream& stream, Candidate* found, Verdict* why = nullptr) {
  float px, py;
  if (why) *why = here.flags & GBUFFER_DIRECT ? VERDICT_OUTSIDE : VERDICT_KIND;
  if (!(here.flags & GBUFFER_DIRECT) || !previousPixel(here.position, &px, &py)) return false;
  float expected = length(here.position - frame.previousCamera.eye);
  bool interactive = (frame.restir & RESTIR_INTERACTIVE) != 0;
  uint32_t shift = hash(frame.seed, frame.frameIndex);
  for (uint32_t attempt = 0; attempt < 5; attempt++) {
    float spread = attempt == 0 ? 1.0f : 4.0f;
    float fx = floorf(px + (uniform(stream) - 0.5f) * spread), fy = floorf(py + (uniform(stream) - 0.5f) * spread);
    if (!(fx >= 0.0f && fy >= 0.0f && fx < (float)frame.width && fy < (float)frame.height)) continue;
    if (interactive && attempt == 0) {
      fx = clampf(permuted(fx, shift & 3u), 0.0f, (float)(frame.width - 1));
      fy = clampf(permuted(fy, shift >> 2 & 3u), 0.0f, (float)(frame.height - 1));
    }
    uint32_t at = (uint32_t)fy * frame.width + (uint32_t)fx;
    Candidate q = candidate(here, pointer<const GBuffer>(frame.previousGBuffer)[at],
                            pointer<const Reservoir>(frame.history)[at], (float)frame.confidenceCap);
    Verdict verdict = q.d.flags & GBUFFER_DIRECT ? judge(here, q.d, expected) : VERDICT_KIND;
    if (verdict == VERDICT_TAKEN && interactive && age(q.r) > MAX_AGE) verdict = VERDICT_AGE;
    if (why && attempt == 0) *why = verdict;
    if (verdict != VERDICT_TAKEN) continue;
    if (why && attempt > 0) *why = VERDICT_NEAR;
    *found = q;
    return true;
  }
  return false;
}

// joinHistory resamples between this frame's sample and the candidate's.
DEVICE Reservoir joinHistory(const Domain& here, const Reservoir& fresh, const Candidate& q, Stream& stream) {
  float c0 = 1.0f, c1 = q.c;
  Resampling s = {nullReservoir(0), 0.0f, 0.0f};
  uint32_t a = 0;
  if (fresh.W > 0.0f) {
    float p = targetOf(here, fresh);
    float other = frame.misMode == MIS_NAIVE ? p : targetFrom(q.d, here, fresh, bits(stream));
    offer(&s, fresh, c0 * p / (c0 * p + c1 * other) * p * fresh.W, p, uniform(stream));
  }
  if (q.r.W > 0.0f && q.J > 0.0f) {
    Reservoir r = shifted(q, here);
    float p = targetOf(here, r);
    float other = frame.misMode == MIS_NAIVE ? p : targetOf(q.d, q.r) / q.J;
    if (p > 0.0f && frame.misMode == MIS_FULL && !sees(here, r, unpackNormal(r.n2), bits(stream))) p = 0.0f;
    float before = s.wSum;
    if (p > 0.0f) offer(&s, r, c1 * other / (c0 * p + c1 * other) * p * q.r.W * q.J, p, uniform(stream));
    if (s.wSum > before && s.r.x2.x == r.x2.x && s.r.x2.y == r.x2.y && s.r.x2.z == r.x2.z) a = age(q.r) + 1;
  }
  return finish(s, minf(c0 + c1, (float)frame.confidenceCap + 1.0f), a);
}

KERNEL(temporal_reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  Domain here = unpackDomain(pointer<const GBuffer>(frame.gbuffer)[pixel]);
  if (!(here.flags & GBUFFER_REUSABLE)) return;
  Stream stream = beginStream(pixel, 1);
  Candidate q;
  if (!findHistory(here, stream, &q)) return;
  Reservoir* r = pointer<Reservoir>(frame.reservoirs) + pixel;
  *r = joinHistory(here, *r, q, stream);
}
