// Car paint under its coat: two layers of opaque flakes and a base whose colour changes towards grazing angles. At each
// point the uppermost of them shows, which procedural noise decides: a flake of the upper layer, one of the lower, or the
// base. (The four layers, coat included, that Laine, Karras & Aila 2013 measure; docs/car-paint.md.)
#pragma once

#include "bsdf/lobes/diffuse.cuh"
#include "bsdf/lobes/flake.cuh"

struct PaintTerms {
  const Material* paint;   // whose flakes and base lie under the coat; none for other materials
  float paintScale;        // what the coat lets through to them
  uint32_t flake;          // what lies uppermost here
};

// flake: bits 30…31 the layer, from 1, or 0 for the base; 24…29 place between the layer's colours; 12…23 azimuth and
// 0…11 square of the slope, of its greatest.
DEVICE uint32_t flakeLayer(const PaintTerms& t) { return t.flake >> 30; }
DEVICE const Flakes* flakesOf(const PaintTerms& t) { return t.paint->flakes + flakeLayer(t) - 1; }

DEVICE float3 flakeColor(const PaintTerms& t) {
  const Flakes* layer = flakesOf(t);
  return lerp(layer->color, layer->otherColor, (float)(t.flake >> 24 & 63u) * (1.0f / 63.0f));
}

// layPaint looks up what shows at a point, in place of the Lambert base.
DEVICE void layPaint(PaintTerms& t, const BsdfPoint&, const Layers& l) {
  t.paint = nullptr;
  if (!isPainted(l.material)) return;
  t.paint = &l.material;
  t.paintScale = (l.dielectric - l.through) * l.under;
  t.flake = 0;
  for (uint32_t i = 0; i < 2 && t.flake == 0; i++) {
    const Flakes& layer = l.material.flakes[i];
    if (layer.coverage <= 0.0f) continue;
    uint32_t key = nearestCell(l.surface.position * exactInverse(layer.size), i);
    if (unit(hash(key, 1)) < layer.coverage) t.flake = (i + 1) << 30 | hash(key, 2) >> 2;
  }
}

// edgeWeight is how far the base's colour has changed, the same with wo and wi swapped.
DEVICE float edgeWeight(float3 wo, float3 wi) { return 1.0f - (1.0f - sqr(1.0f - wo.z)) * (1.0f - sqr(1.0f - wi.z)); }

DEVICE float3 weightPaint(const BsdfPoint& b, const PaintTerms& t) {
  if (!t.paint) return vec3(0.0f);
  return (flakeLayer(t) ? flakeColor(t) : lerp(b.baseColor, t.paint->edgeColor, 0.5f)) * t.paintScale;
}

// blurredPaint is weightPaint as the mean over a disk `width` metres wide: flakes that are smaller count by the share that they cover.
DEVICE float3 blurredPaint(const BsdfPoint& b, const PaintTerms& t, float width) {
  float3 color = lerp(b.baseColor, t.paint->edgeColor, 0.5f);
  for (uint32_t i = 2; i-- > 0;) {
    const Flakes& layer = t.paint->flakes[i];
    float3 mean = lerp(color, lerp(layer.color, layer.otherColor, 0.5f), layer.coverage);
    float3 here = flakeLayer(t) == i + 1 ? flakeColor(t) : color;
    color = lerp(here, mean, saturate(width / layer.size - 1.0f));
  }
  return color * t.paintScale;
}

DEVICE float3 evalPaint(const BsdfPoint& b, const PaintTerms& t, float3 wi, float* pdf) {
  *pdf = 0.0f;
  if (wi.z <= 0.0f) return vec3(0.0f);
  *pdf = flakeLayer(t) ? flakePdf(flakesOf(t), t.flake, b.wo, wi) : pdfDiffuse(wi);
  if (flakeLayer(t)) return flakeColor(t) * (t.paintScale * *pdf * wi.z / maxf(b.wo.z, wi.z));
  return lerp(b.baseColor, t.paint->edgeColor, edgeWeight(b.wo, wi)) * (t.paintScale * *pdf);
}

DEVICE bool samplePaint(const BsdfPoint& b, const PaintTerms& t, float, float2 u, float3* wi, float3*) {
  if (!flakeLayer(t)) return sampleCosine(u, wi);
  *wi = sampleFlake(flakesOf(t), t.flake, b.wo, u);
  return wi->z > 0.0f;
}
