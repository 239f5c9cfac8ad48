// x1 of a pixel, from its G-buffer, and what it reflects of a sample.
#pragma once

#include "restir/reservoir.cuh"

// rebuildVertex is x1 again with its textures, from the hit that the G-buffer stores. Its footprint is that of footprintWidth().
DEVICE ShadedVertex rebuildVertex(const GBuffer& g) {
  ShadedVertex v;
  v.wo = unpackNormal(g.wo);
  bool direct = (g.color >> 24 & GBUFFER_NO_MIRROR) != 0;
  v.s = makeSurface({g.depth, g.u, g.v, g.triangle}, v.wo, direct ? seenWidth(g.depth) : 0.0f);
  const Material& m = pointer<const Material>(frame.scene.materials)[v.s.material];
  v.a = makeAppearance(m, v.s);
  v.b = makeBsdf(m, v.s, v.a, v.wo);
  return v;
}

// reflected is what x1 reflects of the sample: f |cos θ| L2 W.
DEVICE float3 reflected(const GBuffer& g, const Reservoir& r) {
  ShadedVertex v = rebuildVertex(g);
  float3 wi = directionTo(r, v.s.position);
  return sharedPart(v.b, evalBsdf(v.b, wi), wi) * unpackRadiance(r) * r.W;
}
