// Rays through the trees of OptiX: a program for each kernel that traces a queue, by the sources of that kernel.
#pragma once

#include "bvh/rays.cuh"
#include "hardware/optix.cuh"
#include "restir/direct.cuh"
#include "restir/visibility.cuh"
#include "wavefront/gi_paths.cuh"
#include "wavefront/paths.cuh"

// recordedPass is the argument of the kernel whose place a program takes.
DEVICE uint32_t recordedPass() { return *pointer<const uint32_t>(recordData()); }

// LeafRay is a ray among the triangles that hold a hit, in their space.
struct LeafRay {
  Leaves leaves;
  float3 origin, direction;
};

DEVICE LeafRay leafRay(const Instance* in, float3 origin, float3 direction) {
  if (!in) return {staticLeaves(), origin, direction};
  float3 inside = transformVector(in->toMesh, direction);
  return {instanceLeaves(*in, inside), transformPoint(in->toMesh, origin), inside};
}

// meetsPlane tells whether software, too, finds the plane of a triangle on the ray; not so that of the surface that the ray leaves, which
// the rounding of hardware may put there.
DEVICE bool meetsPlane(const RayQuery& ray, const Hit& hit) {
  uint32_t at = hit.triangle;
  LeafRay r = leafRay(toLeafIndex(&at), ray.origin, ray.direction);
  const Triangle triangle = load(r.leaves.triangles + at);
  float3 n = cross(triangle.e1, triangle.e2);
  float t = dot(n, triangle.v0 - r.origin) * exactInverse(dot(n, r.direction));
  return t > 0.0f && t <= ray.tMax;
}

// How far from software's distance that of hardware may be, as a fraction of how far the hit and the ray's origin are.
DEVICE_TABLE float HARDWARE_ROUNDING = 4e-6f;

DEVICE Hit hitOf(const uint32_t (&words)[PAYLOAD_WORDS]) {
  return {bitsFloat(words[PAYLOAD_T]), bitsFloat(words[PAYLOAD_U]), bitsFloat(words[PAYLOAD_V]),
          words[PAYLOAD_TRIANGLE]};
}

// candidateHit is the first hit by the test and the order of software, among all triangles as far away as one that hardware has found.
DEVICE Hit candidateHit(const RayQuery& ray, float t, uint32_t alphaSeed) {
  uint32_t words[PAYLOAD_WORDS] = {floatBits(ray.tMax), 0u, 0u, NO_HIT, alphaSeed};
  float apart = HARDWARE_ROUNDING * (t + absSum(ray.origin));
  traceRay(frame.scene.hardware, ray.origin, ray.direction, maxf(t - apart, 0.0f), t + apart, RAY_ASKS_ALL,
           HIT_CANDIDATES, words);
  return hitOf(words);
}

DEVICE_TABLE uint32_t HARDWARE_TRIES = 5;

// traceHardware finds what a ray hits. At an edge, where just the two tests disagree, the answer of hardware stays; what software does not
// find on the ray at all is passed, and then the nearest is asked for, as any may lie behind others.
template <bool anyHit>
DEVICE Hit traceHardware(const RayQuery& ray, uint32_t alphaSeed) {
  float from = 0.0f;
  for (uint32_t tries = 0; tries < HARDWARE_TRIES; tries++) {
    bool any = anyHit && tries == 0;
    uint32_t words[PAYLOAD_WORDS] = {0u, 0u, 0u, NO_HIT, alphaSeed};
    traceRay(frame.scene.hardware, ray.origin, ray.direction, from, ray.tMax, any ? RAY_FIRST_HIT_ENDS : RAY_NEAREST,
             HIT_SURFACE, words);
    Hit hit = hitOf(words);
    if (hit.triangle == NO_HIT) break;
    if (!anyHit) {
      Hit exact = candidateHit(ray, hit.t, alphaSeed);
      if (exact.triangle != NO_HIT) return exact;
    }
    if (meetsPlane(ray, hit)) return hit;
    if (!any) from = bitsFloat(floatBits(hit.t) + 1u);
  }
  return {ray.tMax, 0.0f, 0.0f, NO_HIT};
}

// traceOne traces the ray of a source that has the launch's index.
template <bool anyHit, typename Source>
DEVICE void traceOne(const Source& source) {
  uint32_t index = launchIndex();
  RayQuery ray;
  if (index >= source.count() || !source.begin(index, &ray)) return;
  uint32_t seed = has(FEATURE_ALPHA) ? source.alphaSeed(index) : 0u;
  Hit hit = traceHardware<anyHit>(ray, seed);
  if constexpr (continues<Source>) {
    while (hit.triangle != NO_HIT && source.passes(index, hit, &ray)) hit = traceHardware<anyHit>(ray, seed);
  }
  source.end(index, hit);
}

// traceShadow goes on behind panes, where there are any.
template <typename Source>
DEVICE void traceShadow(const Source& source) {
  if (hasPanes())
    traceOne<false>(Continuing<Source>{source});
  else
    traceOne<true>(source);
}

PROGRAM(raygen, extend_paths) { traceOne<false>(Extensions{waveOf(recordedPass())}); }
PROGRAM(raygen, shadow_paths) { traceShadow(ShadowRays<PathShadowResult>{waveOf(recordedPass())}); }
PROGRAM(raygen, shadow_gi_paths) { traceShadow(ShadowRays<GIShadowResult>{waveOf(recordedPass())}); }
PROGRAM(raygen, light_vis) { traceShadow(LightRays()); }
PROGRAM(raygen, temporal_vis_prev) { traceOne<true>(VisibilityRays<TemporalVisPrev>{1}); }
PROGRAM(raygen, temporal_vis_curr) { traceOne<true>(VisibilityRays<TemporalVisCurr>{1}); }
PROGRAM(raygen, spatial_vis) { traceOne<true>(VisibilityRays<SpatialVis>{frame.restir.neighborPlanes}); }
PROGRAM(raygen, final_vis) { traceOne<true>(FinalVisibilityRays()); }
PROGRAM(raygen, queue_rays_closest) { traceOne<false>(RayBuffer()); }
PROGRAM(raygen, queue_rays_any) { traceOne<true>(ShadowRayBuffer()); }

// instanceHit is the instance that is hit; nullptr where that is what is baked.
DEVICE const Instance* instanceHit() {
  uint32_t i = hitInstance();
  return twoLevels() && i < frame.scene.instanceCount ? &instanceAt(i) : nullptr;
}

PROGRAM(miss, nothing) {}

PROGRAM(closesthit, surface) {
  const Instance* in = instanceHit();
  float2 at = hitBarycentrics();
  setPayload(PAYLOAD_T, floatBits(hitDistance()));
  setPayload(PAYLOAD_U, floatBits(at.x));
  setPayload(PAYLOAD_V, floatBits(at.y));
  setPayload(PAYLOAD_TRIANGLE, (in ? in->first : 0u) + hitPrimitive());
}

// stopsHere tells whether alpha stops a ray of such a seed at a place of a triangle.
DEVICE bool stopsHere(const Triangle& t, float u, float v, uint32_t firstId, uint32_t alphaSeed) {
  return !has(FEATURE_ALPHA) || !(t.material & ALPHA_BIT) ||
         alphaPasses(t.material, t.face, u, v, seedOfCopy(alphaSeed, firstId));
}

// coverage lets rays through the holes of surfaces with alpha; trees without any never call it.
PROGRAM(anyhit, coverage) {
  const Instance* in = instanceHit();
  const Triangle& t = pointer<const Triangle>(in ? in->triangles : frame.scene.triangles)[hitPrimitive()];
  float2 at = hitBarycentrics();
  if (!stopsHere(t, at.x, at.y, in ? in->first : 0u, payload(PAYLOAD_SEED))) ignoreHit();
}

// candidates keeps the hit that software would.
PROGRAM(anyhit, candidates) {
  LeafRay r = leafRay(instanceHit(), rayOrigin(), rayDirection());
  uint32_t at = hitPrimitive();
  const Triangle triangle = load(r.leaves.triangles + at);
  Closest best = {bitsFloat(payload(PAYLOAD_T)), 0.0f, 0.0f, payload(PAYLOAD_TRIANGLE) + 1u}, met;
  if (intersect(triangle, r.leaves.firstId + at + 1u, r.leaves.tolerance, r.origin, r.direction, best, &met) &&
      stopsHere(triangle, met.u, met.v, r.leaves.firstId, payload(PAYLOAD_SEED))) {
    setPayload(PAYLOAD_T, floatBits(met.t));
    setPayload(PAYLOAD_U, floatBits(met.u));
    setPayload(PAYLOAD_V, floatBits(met.v));
    setPayload(PAYLOAD_TRIANGLE, met.rank - 1u);
  }
  ignoreHit();
}
