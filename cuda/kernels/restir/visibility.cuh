// ReSTIR: the visibility rays of resampling.
#pragma once

#include "restir/resampling.cuh"
#include "bvh/queue.cuh"

// VisibilityQuery asks whether x1 of a pixel sees a sample.
struct VisibilityQuery {
  uint32_t pixel, ref;
  uint32_t* stored;   // where the reference is kept
};

// visibilityQuery decodes the query of an index, which counts pixels by tiles, then planes. False where there is none.
DEVICE bool visibilityQuery(uint32_t index, VisibilityQuery* q) {
  uint32_t plane = index / frame.film.tiledPixels, x, y;
  if (!pixelOf(index - plane * frame.film.tiledPixels, frame.film.width, frame.film.height, &x, &y)) return false;
  q->pixel = y * frame.film.width + x;
  q->stored = neighborRef(q->pixel, plane);
  q->ref = *q->stored;
  return hasNeighbor(q->ref);
}

// visibilityRay makes the ray from x1 in g to the sample r of a pixel whose x1 is `owner`; false where the shift
// between them or the target is zero anyway.
DEVICE bool visibilityRay(const GBuffer& g, const GBuffer& owner, const Reservoir& r, RayQuery* ray) {
  if (!(r.W > 0.0f) || shiftJacobian(owner, g, r) == 0.0f) return false;
  float3 wi = directionTo(r, g.position);
  if (dot(unpackNormal(g.ns), wi) <= 0.0f || dot(unpackNormal(g.ng), wi) <= 0.0f) return false;
  return connectingRay(g, r, ray);
}

DEVICE uint32_t visibilitySeed(uint32_t pixel, uint32_t bit) {
  return hash(hash(frame.sampling.seed, frame.restir.frameIndex), pixel ^ bit);
}

// VisibilityRays is the source of rays whose answers are bits of neighbour references. Query::ray makes the ray of a
// query, and Query::visible is the bit to set where nothing is in the way.
template <typename Query>
struct VisibilityRays {
  uint32_t planes;   // of neighbours
  DEVICE_METHOD uint32_t count() const { return planes * frame.film.tiledPixels; }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    VisibilityQuery q;
    return visibilityQuery(index, &q) && Query::ray(q.pixel, neighborIndex(q.ref), ray);
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const {
    VisibilityQuery q = {};
    visibilityQuery(index, &q);
    return visibilitySeed(q.pixel, Query::visible);
  }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    VisibilityQuery q;
    if (hit.triangle == NO_HIT && visibilityQuery(index, &q)) *q.stored = q.ref | Query::visible;
  }
};

// Is this frame's sample visible from the previous frame's surface?
struct TemporalVisPrev {
  static constexpr uint32_t visible = NEIGHBOR_VIS_OUT;
  static DEVICE_METHOD bool ray(uint32_t pixel, uint32_t at, RayQuery* ray) {
    return visibilityRay(pointer<const GBuffer>(frame.restir.previousGBuffer)[at],
                         pointer<const GBuffer>(frame.restir.gbuffer)[pixel],
                         pointer<const Reservoir>(frame.restir.reservoirs)[pixel], ray);
  }
};

// Is the previous frame's sample visible from this frame's surface?
struct TemporalVisCurr {
  static constexpr uint32_t visible = NEIGHBOR_VIS_IN;
  static DEVICE_METHOD bool ray(uint32_t pixel, uint32_t at, RayQuery* ray) {
    return visibilityRay(pointer<const GBuffer>(frame.restir.gbuffer)[pixel],
                         pointer<const GBuffer>(frame.restir.previousGBuffer)[at],
                         pointer<const Reservoir>(frame.restir.history)[at], ray);
  }
};

// Are the neighbours' samples visible from this pixel?
struct SpatialVis {
  static constexpr uint32_t visible = NEIGHBOR_VIS_IN;
  static DEVICE_METHOD bool ray(uint32_t pixel, uint32_t at, RayQuery* ray) {
    const GBuffer* gbuffer = pointer<const GBuffer>(frame.restir.gbuffer);
    return visibilityRay(gbuffer[pixel], gbuffer[at], pointer<const Reservoir>(frame.restir.reservoirs)[at], ray);
  }
};

RAY_KERNEL(temporal_vis_prev, 128, 7, reuse) { traceQueue<true>(VisibilityRays<TemporalVisPrev>{1}, fetch); }
RAY_KERNEL(temporal_vis_curr, 128, 7, reuse) { traceQueue<true>(VisibilityRays<TemporalVisCurr>{1}, fetch); }
RAY_KERNEL(spatial_vis, 128, 7, reuse) {
  traceQueue<true>(VisibilityRays<SpatialVis>{frame.restir.neighborPlanes}, fetch);
}

// FinalVisibilityRays ask whether the sample that a pixel kept is visible to it. The answer replaces the reference to
// its first neighbour, which is no longer needed.
struct FinalVisibilityRays {
  DEVICE_METHOD uint32_t count() const { return frame.film.tiledPixels; }
  DEVICE_METHOD bool begin(uint32_t index, RayQuery* ray) const {
    uint32_t x, y;
    if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return false;
    uint32_t pixel = y * frame.film.width + x;
    Reservoir r = pointer<const Reservoir>(frame.restir.history)[pixel];
    if (!(r.W > 0.0f)) return false;
    GBuffer g = pointer<const GBuffer>(frame.restir.gbuffer)[pixel];
    if (connectingRay(g, r, ray)) return true;
    *neighborRef(pixel, 0) = 0u;
    return false;
  }
  DEVICE_METHOD uint32_t pixel(uint32_t index) const {
    uint32_t x, y;
    pixelOf(index, frame.film.width, frame.film.height, &x, &y);
    return y * frame.film.width + x;
  }
  DEVICE_METHOD uint32_t alphaSeed(uint32_t index) const { return visibilitySeed(pixel(index), NEIGHBOR_FINAL_VIS); }
  DEVICE_METHOD void end(uint32_t index, const Hit& hit) const {
    *neighborRef(pixel(index), 0) = hit.triangle == NO_HIT ? NEIGHBOR_FINAL_VIS : 0u;
  }
};

RAY_KERNEL(final_vis, 128, 7, reuse) { traceQueue<true>(FinalVisibilityRays(), fetch); }
