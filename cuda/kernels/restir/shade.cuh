// ReSTIR GI, last pass: the kept sample is shaded with the full material and added to the direct light (pass P6).
#pragma once

#include "restir/resampling.cuh"

// rebuildVertex is x1 again with its textures, from the hit that the G-buffer stores.
DEVICE ShadedVertex rebuildVertex(const GBuffer& g) {
  ShadedVertex v;
  v.wo = unpackNormal(g.wo);
  v.s = makeSurface({g.depth, g.u, g.v, g.triangle}, v.wo);
  const Material& m = pointer<const Material>(frame.scene.materials)[v.s.material];
  v.a = makeAppearance(m, v.s);
  v.b = makeBsdf(m, v.s, v.a, v.wo);
  return v;
}

// sampleVisible tells whether the kept sample is visible: by its own ray, or because every ray on its way here said so.
DEVICE bool sampleVisible(uint32_t pixel) {
  bool reused = (frame.restir.flags & (RESTIR_TEMPORAL | RESTIR_SPATIAL)) != 0;
  if (!reused || frame.restir.misMode == MIS_FULL || (frame.restir.flags & RESTIR_SKIP_FINAL_VIS)) return true;
  return (*neighbourRef(pixel, 0) & NEIGHBOUR_FINAL_VIS) != 0;
}

// reflected is what x1 reflects of the sample: f |cos θ| L2 W.
DEVICE float3 reflected(const GBuffer& g, const Reservoir& r) {
  ShadedVertex v = rebuildVertex(g);
  float3 wi = directionTo(r, v.s.position);
  return sharedPart(v.b, evalBsdf(v.b, wi), wi) * unpackRadiance(r) * r.W;
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
