// A small image at full size: each pixel looks at the nearest samples, and believes those that show the same surface (joint
// bilateral upsampling: Kopf et al. 2007). What they say is light over albedo; the albedo of the pixel itself, from guides at
// full size, brings edges and textures.
#pragma once

#include "upscale_gather.cuh"
#include "upscale_history.cuh"

#define WIDE_KERNEL frame.upscaling.tune[0] //TUNE       // standard deviation where a pixel has no history [small pixels]
#define NARROW_KERNEL frame.upscaling.tune[1] //TUNE     // where it has
#define NEAR_KERNEL frame.upscaling.tune[2] //TUNE       // within which a sample says all of a pixel [pixels]
DEVICE_TABLE float LEAST_TRUST = 1e-5f;      // in samples of other surfaces, for where there are no better ones
DEVICE_TABLE float LEAST_ALBEDO = 1e-3f;     // so that a black surface may send light
#define PLANE_TOLERANCE frame.upscaling.tune[7] //TUNE   // how far off a surface its own samples seem to be [small pixels]

// Shown is what the guides say of a pixel.
struct ShownPixel {
  float3 albedo, place, normal;
  float material;
  float2 at;         // the guides' own place in the small image [its pixels]
  float2 scale;      // pixels in one of the small image
  float tolerance;   // off the plane [m]
  bool plain;        // there is a normal
};

DEVICE ShownPixel shownAt(uint32_t x, uint32_t y) {
  const Upscaling& u = frame.upscaling;
  uint32_t pixel = y * frame.width + x;
  float2 inside = placeInPixel(x, y);
  ShownPixel p;
  p.albedo = unpackAlbedo(packAlbedo(finiteOr0(meanAov(AOV_ALBEDO, pixel))));
  p.place = xyz(*aovAt(AOV_PLACE, pixel));
  p.material = aovAt(AOV_IDS, pixel)->x;
  uint32_t normal = packDirection(meanAov(AOV_NORMAL, pixel));
  p.plain = normal != 0u;
  p.normal = p.plain ? unpackNormal(normal) : vec3(0.0f);
  p.scale = make_float2((float)frame.width / (float)u.width, (float)frame.height / (float)u.height);
  p.at = make_float2(((float)x + inside.x) / p.scale.x, ((float)y + inside.y) / p.scale.y);
  p.tolerance = PLANE_TOLERANCE * footprint(p.place, u.height);
  return p;
}

// likeness is how far a sample shows what the pixel shows: the same material, an alike normal, and about one plane.
DEVICE float likeness(const ShownPixel& p, const SmallPixel& s) {
  if (p.material != s.material) return 0.0f;
  if (!p.plain || s.normal == 0u) return p.plain == (s.normal != 0u) ? 1.0f : 0.0f;
  float alike = maxf(dot(p.normal, unpackNormal(s.normal)), 0.0f);
  float off = absf(dot(p.normal, s.place - p.place));
  alike *= alike;
  alike *= alike;
  alike *= alike;
  return alike * alike / (1.0f + sqr(off / p.tolerance));
}

// Gathered are sums over samples: what upsampling is made of.
struct Gathered {
  float3 light, albedo;
  float nearness;
};

DEVICE void gather(const ShownPixel& p, const SmallPixel& s, float narrowness, Gathered* g) {
  float dx = s.at.x - p.at.x, dy = s.at.y - p.at.y;
  float alike = likeness(p, s);
  float weight = expf(-narrowness * (dx * dx + dy * dy)) * (alike + LEAST_TRUST);
  float far = sqr(dx * p.scale.x) + sqr(dy * p.scale.y);
  g->light += s.light * weight;
  g->albedo += (unpackAlbedo(s.albedo) + vec3(LEAST_ALBEDO)) * weight;
  g->nearness = maxf(g->nearness, alike * expf(far * (-0.5f / sqr(NEAR_KERNEL))));
}

// upsampled is the small image at pixel (x, y) [nit]; w is how much its samples say of this pixel, up to 1. The narrower the
// kernel, the sharper and noisier.
DEVICE float4 upsampled(uint32_t x, uint32_t y, float deviation) {
  const Upscaling& u = frame.upscaling;
  ShownPixel p = shownAt(x, y);
  uint32_t sx = minu((uint32_t)p.at.x, u.width - 1), sy = minu((uint32_t)p.at.y, u.height - 1);
  Gathered g = {};
  for (uint32_t j = sy > 0 ? sy - 1 : 0; j <= minu(sy + 1, u.height - 1); j++)
    for (uint32_t i = sx > 0 ? sx - 1 : 0; i <= minu(sx + 1, u.width - 1); i++)
      gather(p, fetch<SmallPixel>(u.samples, j * u.width + i), 0.5f / sqr(deviation), &g);
  float3 a = p.albedo + vec3(LEAST_ALBEDO);
  float3 L = make_float3(a.x * g.light.x / g.albedo.x, a.y * g.light.y / g.albedo.y, a.z * g.light.z / g.albedo.z);
  return make_float4(L.x, L.y, L.z, g.nearness);
}

KERNEL(upscale_spatial) {
  uint32_t x, y;
  if (!pixelOf(index, frame.width, frame.height, &x, &y)) return;
  const Upscaling& u = frame.upscaling;
  uint32_t pixel = y * frame.width + x;
  float known = (u.flags & UPSCALE_HISTORY) ? framesOf(pointer<const float4>(u.history)[pixel]) : 0.0f;
  float deviation = lerp(WIDE_KERNEL, NARROW_KERNEL, saturate(known * (1.0f / SHARP_AFTER)));
  pointer<float4>(u.image)[pixel] = upsampled(x, y, deviation);
}
