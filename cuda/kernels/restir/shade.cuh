// ReSTIR, last pass: the kept sample is shaded with the full material and added to the direct light (pass P6).
#pragma once

#include "restir/spatial.cuh"
#include "restir/vertex.cuh"

// sampleVisible tells whether the kept sample is visible: by its own ray, or because every ray on its way here said so.
DEVICE bool sampleVisible(uint32_t pixel) {
  bool reused = (frame.restir.flags & (RESTIR_TEMPORAL | RESTIR_SPATIAL)) != 0;
  if (!reused || frame.restir.misMode == MIS_FULL) return true;
  return (*neighborRef(pixel, 0) & NEIGHBOR_FINAL_VIS) != 0;
}

KERNEL(shade_samples, 128, 1, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  Shade shade = fetch<Shade>(frame.restir.shade, pixel);
  Reservoir r = fetch<Reservoir>(frame.restir.history, pixel);
  float3 L = shade.direct;
  if (r.W > 0.0f && sampleVisible(pixel)) L += shade.prefix * reflected(fetch<GBuffer>(frame.restir.gbuffer, pixel), r);
  accumulate(pixel, L);
}

// AllSamples sums the light of all samples that a pixel resamples between: what varies between them, as colour does, is averaged
// where the sample that is kept would stand for all (Lin et al. 2026).
struct AllSamples {
  const ShadedVertex& v;
  float3* L;
  DEVICE_METHOD void operator()(const Reservoir& r, float w, uint32_t) const {
    float3 wi = directionTo(r, v.s.position);
    *L += sharedPart(v.b, evalBsdf(v.b, wi), wi) * unpackRadiance(r) * w;
  }
};

// spatial_reuse and shade_samples at once, where the weights know who sees what.
KERNEL(spatial_shade, 128, 4, reuse) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  uint32_t pixel = y * frame.film.width + x;
  GBuffer g = fetch<GBuffer>(frame.restir.gbuffer, pixel);
  Shade shade = fetch<Shade>(frame.restir.shade, pixel);
  float3 L = vec3(0.0f);
  if (g.color >> 24 & GBUFFER_VALID) {
    ShadedVertex v = rebuildVertex(g);
    reuseNeighbors(unpackDomain(g), fetch<Reservoir>(frame.restir.reservoirs, pixel), pixel, AllSamples{v, &L});
  } else {
    pointer<Reservoir>(frame.restir.history)[pixel] = fetch<Reservoir>(frame.restir.reservoirs, pixel);
  }
  accumulate(pixel, shade.direct + shade.prefix * L);
}
