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

// exactHit gives what hardware has found the bits of software, by the test of software. False: only the rounding of hardware puts it on
// the ray, as with the surface that the ray leaves. At an edge, where just the two tests disagree, the answer of hardware stays.
DEVICE bool exactHit(const RayQuery& ray, Hit* hit) {
  uint32_t at = hit->triangle;
  const Instance* in = toLeafIndex(&at);
  Leaves leaves = staticLeaves();
  float3 origin = ray.origin, direction = ray.direction;
  if (in) {
    direction = transformVector(in->toMesh, ray.direction);
    origin = transformPoint(in->toMesh, ray.origin);
    leaves = instanceLeaves(*in, direction);
  }
  const Triangle triangle = load(leaves.triangles + at);
  Closest met;
  if (intersect(triangle, hit->triangle + 1, leaves.tolerance, origin, direction, closestNone(ray.tMax), &met)) {
    *hit = toHit(met);
    return true;
  }
  float3 n = cross(triangle.e1, triangle.e2);
  float t = dot(n, triangle.v0 - origin) * exactInverse(dot(n, direction));
  return t > 0.0f && t <= ray.tMax;
}

DEVICE_TABLE uint32_t HARDWARE_TRIES = 5;

// traceHardware finds what a ray hits. What exactHit refuses is passed; then the nearest is asked for, as any may lie behind others.
template <bool anyHit>
DEVICE Hit traceHardware(const RayQuery& ray, uint32_t alphaSeed) {
  float from = 0.0f;
  for (uint32_t tries = 0; tries < HARDWARE_TRIES; tries++) {
    bool any = anyHit && tries == 0;
    uint32_t words[PAYLOAD_WORDS] = {0u, 0u, 0u, NO_HIT, alphaSeed};
    traceRay(frame.scene.hardware, ray.origin, ray.direction, from, ray.tMax, any ? RAY_FIRST_HIT_ENDS : RAY_NEAREST, words);
    Hit hit = {bitsFloat(words[PAYLOAD_T]), bitsFloat(words[PAYLOAD_U]), bitsFloat(words[PAYLOAD_V]), words[PAYLOAD_TRIANGLE]};
    if (hit.triangle == NO_HIT) break;
    if (exactHit(ray, &hit)) return hit;
    if (!any) from = bitsFloat(words[PAYLOAD_T] + 1u);
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

// coverage lets rays through the holes of surfaces with alpha; trees without any never call it.
PROGRAM(anyhit, coverage) {
  if (!has(FEATURE_ALPHA)) return;
  const Instance* in = instanceHit();
  const Triangle& t = pointer<const Triangle>(in ? in->triangles : frame.scene.triangles)[hitPrimitive()];
  if (!(t.material & ALPHA_BIT)) return;
  float2 at = hitBarycentrics();
  uint32_t seed = seedOfCopy(payload(PAYLOAD_SEED), in ? in->first : 0u);
  if (!alphaPasses(t.material, t.face, at.x, at.y, seed)) ignoreHit();
}
