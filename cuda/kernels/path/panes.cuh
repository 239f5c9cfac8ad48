// Shadow rays through panes: smooth thin glass sends light straight on, dimmed and tinted, so that light samples behind it count.
// Curved or rough glass bends light, which no straight ray finds: there, paths must.
#pragma once

#include "bvh/queue.cuh"
#include "path/path.cuh"

// Pane is smooth thin glass that a ray hits.
struct Pane {
  float3 T;     // share of light that it lets through; black where something else is hit
  float step;   // along the ray to behind it [m]
};

// paneAt is the pane at a hit.
DEVICE_CALL Pane paneAt(Hit hit, float3 direction) {
  float3 wo = -direction;
  Surface s = makeSurface(hit, wo);
  const Material& m = pointer<const Material>(frame.scene.materials)[s.material];
  if (!(m.flags & MATERIAL_PANE)) return {vec3(0.0f), 0.0f};
  Bsdf b = makeBsdf(m, s, makeAppearance(m, s), wo);
  return {weightThin(b, b), behind(s, hit.t, wo)};
}

// throughPane takes a ray through the pane that it hits: the ray begins behind it, and *T is the share of light that it lets through.
// False where something else is hit, or the pane is black.
DEVICE bool throughPane(const Hit& hit, RayQuery* ray, float3* T) {
  Pane pane = paneAt(hit, ray->direction);
  *T = pane.T;
  ray->origin += ray->direction * pane.step;
  if (ray->tMax < INFINITE) ray->tMax -= pane.step;
  return ray->tMax > 0.0f && !isBlack(*T);
}

// reachesLight tells whether a shadow ray reaches its light: nothing but panes is in its way, no more than the path has left. dim(T) is
// called for each of them.
template <typename Dim>
DEVICE bool reachesLight(const ShadowRay& shadow, Dim dim) {
  RayQuery ray = {shadow.origin, shadow.direction, shadow.tMax};
  if (!hasPanes()) return !traceAny(ray.origin, ray.direction, ray.tMax, shadow.alphaSeed);
  for (uint32_t panes = shadow.panes;; panes++) {
    Hit hit = traceClosest(ray.origin, ray.direction, ray.tMax, shadow.alphaSeed);
    if (hit.triangle == NO_HIT) return true;
    float3 T;
    if (panes >= frame.sampling.panes || !throughPane(hit, &ray, &T)) return false;
    dim(T);
  }
}

// traceShadows traces a queue of shadow rays, which pass panes as their source says.
template <typename Source, uint32_t THREADS>
DEVICE void traceShadows(const Source& source, Fetch<THREADS>& fetch) {
  if (hasPanes())
    traceQueue<false>(Continuing<Source>{source}, fetch);
  else
    traceQueue<true>(source, fetch);
}
