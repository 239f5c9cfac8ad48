// What a camera ray sees: with FRAME_CULL it passes the backs of single-sided surfaces, as glTF 2.0 asks of doubleSided
// (§3.9.6). Other rays meet both sides. The surface of a volume counts from within too, else nobody could dive into water.
#pragma once

#include "bvh/traverse.cuh"
#include "path/medium.cuh"
#include "scene/surface.cuh"

DEVICE_TABLE uint32_t MOST_BACKS = 64;   // that a camera ray passes; the next one counts

// isBack tells whether a hit is the back of a single-sided surface.
DEVICE bool isBack(const Hit& hit, float3 direction) {
  const Triangle t = worldTriangle(hit.triangle);
  if (dot(frontOf(t), direction) <= 0.0f) return false;
  uint32_t material = materialOf(t);
  return !(pointer<const Material>(frame.scene.materials)[material].flags & MATERIAL_DOUBLE_SIDED) &&
         !isVolume(material);
}

// stepBehind leads from a ray's origin to behind the surface that it hits [m].
DEVICE_CALL float stepBehind(Hit hit, float3 direction) {
  return behind(makeSurface(hit, -direction), hit.t, -direction);
}

// camerasCull tells whether camera rays pass backs.
DEVICE bool camerasCull() { return (frame.sampling.flags & FRAME_CULL) != 0; }

// seenHit is the first hit of a ray that counts: where it culls, backs do not. trace(ray) finds the closest hit of a ray.
template <typename Trace>
DEVICE Hit seenHit(float3 origin, float3 direction, bool culls, const Trace& trace) {
  RayQuery ray = {origin, direction, INFINITE};
  float passed = 0.0f;
  for (uint32_t backs = 0;; backs++) {
    Hit hit = trace(ray);
    if (hit.triangle == NO_HIT) return hit;
    if (!culls || backs == MOST_BACKS || !isBack(hit, direction)) {
      hit.t += passed;
      return hit;
    }
    float step = stepBehind(hit, direction);
    ray.origin += direction * step;
    passed += step;
  }
}

// cameraHit is the hit of a camera ray that is traced alone.
DEVICE Hit cameraHit(float3 origin, float3 direction, uint32_t seed) {
  return seenHit(origin, direction, camerasCull(),
                 [=](const RayQuery& r) { return traceClosest(r.origin, r.direction, r.tMax, seed); });
}

// Picking: what camera rays in memory see.
KERNEL(trace_camera_rays, 32, 1, tool) {
  if (index >= frame.rays.count) return;
  const Ray r = load(pointer<const Ray>(frame.rays.rays) + index);
  pointer<Hit>(frame.rays.hits)[index] = cameraHit(r.origin, r.direction, index);
}
