// What ReSTIR's last frame shaded at a pixel: its sample again, from the buffers that the frame has left, with a note of each
// sample that it is made of.
#pragma once

#include "replay/path.cuh"
#include "restir/shade.cuh"

// NoteShared notes the samples that a pixel shades, and sums their light as AllSamples does.
struct NoteShared {
  const ShadedVertex& v;
  float3 prefix;
  ReplayShared* shared;
  uint32_t* count;
  float3* L;
  DEVICE_METHOD void operator()(const Reservoir& r, float w, uint32_t pixel) const {
    float3 wi = directionTo(r, v.s.position), radiance = unpackRadiance(r);
    float3 reflected = sharedPart(v.b, evalBsdf(v.b, wi), wi) * radiance * w;
    *L += reflected;
    uint32_t n = (*count)++;
    if (n < frame.replay.most)
      shared[n] = {r.x2, kindOf(r), prefix * reflected, w, radiance, pixel, confidence(r), age(r), 0, 0};
  }
};

KERNEL(replay_reuse, 32, 1, tool) {
  if (index >= frame.replay.count) return;
  const ReplayQuery q = pointer<const ReplayQuery>(frame.replay.queries)[index];
  ReplayShared* shared = pointer<ReplayShared>(frame.replay.shared) + (uint64_t)index * frame.replay.most;
  uint32_t pixel = q.y * frame.film.width + q.x, count = 0;
  GBuffer g = fetch<GBuffer>(frame.restir.gbuffer, pixel);
  Shade shade = fetch<Shade>(frame.restir.shade, pixel);
  float3 L = vec3(0.0f);
  if (g.color >> 24 & GBUFFER_VALID) {
    ShadedVertex v = rebuildVertex(g);
    NoteShared note = {v, shade.prefix, shared, &count, &L};
    Reservoir* history = pointer<Reservoir>(frame.restir.history) + pixel;
    Reservoir kept = *history;
    bool all = (frame.restir.flags & RESTIR_SPATIAL) && frame.restir.misMode == MIS_FULL;
    if (all) {
      reuseNeighbors(unpackDomain(g), fetch<Reservoir>(frame.restir.reservoirs, pixel), pixel, note);
      *history = kept;   // which may be thinner than what was just written
    } else if (kept.W > 0.0f && sampleVisible(pixel)) {
      note(kept, kept.W, pixel);
    }
  }
  answerQuery(index, q, shade.direct + shade.prefix * L, count);
}
