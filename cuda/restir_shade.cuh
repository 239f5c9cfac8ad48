// ReSTIR GI, last pass: the kept sample is seen, shaded with the full material, and added to the rest (pass P6).
#pragma once

#include "restir_spatial.cuh"

// exactVertex is x1 again with its textures, from the hit that the G-buffer keeps.
DEVICE LitVertex exactVertex(const GBuffer& g) {
  LitVertex v;
  v.wo = unpackNormal(g.wo);
  v.s = makeSurface({g.depth, g.u, g.v, g.triangle}, v.wo);
  const Material& m = pointer<const Material>(frame.materials)[v.s.material];
  v.a = makeAppearance(m, v.s);
  v.b = makeBsdf(m, v.s, v.a, v.wo);
  return v;
}

// indirect is what the sample sends through x1: f |cos θ| L2 W, zero when something stands between.
DEVICE float3 indirect(const GBuffer& g, const Reservoir& r, uint32_t seed) {
  Domain here = unpackDomain(g);
  bool reused = (frame.restir & (RESTIR_TEMPORAL | RESTIR_SPATIAL)) != 0;
  if (reused && frame.misMode != MIS_FULL && !sees(here, r, unpackNormal(r.n2), seed)) return vec3(0.0f);
  LitVertex v = exactVertex(g);
  float3 wi = normalize(r.x2 - v.s.position);
  return evalLobes(v.b, wi, reusableLobes(v.b)) * unpackRadiance(r) * r.W;
}

KERNEL(shade_samples) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  uint32_t pixel = y * frame.width + x;
  Shade shade = pointer<const Shade>(frame.shade)[pixel];
  Reservoir r = pointer<const Reservoir>(frame.history)[pixel];
  float3 L = shade.direct;
  if (r.W > 0.0f) {
    Stream stream = beginStream(pixel, 3);
    L += shade.prefix * indirect(pointer<const GBuffer>(frame.gbuffer)[pixel], r, bits(stream));
  }
  accumulate(pixel, L);
}
