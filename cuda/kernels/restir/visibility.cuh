// ReSTIR GI: the rays that decide who sees which sample.
#pragma once

#include "restir/resampling.cuh"
#include "bvh/queue.cuh"

// Sight is one question: does x1 of a pixel see a sample?
struct Sight {
  uint32_t pixel, word;
  uint32_t* mark;   // where the answer is kept
};

// sightOf takes the question of an index, which counts pixels by tiles, then planes. False where nobody asks.
DEVICE bool sightOf(uint32_t index, Sight* q) {
  uint32_t plane = index / frame.film.tiledPixels, x, y;
  if (!pixelOf(index - plane * frame.film.tiledPixels, frame.film.width, frame.film.height, &x, &y)) return false;
  q->pixel = y * frame.film.width + x;
  q->mark = partner(q->pixel, plane);
  q->word = *q->mark;
  return hasPartner(q->word);
}

// lookFrom makes the ray from x1 in g to the sample r of a pixel whose x1 is `owner`; false where the shift between them
// or the target is zero anyhow.
DEVICE bool lookFrom(const GBuffer& g, const GBuffer& owner, const Reservoir& r, RayQuery* ray) {
  float3 n2 = unpackNormal(r.n2), wi = r.x2 - g.position;
  if (!(r.W > 0.0f) || shiftJacobian(owner, g, r.x2, n2) == 0.0f) return false;
  float3 ng = unpackNormal(g.ng);
  if (dot(unpackNormal(g.ns), wi) <= 0.0f || dot(ng, wi) <= 0.0f) return false;
  return sight(g.position, ng, r, n2, ray);
}

DEVICE uint32_t sightSeed(uint32_t pixel, uint32_t answer) {
  return hash(hash(frame.sampling.seed, frame.restir.frameIndex), pixel ^ answer);
}

// Looks is the source of rays whose answers are marks on partners. Question::ray makes the ray of a question, and
// Question::answer is the mark where nothing is in the way.
template <typename Question>
struct Looks {
  uint32_t planes;   // of partners
  DEVICE_METHOD uint32_t count() const { return planes * frame.film.tiledPixels; }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    Sight q;
    return sightOf(index, &q) && Question::ray(q.pixel, partnerIndex(q.word), ray);
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const {
    Sight q = {};
    sightOf(index, &q);
    return sightSeed(q.pixel, Question::answer);
  }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    Sight q;
    if (hit.triangle == NO_HIT && sightOf(index, &q)) *q.mark = q.word | Question::answer;
  }
};

// Does the surface of the frame before see this frame's sample?
struct HistorySees {
  static constexpr uint32_t answer = PARTNER_SEES_OURS;
  static DEVICE_METHOD bool ray(uint32_t pixel, uint32_t at, RayQuery* ray) {
    return lookFrom(pointer<const GBuffer>(frame.restir.previousGBuffer)[at],
                    pointer<const GBuffer>(frame.restir.gbuffer)[pixel],
                    pointer<const Reservoir>(frame.restir.reservoirs)[pixel], ray);
  }
};

// Does this frame's surface see the sample of the frame before?
struct SeesHistory {
  static constexpr uint32_t answer = PARTNER_IS_SEEN;
  static DEVICE_METHOD bool ray(uint32_t pixel, uint32_t at, RayQuery* ray) {
    return lookFrom(pointer<const GBuffer>(frame.restir.gbuffer)[pixel],
                    pointer<const GBuffer>(frame.restir.previousGBuffer)[at],
                    pointer<const Reservoir>(frame.restir.history)[at], ray);
  }
};

// Do the neighbours see this pixel's sample?
struct NeighboursSee {
  static constexpr uint32_t answer = PARTNER_SEES_OURS;
  static DEVICE_METHOD bool ray(uint32_t pixel, uint32_t at, RayQuery* ray) {
    const GBuffer* gbuffer = pointer<const GBuffer>(frame.restir.gbuffer);
    return lookFrom(gbuffer[at], gbuffer[pixel], pointer<const Reservoir>(frame.restir.reservoirs)[pixel], ray);
  }
};

// Does this pixel see its neighbours' samples?
struct SeesNeighbours {
  static constexpr uint32_t answer = PARTNER_IS_SEEN;
  static DEVICE_METHOD bool ray(uint32_t pixel, uint32_t at, RayQuery* ray) {
    const GBuffer* gbuffer = pointer<const GBuffer>(frame.restir.gbuffer);
    return lookFrom(gbuffer[pixel], gbuffer[at], pointer<const Reservoir>(frame.restir.reservoirs)[at], ray);
  }
};

RAY_KERNEL(history_sees, 128, 7, reuse) { traceQueue<true>(Looks<HistorySees>{1}, fetch); }
RAY_KERNEL(sees_history, 128, 7, reuse) { traceQueue<true>(Looks<SeesHistory>{1}, fetch); }
RAY_KERNEL(neighbours_see, 128, 7, reuse) { traceQueue<true>(Looks<NeighboursSee>{frame.restir.partnerPlanes}, fetch); }
RAY_KERNEL(sees_neighbours, 128, 7, reuse) {
  traceQueue<true>(Looks<SeesNeighbours>{frame.restir.partnerPlanes}, fetch);
}

// LastLooks: does a pixel see the sample that it kept? The answer takes the place of its first partner, who has served.
struct LastLooks {
  DEVICE_METHOD uint32_t count() const { return frame.film.tiledPixels; }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    uint32_t x, y;
    if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return false;
    uint32_t pixel = y * frame.film.width + x;
    Reservoir r = pointer<const Reservoir>(frame.restir.history)[pixel];
    if (!(r.W > 0.0f)) return false;
    GBuffer g = pointer<const GBuffer>(frame.restir.gbuffer)[pixel];
    if (sight(g.position, unpackNormal(g.ng), r, unpackNormal(r.n2), ray)) return true;
    *partner(pixel, 0) = 0u;
    return false;
  }
  DEVICE_METHOD uint32_t pixel(uint32_t index) const {
    uint32_t x, y;
    pixelOf(index, frame.film.width, frame.film.height, &x, &y);
    return y * frame.film.width + x;
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const { return sightSeed(pixel(index), PARTNER_SAMPLE_SEEN); }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    *partner(pixel(index), 0) = hit.triangle == NO_HIT ? PARTNER_SAMPLE_SEEN : 0u;
  }
};

RAY_KERNEL(sees_sample, 128, 7, reuse) { traceQueue<true>(LastLooks(), fetch); }
