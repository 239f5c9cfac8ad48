// Diffuse transmission (KHR_materials_diffuse_transmission), as of leaves, paper and wax: Lambert's lobe on the other side of the
// surface, in place of a share of the one on this side.
#pragma once

#include "bsdf/lobes/diffuse.cuh"

struct TranslucentTerms {
  float3 translucent;   // weight
};

DEVICE void layTranslucent(TranslucentTerms& t, const BsdfPoint&, const Layers& l) {
  t.translucent = vec3(0.0f);
  if (l.translucent == 0.0f || isPainted(l.material)) return;
  float3 color =
      l.material.diffuseTransmissionColor * xyz(texelOf(l.material, l.surface, TEXTURE_DIFFUSE_TRANSMISSION_COLOR));
  t.translucent = color * ((l.dielectric - l.through) * l.under * l.translucent);
}

DEVICE float3 weightTranslucent(const BsdfPoint&, const TranslucentTerms& t) { return t.translucent; }

DEVICE float3 evalTranslucent(const BsdfPoint&, const TranslucentTerms& t, float3 wi, float* pdf) {
  *pdf = pdfDiffuse(-wi);
  return t.translucent * *pdf;
}

DEVICE bool sampleTranslucent(const BsdfPoint&, const TranslucentTerms&, float, float2 u, float3* wi, float3*) {
  bool drawn = sampleCosine(u, wi);
  *wi = -*wi;
  return drawn;
}
