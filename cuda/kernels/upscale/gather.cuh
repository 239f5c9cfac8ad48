// The samples of a low-resolution image, packed for upscaling, and the history of each pixel. In upscale_gather the
// frame is that of the low-resolution image.
#pragma once

#include "denoise/history.cuh"
#include "film/film.cuh"

// packAlbedo stores square roots, which are finer where it is dark.
DEVICE uint32_t packAlbedo(float3 a) {
  float3 s = make_float3(safeSqrt(a.x), safeSqrt(a.y), safeSqrt(a.z)) * 1023.0f + vec3(0.5f);
  return minu((uint32_t)s.x, 1023u) | minu((uint32_t)s.y, 1023u) << 10 | minu((uint32_t)s.z, 1023u) << 20;
}

DEVICE float3 unpackAlbedo(uint32_t p) {
  float3 s = make_float3((float)(p & 1023u), (float)(p >> 10 & 1023u), (float)(p >> 20 & 1023u)) * (1.0f / 1023.0f);
  return s * s;
}

// samplePosition is where in its pixel, a unit square, the frame's sample is taken: the same as in beginPath.
DEVICE float2 samplePosition(uint32_t x, uint32_t y) {
  if (!(frame.sampling.flags & FRAME_ANTIALIAS)) return make_float2(0.5f, 0.5f);
  Sampler s = beginSampler(x, y, frame.sampling.sampleIndex, frame.sampling.seed);
  return sample2(s);
}

// footprint is the side of a pixel at a point, for an image of so many rows [m].
DEVICE float footprint(float3 place, uint32_t height) {
  const Camera& c = frame.camera;
  if (c.orthoHalfHeight > 0.0f) return 2.0f * c.orthoHalfHeight / (float)height;
  return 2.0f * length(place - c.eye) * c.tanHalfFovY / (float)height;
}

// emissiveAt is the light that a pixel shows without any scattering.
DEVICE float3 emissiveAt(uint32_t pixel) { return finiteOrBlack(meanGuide(AOV_EMISSIVE, pixel)); }

KERNEL(upscale_gather, 128, 1, upscaling) {
  if (index >= frame.film.width * frame.film.height) return;
  uint32_t x = index % frame.film.width, y = index / frame.film.width;
  float4 sum = pointer<const float4>(frame.display.shown == SHOWN_DENOISED ? frame.denoise.denoised
                                                                           : frame.film.accumulation)[index];
  if (frame.display.shown == SHOWN_DENOISED) sum.w = 1.0f;
  float3 emissive = emissiveAt(index), L = (sum.w > 0.0f ? finiteOrBlack(xyz(sum) / sum.w) : vec3(0.0f)) - emissive;
  VirtualHit seen = virtualHit(index);
  LowResPixel p = {};
  p.light = make_float3(maxf(L.x, 0.0f), maxf(L.y, 0.0f), maxf(L.z, 0.0f));
  p.albedo = packAlbedo(finiteOrBlack(meanGuide(AOV_ALBEDO, index)));
  p.position = seen.position;
  p.normal = seen.normal;
  p.at = make_float2((float)x, (float)y) + samplePosition(x, y);
  p.emissive = isBlack(emissive) ? 0u : 1u;
  pointer<LowResPixel>(frame.upscale.samples)[index] = p;
}

// --- History --------------------------------------------------------------------------------------------------------

DEVICE_TABLE float SHARP_AFTER = 6.0f;   // frames, samples are spread no farther than must be

// PixelHistory is a pixel's accumulated radiance, for how many frames it stands, and how much their luminance varies.
struct PixelHistory {
  float3 L;          // [nit]
  float frames;      // accumulated
  float deviation;   // of their luminance [nit]
};

// Frames are stored in the lower 16 bits of w, in 256ths; the deviation in the upper ones, as a truncated float.
DEVICE float4 packHistory(const PixelHistory& m) {
  uint32_t frames = (uint32_t)(clampf(m.frames, 0.0f, 255.0f) * 256.0f);
  return make_float4(m.L.x, m.L.y, m.L.z, bitsFloat((floatBits(m.deviation) & 0xffff0000u) | frames));
}

DEVICE float framesOf(float4 packed) { return (float)(floatBits(packed.w) & 0xffffu) * (1.0f / 256.0f); }

DEVICE PixelHistory unpackHistory(float4 packed) {
  return {xyz(packed), framesOf(packed), bitsFloat(floatBits(packed.w) & 0xffff0000u)};
}
