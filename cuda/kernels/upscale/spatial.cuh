// A small image at full size: each pixel looks at the nearest samples, and believes those that show the same surface (joint
// bilateral upsampling: Kopf et al. 2007). What they say is light over albedo. The albedo of the pixel itself, and what it shows
// of lamps and sky, come from guides at full size, so that edges and textures are sharp.
#pragma once

#include "upscale/gather.cuh"

DEVICE_TABLE float WIDE_KERNEL = 0.7f;       // standard deviation where a pixel has no history [small pixels]
DEVICE_TABLE float NARROW_KERNEL = 0.4f;     // where it has
DEVICE_TABLE float NEAR_KERNEL = 1.0f;       // within which a sample says much of a pixel [pixels]
DEVICE_TABLE float LEAST_TRUST = 1e-5f;      // in samples of other surfaces, for where there are no better ones
DEVICE_TABLE float BLACK = 1e-3f;            // added to albedo, so that what is black may send light
DEVICE_TABLE float PLANE_TOLERANCE = 1.5f;   // how far off a surface its own samples seem to be [small pixels]

// ShownPixel is what the guides say of a pixel.
struct ShownPixel {
  float3 albedo, place, normal, glow;
  bool plain;        // there is a normal
  float2 at;         // the guides' own place in the small image [its pixels]
  float2 scale;      // pixels in one of the small image
  float tolerance;   // off the plane [m]
};

DEVICE ShownPixel shownAt(uint32_t x, uint32_t y) {
  const UpscaleParams& u = frame.upscale;
  uint32_t pixel = y * frame.film.width + x;
  float2 inside = placeInPixel(x, y);
  SeenPlace seen = seenPlace(pixel);
  ShownPixel p;
  p.albedo = unpackAlbedo(packAlbedo(orBlack(meanAov(AOV_ALBEDO, pixel))));
  p.glow = glowAt(pixel);
  p.place = seen.position;
  p.plain = seen.normal != 0u;
  p.normal = p.plain ? unpackNormal(seen.normal) : vec3(0.0f);
  p.scale = make_float2((float)frame.film.width / (float)u.width, (float)frame.film.height / (float)u.height);
  p.at = make_float2(((float)x + inside.x) / p.scale.x, ((float)y + inside.y) / p.scale.y);
  p.tolerance = PLANE_TOLERANCE * footprint(p.place, u.height);
  return p;
}

// likeness is how far a sample shows what the pixel shows: lamps or none, an alike normal, and about one plane.
DEVICE float likeness(const ShownPixel& p, const SmallPixel& s) {
  if ((s.glows != 0u) == isBlack(p.glow) || (s.normal != 0u) != p.plain) return 0.0f;
  if (!p.plain) return 1.0f;
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

// gather adds a sample; the larger narrowness, the less what is far counts.
DEVICE void gather(const ShownPixel& p, const SmallPixel& s, float narrowness, Gathered* g) {
  float dx = s.at.x - p.at.x, dy = s.at.y - p.at.y;
  float alike = likeness(p, s);
  float weight = expf(-narrowness * (dx * dx + dy * dy)) * (alike + LEAST_TRUST);
  float far = sqr(dx * p.scale.x) + sqr(dy * p.scale.y);
  g->light += s.light * weight;
  g->albedo += (unpackAlbedo(s.albedo) + vec3(BLACK)) * weight;
  g->nearness = maxf(g->nearness, alike * expf(far * (-0.5f / sqr(NEAR_KERNEL))));
}

// upsampled is the small image at pixel (x, y) [nit]; w is how much its samples say of this pixel, up to 1. The narrower the
// kernel, the sharper and noisier.
DEVICE float4 upsampled(uint32_t x, uint32_t y, float deviation) {
  const UpscaleParams& u = frame.upscale;
  ShownPixel p = shownAt(x, y);
  uint32_t sx = minu((uint32_t)p.at.x, u.width - 1), sy = minu((uint32_t)p.at.y, u.height - 1);
  Gathered g = {};
  for (uint32_t j = sy > 0 ? sy - 1 : 0; j <= minu(sy + 1, u.height - 1); j++)
    for (uint32_t i = sx > 0 ? sx - 1 : 0; i <= minu(sx + 1, u.width - 1); i++)
      gather(p, fetch<SmallPixel>(u.samples, j * u.width + i), 0.5f / sqr(deviation), &g);
  float3 a = p.albedo + vec3(BLACK);
  float3 L =
      p.glow + make_float3(a.x * g.light.x / g.albedo.x, a.y * g.light.y / g.albedo.y, a.z * g.light.z / g.albedo.z);
  return make_float4(L.x, L.y, L.z, g.nearness);
}

KERNEL(upscale_spatial, 128, 1, upscaling) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  const UpscaleParams& u = frame.upscale;
  uint32_t pixel = y * frame.film.width + x;
  float known = (u.flags & UPSCALE_HISTORY) ? framesOf(pointer<const float4>(u.history)[pixel]) : 0.0f;
  float deviation = lerp(WIDE_KERNEL, NARROW_KERNEL, saturate(known * (1.0f / SHARP_AFTER)));
  pointer<float4>(u.image)[pixel] = upsampled(x, y, deviation);
}
