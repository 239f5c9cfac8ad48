// A path again: the steps that a sample took, by the functions that took them, with a note of each. The notes add up to the
// sample, bit for bit.
#pragma once

#include "path/guides.cuh"
#include "path/hits.cuh"
#include "path/panes.cuh"

// replayedPath begins the path of a query as beginPath did.
DEVICE Path replayedPath(const ReplayQuery& q) {
  Sampler own = beginSampler(q.x, q.y, q.sample, q.seed);
  float2 jitter = sample2(own), lens = sample2(own);
  if (q.cameraSample != q.sample || q.cameraSeed != q.seed) {
    Sampler camera = beginSampler(q.x, q.y, q.cameraSample, q.cameraSeed);
    jitter = sample2(camera);
    lens = sample2(camera);
  }
  return cameraPath(q.x, q.y, own, jitter, lens);
}

// replayedHit is what the path's extension ray hits.
DEVICE Hit replayedHit(const ReplayQuery& q, const Path& p) {
  if (p.depth > 0 || p.panes > 0) return traceClosest(p.origin, p.direction, INFINITE, alphaSeed(p));
  Sampler traced = beginSampler(q.x, q.y, q.hitSample, q.seed);
  traced.dimension = p.sampler.dimension;
  return cameraHit(p.origin, p.direction, coverageSeed(traced));
}

// lobeAt is the lobe that drawBsdf chooses by a number.
DEVICE uint32_t lobeAt(const Bsdf& b, float uLobe) {
  uint32_t lobe = LOBE_COUNT;
  bool found = false;
#define X(name, feature, ...)                                   \
  if (has(feature) && b.select[LOBE_##name] > 0.0f && !found) { \
    lobe = LOBE_##name;                                         \
    found = uLobe < b.select[LOBE_##name];                      \
    if (!found) uLobe -= b.select[LOBE_##name];                 \
  }
  LOBES(X)
#undef X
  return lobe;
}

// noteSurface notes what a path that came by `hit` finds at a surface, or outside of the scene. p.Lo is what it adds.
DEVICE void noteSurface(ReplayVertex* v, Path& p, const Hit& hit) {
  p.Lo = vec3(0.0f);
  ShadedVertex at = {};
  bool goesOn = shadeHit(p, hit, footprintWidth(p, hit.t), &at);
  v->emitted = p.Lo;
  v->throughput = p.throughput;
  if (hit.triangle == NO_HIT) {
    v->position = p.direction;
    v->event = REPLAY_LEFT;
    v->emissionWeight = emissionWeight(p, p.delta ? 0.0f : pdfOfMiss(p.origin, p.direction));
    return;
  }
  const Triangle t = worldTriangle(hit.triangle);
  v->position = at.s.position;
  v->normal = at.s.ns;
  v->distance = hit.t;
  v->material = at.s.material;
  v->object = (int32_t)objectOf(hit.triangle, t.face);
  v->event = REPLAY_ENDED;
  bool sampled = !p.delta && at.s.light != NO_LIGHT;
  v->emissionWeight = emissionWeight(p, sampled ? pdfOfEmission(at.s, p.direction, p.passed + hit.t) : 0.0f);
  if (!goesOn) return;
  if (!isLast(p)) {
    LightSample l;
    if (sampleDirect(p, at.s, at.b, &l)) {
      v->toLight = l.wi;
      v->lightDistance = l.distance;
      v->light = l.light;
      v->lightPdf = l.pdf;
      v->lightWeight = lightWeight(l, evalBsdf(at.b, l.wi).pdf);
    }
  }
  v->lobe = lobeAt(at.b, sample1(p.sampler));
}

// noteVertex notes a step: `before` is the path that came by `hit`, and `after` what became of it.
DEVICE void noteVertex(ReplayVertex* v, Path before, Hit hit, const Path& after, bool alive, float3 direct) {
  *v = {};
  v->light = NO_LIGHT;
  v->lobe = LOBE_COUNT;
  v->object = -1;
  v->direct = direct;
  Path p = before;
  uint32_t event = sampleMedium(p, &hit, [](const ShadowRay&) {});
  if (event == SEGMENT_CLEAR) {
    noteSurface(v, p, hit);
  } else {
    v->position = p.origin;
    v->throughput = p.throughput;
    v->distance = length(p.origin - before.origin);
    v->event = event == SEGMENT_SCATTERED ? REPLAY_IN_MEDIUM : REPLAY_ABSORBED;
  }
  v->next = after.direction;
  v->pdf = after.pdf;
  if (event != SEGMENT_CLEAR) return;
  if (alive) v->event = after.panes > p.panes && after.depth == p.depth ? REPLAY_PASSED : REPLAY_SCATTERED;
  if (!alive && after.depth > p.depth) v->event = REPLAY_ROULETTE;
}

// answerQuery writes what a query's sample is.
DEVICE void answerQuery(uint32_t index, const ReplayQuery& q, float3 Lo, uint32_t vertices) {
  float4 sum = pointer<const float4>(frame.film.accumulation)[q.y * frame.film.width + q.x];
  pointer<ReplayAnswer>(frame.replay.answers)[index] = {Lo, vertices, xyz(sum), sum.w};
}

KERNEL(replay_paths, 32, 1, tool) {
  if (index >= frame.replay.count) return;
  const ReplayQuery q = pointer<const ReplayQuery>(frame.replay.queries)[index];
  ReplayVertex* vertices = pointer<ReplayVertex>(frame.replay.vertices) + (uint64_t)index * frame.replay.most;
  Path p = replayedPath(q);
  uint32_t n = 0;
  for (bool alive = true; alive; n++) {
    Hit hit = replayedHit(q, p);
    Path before = p;
    ShadowRay shadow = {};
    alive = advancePath(p, hit, [&](const ShadowRay& ray) { shadow = ray; });
    float3 direct = vec3(0.0f);
    if (shadow.tMax > 0.0f && reachesLight(shadow, [&](float3 T) { shadow.contribution *= T; })) {
      direct = shadow.contribution;
      p.Lo += direct;
    }
    if (frame.replay.vertices && n < frame.replay.most) noteVertex(vertices + n, before, hit, p, alive, direct);
  }
  answerQuery(index, q, p.Lo, n);
}
