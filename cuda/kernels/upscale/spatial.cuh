// Joint bilateral upsampling of a low-resolution image (Kopf et al. 2007): each pixel looks at the nearest samples and
// trusts those that show the same surface. They give light over albedo. The albedo of the pixel itself, and what it
// shows of lamps and sky, come from guides at full size, so that edges and textures are sharp.
#pragma once

#include "upscale/gather.cuh"

DEVICE_TABLE float WIDE_KERNEL = 0.7f;     // standard deviation where a pixel has no history [low-resolution pixels]
DEVICE_TABLE float NARROW_KERNEL = 0.4f;   // where it has
DEVICE_TABLE float NEAR_KERNEL = 1.0f;     // within which a sample tells much about a pixel [pixels]
DEVICE_TABLE float MIN_WEIGHT = 1e-5f;     // of samples of other surfaces, for where there are no better ones
DEVICE_TABLE float BLACK = 1e-3f;          // added to albedo, so that black surfaces do not divide by zero
DEVICE_TABLE float PLANE_TOLERANCE =
    1.5f;   // greatest distance of a surface's own samples from its plane [low-resolution pixels]

// GuidePixel is what the guides tell about a pixel.
struct GuidePixel {
  float3 albedo, position, normal, emissive;
  uint32_t packedNormal;   // or enum NoNormal
  float2 at;               // of the guides, in the low-resolution image [its pixels]
  float2 scale;            // pixels per low-resolution pixel
  float tolerance;         // off the plane [m]
};

DEVICE GuidePixel guidesAt(uint32_t x, uint32_t y) {
  const UpscaleParams& u = frame.upscale;
  uint32_t pixel = y * frame.film.width + x;
  float2 inside = samplePosition(x, y);
  VirtualHit seen = virtualHit(pixel);
  GuidePixel p;
  p.albedo = unpackAlbedo(packAlbedo(finiteOrBlack(meanGuide(AOV_ALBEDO, pixel))));
  p.emissive = emissiveAt(pixel);
  p.position = seen.position;
  p.packedNormal = seen.normal;
  p.normal = unpackNormal(seen.normal);
  p.scale = make_float2(exactDiv((float)frame.film.width, (float)u.width),
                        exactDiv((float)frame.film.height, (float)u.height));
  p.at = make_float2(exactDiv((float)x + inside.x, p.scale.x), exactDiv((float)y + inside.y, p.scale.y));
  p.tolerance = PLANE_TOLERANCE * footprint(p.position, u.height);
  return p;
}

// similarity is how well a sample shows what the pixel shows: both emissive or not, similar normals, and about one
// plane.
DEVICE float similarity(const GuidePixel& p, const LowResPixel& s) {
  if ((s.emissive != 0u) == isBlack(p.emissive)) return 0.0f;
  if (minu(s.normal, p.packedNormal) <= NORMAL_BEYOND) return s.normal == p.packedNormal ? 1.0f : 0.0f;
  float alike = maxf(dot(p.normal, unpackNormal(s.normal)), 0.0f);
  float off = absf(dot(p.normal, s.position - p.position));
  alike *= alike;
  alike *= alike;
  alike *= alike;
  return alike * alike / (1.0f + sqr(off / p.tolerance));
}

// UpsampleSums are weighted sums over samples.
struct UpsampleSums {
  float3 light, albedo;
  float nearness;
};

// gather adds a sample; the larger narrowness, the less distant samples count.
DEVICE void gather(const GuidePixel& p, const LowResPixel& s, float narrowness, UpsampleSums* g) {
  float dx = s.at.x - p.at.x, dy = s.at.y - p.at.y;
  float alike = similarity(p, s);
  float weight = expf(-narrowness * (dx * dx + dy * dy)) * (alike + MIN_WEIGHT);
  float far = sqr(dx * p.scale.x) + sqr(dy * p.scale.y);
  g->light += s.light * weight;
  g->albedo += (unpackAlbedo(s.albedo) + vec3(BLACK)) * weight;
  g->nearness = maxf(g->nearness, alike * expf(far * (-0.5f / sqr(NEAR_KERNEL))));
}

// upsample is the low-resolution image at pixel (x, y) [nit]; w is how much its samples tell about this pixel, up to 1.
// The narrower the kernel, the sharper and noisier.
DEVICE float4 upsample(uint32_t x, uint32_t y, float deviation) {
  const UpscaleParams& u = frame.upscale;
  GuidePixel p = guidesAt(x, y);
  uint32_t sx = minu((uint32_t)p.at.x, u.width - 1), sy = minu((uint32_t)p.at.y, u.height - 1);
  UpsampleSums g = {};
  for (uint32_t j = sy > 0 ? sy - 1 : 0; j <= minu(sy + 1, u.height - 1); j++)
    for (uint32_t i = sx > 0 ? sx - 1 : 0; i <= minu(sx + 1, u.width - 1); i++)
      gather(p, fetch<LowResPixel>(u.samples, j * u.width + i), 0.5f / sqr(deviation), &g);
  float3 a = p.albedo + vec3(BLACK);
  float3 L = p.emissive +
             make_float3(a.x * g.light.x / g.albedo.x, a.y * g.light.y / g.albedo.y, a.z * g.light.z / g.albedo.z);
  return make_float4(L.x, L.y, L.z, g.nearness);
}

KERNEL(upscale_spatial, 128, 1, upscaling) {
  uint32_t x, y;
  if (!pixelOf(index, frame.film.width, frame.film.height, &x, &y)) return;
  const UpscaleParams& u = frame.upscale;
  uint32_t pixel = y * frame.film.width + x;
  float known = (u.flags & UPSCALE_HISTORY) ? framesOf(pointer<const float4>(u.history)[pixel]) : 0.0f;
  float deviation = lerp(WIDE_KERNEL, NARROW_KERNEL, saturate(known * (1.0f / SHARP_AFTER)));
  pointer<float4>(u.image)[pixel] = upsample(x, y, deviation);
}
