// Shadow rays through panes: smooth thin glass sends light straight on, dimmed and tinted, so that light samples behind it count. So
// does the surface of a volume of the index of air, and a hole in that of another, where the ray enters or leaves the volume.
// Curved or rough glass bends light, which no straight ray finds: there, paths must.
#pragma once

#include "bvh/queue.cuh"
#include "path/path.cuh"

// Pane is what a ray that goes straight on finds at a hit.
struct Pane {
  float3 T;            // share of light that arrives from behind it; black where something else is hit
  float step;          // along the ray to behind it [m]
  MediumStack media;   // behind it
};

// paneAt is the pane at a hit of a ray in those media: smooth thin glass, or a surface of a volume that is hidden, has a hole there or
// bends nothing.
DEVICE_CALL Pane paneAt(Hit hit, float3 direction, MediumStack media, uint32_t alphaSeed) {
  float3 wo = -direction;
  Surface s = makeSurface(hit, wo);
  const Material& m = pointer<const Material>(frame.scene.materials)[s.material];
  bool hidden = mayNest() && isHidden(media, s.material, s.front);
  if (!hidden && !(m.flags & MATERIAL_PANE)) return {vec3(0.0f), 0.0f, media};
  float3 T = vec3(1.0f);
  if (!hidden && !isHole(m, hit, alphaSeed)) {
    Bsdf b = makeBsdf(m, s, makeAppearance(m, s), wo, 0.0f, iorAround(media, s, 0));
    T = b.smooth ? weightThin(b, b) : vec3(0.0f);
  }
  float step = behind(s, hit.t, wo);
  if (!hasVolumes()) return {T, step, media};
  return {T * transmittanceOf(crossedMedium(media, s), hit.t), step, mediaBehind(media, s)};
}

// lastStretch is the share of light that passes the t metres behind the last pane.
DEVICE_CALL float3 lastStretch(MediumStack media, float t) { return transmittanceOf(innermost(media), t); }

// throughPane takes a ray through the pane that it hits: the ray begins behind it, in what *media become, and *T is the share of light
// that arrives from there. False where something else is hit, or the pane is black.
DEVICE bool throughPane(const Hit& hit, uint32_t alphaSeed, RayQuery* ray, MediumStack* media, float3* T) {
  Pane pane = paneAt(hit, ray->direction, *media, alphaSeed);
  *T = pane.T;
  *media = pane.media;
  ray->origin += ray->direction * pane.step;
  if (ray->tMax < INFINITE) ray->tMax -= pane.step;
  return ray->tMax > 0.0f && !isBlack(*T);
}

// reachesLight tells whether a shadow ray reaches its light: nothing but panes is in its way, no more than the path has left. dim(T) is
// called for each of them, and for what the last stretch absorbs.
template <typename Dim>
DEVICE bool reachesLight(const ShadowRay& shadow, Dim dim) {
  RayQuery ray = {shadow.origin, shadow.direction, shadow.tMax};
  if (!hasPanes()) return !traceAny(ray.origin, ray.direction, ray.tMax, shadow.alphaSeed);
  MediumStack media = shadow.media;
  for (uint32_t panes = shadow.panes;; panes++) {
    Hit hit = traceClosest(ray.origin, ray.direction, ray.tMax, shadow.alphaSeed);
    if (hit.triangle == NO_HIT) break;
    float3 T;
    if (panes >= frame.sampling.panes || !throughPane(hit, shadow.alphaSeed, &ray, &media, &T)) return false;
    dim(T);
  }
  if (crossesVolumes()) dim(lastStretch(media, ray.tMax));
  return true;
}

// traceShadows traces a queue of shadow rays, which pass panes as their source says.
template <typename Source, uint32_t THREADS>
DEVICE void traceShadows(const Source& source, Fetch<THREADS>& fetch) {
  if (hasPanes())
    traceQueue<false>(Continuing<Source>{source}, fetch);
  else
    traceQueue<true>(source, fetch);
}
