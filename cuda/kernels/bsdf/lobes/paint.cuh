// Car paint under its coat: two layers of opaque flakes and a base whose colour changes towards grazing angles. At each
// point the uppermost of them shows, which procedural noise decides: a flake of the upper layer, one of the lower, or the
// base. (The four layers, coat included, that Laine, Karras & Aila 2013 measure; docs/car-paint.md.)
#pragma once

// Bsdf.flake: bits 30…31 the layer, from 1, or 0 for the base; 24…29 place between the layer's colours; 12…23 azimuth and
// 0…11 square of the slope, of its greatest.
DEVICE uint32_t flakeLayer(const Bsdf& b) { return b.flake >> 30; }
DEVICE const Flakes* flakesOf(const Bsdf& b) { return b.paint->flakes + flakeLayer(b) - 1; }

DEVICE float3 flakeColor(const Bsdf& b) {
  const Flakes* layer = flakesOf(b);
  return lerp(layer->color, layer->otherColor, (float)(b.flake >> 24 & 63u) * (1.0f / 63.0f));
}

// layPaint looks up what shows at a point, in place of the Lambert base.
DEVICE void layPaint(Bsdf& b, const Material& m, float3 position, float scale) {
  b.base = 0.0f;
  b.paint = &m;
  b.paintScale = scale;
  b.flake = 0;
  for (uint32_t i = 0; i < 2 && b.flake == 0; i++) {
    const Flakes& layer = m.flakes[i];
    if (layer.coverage <= 0.0f) continue;
    uint32_t key = nearestCell(position * (1.0f / layer.size), i);
    if (unit(hash(key, 1)) < layer.coverage) b.flake = (i + 1) << 30 | hash(key, 2) >> 2;
  }
}

// edgeWeight is how far the base's colour has changed, the same with wo and wi swapped.
DEVICE float edgeWeight(float3 wo, float3 wi) { return 1.0f - (1.0f - sqr(1.0f - wo.z)) * (1.0f - sqr(1.0f - wi.z)); }

DEVICE float3 weightPaint(const Bsdf& b) {
  if (!b.paint) return vec3(0.0f);
  return (flakeLayer(b) ? flakeColor(b) : lerp(b.baseColor, b.paint->edgeColor, 0.5f)) * b.paintScale;
}

DEVICE float3 evalPaint(const Bsdf& b, float3 wi, float* pdf) {
  *pdf = 0.0f;
  if (wi.z <= 0.0f) return vec3(0.0f);
  *pdf = flakeLayer(b) ? flakePdf(flakesOf(b), b.flake, b.wo, wi) : pdfDiffuse(wi);
  if (flakeLayer(b)) return flakeColor(b) * (b.paintScale * *pdf * wi.z / maxf(b.wo.z, wi.z));
  return lerp(b.baseColor, b.paint->edgeColor, edgeWeight(b.wo, wi)) * (b.paintScale * *pdf);
}

DEVICE bool samplePaint(const Bsdf& b, float uLayer, float2 u, float3* wi, float3* deltaWeight) {
  if (!flakeLayer(b)) return sampleDiffuse(b, uLayer, u, wi, deltaWeight);
  *wi = sampleFlake(flakesOf(b), b.flake, b.wo, u);
  return wi->z > 0.0f;
}
