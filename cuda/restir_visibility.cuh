// ReSTIR GI: the rays that decide who sees which sample, one a thread and nothing else, so that warps stay full.
#pragma once

#include "resampling.cuh"

// Sight is one question: does x1 of a pixel see a sample?
struct Sight {
  uint32_t pixel, word;
  uint32_t* mark;   // where the answer is kept
};

// sightOf takes the question of a launch index, which counts pixels by tiles, then planes. False where nobody asks.
DEVICE bool sightOf(uint32_t index, Sight* q) {
  uint32_t plane = index / frame.tiledPixels, x, y;
  if (!pixelOf(index - plane * frame.tiledPixels, frame.width, frame.height, &x, &y)) return false;
  q->pixel = y * frame.width + x;
  q->mark = partner(q->pixel, plane);
  q->word = *q->mark;
  return hasPartner(q->word);
}

// look traces from x1 in g to the sample r of a pixel whose x1 is `owner`, unless the shift between them or the target is
// zero anyhow, and marks the answer.
DEVICE void look(const Sight& q, const GBuffer& g, const GBuffer& owner, const Reservoir& r, uint32_t answer) {
  float3 n2 = unpackNormal(r.n2), wi = r.x2 - g.position;
  if (!(r.W > 0.0f) || shiftJacobian(owner, g, r.x2, n2) == 0.0f) return;
  float3 ng = unpackNormal(g.ng);
  if (dot(unpackNormal(g.ns), wi) <= 0.0f || dot(ng, wi) <= 0.0f) return;
  uint32_t seed = hash(hash(frame.seed, frame.frameIndex), q.pixel ^ answer);
  if (sees(g.position, ng, r, n2, seed)) *q.mark = q.word | answer;
}

// Does the surface of the frame before see this frame's sample?
KERNEL(history_sees) {
  Sight q;
  if (!sightOf(index, &q)) return;
  look(q, pointer<const GBuffer>(frame.previousGBuffer)[partnerIndex(q.word)],
       pointer<const GBuffer>(frame.gbuffer)[q.pixel], pointer<const Reservoir>(frame.reservoirs)[q.pixel],
       PARTNER_SEES_OURS);
}

// Does this frame's surface see the sample of the frame before?
KERNEL(sees_history) {
  Sight q;
  if (!sightOf(index, &q)) return;
  uint32_t at = partnerIndex(q.word);
  look(q, pointer<const GBuffer>(frame.gbuffer)[q.pixel], pointer<const GBuffer>(frame.previousGBuffer)[at],
       pointer<const Reservoir>(frame.history)[at], PARTNER_IS_SEEN);
}

// Do the neighbours see this pixel's sample?
KERNEL(neighbours_see) {
  Sight q;
  if (!sightOf(index, &q)) return;
  const GBuffer* gbuffer = pointer<const GBuffer>(frame.gbuffer);
  look(q, gbuffer[partnerIndex(q.word)], gbuffer[q.pixel], pointer<const Reservoir>(frame.reservoirs)[q.pixel],
       PARTNER_SEES_OURS);
}

// Does this pixel see its neighbours' samples?
KERNEL(sees_neighbours) {
  Sight q;
  if (!sightOf(index, &q)) return;
  const GBuffer* gbuffer = pointer<const GBuffer>(frame.gbuffer);
  uint32_t at = partnerIndex(q.word);
  look(q, gbuffer[q.pixel], gbuffer[at], pointer<const Reservoir>(frame.reservoirs)[at], PARTNER_IS_SEEN);
}

// Does this pixel see the sample that it kept? The answer takes the place of its first partner, who has served.
KERNEL(sees_sample) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  Reservoir r = pointer<const Reservoir>(frame.history)[pixel];
  if (!(r.W > 0.0f)) return;
  GBuffer g = pointer<const GBuffer>(frame.gbuffer)[pixel];
  uint32_t seed = hash(hash(frame.seed, frame.frameIndex), pixel ^ PARTNER_SAMPLE_SEEN);
  bool seen = sees(g.position, unpackNormal(g.ng), r, unpackNormal(r.n2), seed);
  *partner(pixel, 0) = seen ? PARTNER_SAMPLE_SEEN : 0u;
}
