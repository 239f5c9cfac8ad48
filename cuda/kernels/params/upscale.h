// What upscaling reads and writes.
#pragma once

enum UpscaleFlag : uint32_t {
  UPSCALE_HISTORY = 1,   // there is an image of the previous frame
  UPSCALE_STILL = 2,     // of the same view
};

enum UpscaleLimit : uint32_t {
  UPSCALE_FRAMES = 24,   // limit of history: more is steadier, fewer adapt sooner
};

// A sample of the low-resolution image, with what it shows.
struct alignas(16) LowResPixel {
  float3 light;        // except what no finite lobe has scattered [nit]
  uint32_t albedo;     // square roots in 3 × 10 bits
  float3 position;     // of the virtual hit [m]
  uint32_t normal;     // octahedral 2 × 16 bits, or enum NoNormal
  float2 at;           // where in the low-resolution image the sample was taken [its pixels]
  uint32_t emissive;   // whether it shows light that was not scattered
  uint32_t pad;        //
};

// A low-resolution image, and the full-size history of those before it.
struct UpscaleParams {
  uint64_t samples;         // LowResPixel per pixel of the low-resolution image
  uint64_t image;           // float4 per pixel: the upsample image [nit]; how much its samples tell about this pixel
  uint64_t history;         // float4 per pixel, of the previous frame: PixelHistory, packed
  uint64_t next;            // the same of this frame
  uint64_t distances;       // float per pixel, of the previous frame: distance of the virtual hit [m]
  uint64_t nextDistances;   // the same of this frame
  uint32_t width;           // of the low-resolution image [pixels]
  uint32_t height;          // [pixels]
  uint32_t flags;           // enum UpscaleFlag
  float share;              // of the native image, while it fades in
};
