// What upscaling reads and writes.
#pragma once

enum UpscaleFlag : uint32_t {
  UPSCALE_HISTORY = 1,   // there is an image of the frame before
  UPSCALE_STILL = 2,     // of the same view
};

enum UpscaleLimit : uint32_t {
  UPSCALE_FRAMES = 24,   // that history stands for at most: more is steadier, less follows sooner
};

// A sample of the small image, with what it shows.
struct alignas(16) SmallPixel {
  float3 light;      // but for what no finite lobe has scattered [nit]
  uint32_t albedo;   // square roots in 3 × 10 bits
  float3 place;      // of what is seen, as AOV_SEEN [m]
  uint32_t normal;   // octahedral 2 × 16 bits; 0: none
  float2 at;         // in the small image, where the sample was taken [its pixels]
  uint32_t glows;    // whether it shows something that sends light by itself
  uint32_t pad;      //
};

// A small image, and what became of those before it at full size.
struct UpscaleParams {
  uint64_t samples;     // SmallPixel per pixel of the small image
  uint64_t image;       // float4 per pixel: the small image at full size [nit]; how much its samples say of this pixel
  uint64_t history;     // float4 per pixel, of the frame before: [nit]; frames that it stands for, and their deviation
  uint64_t next;        // the same of this frame
  uint64_t distances;   // float per pixel, of the frame before: how far away what it shows seems to be [m]
  uint64_t nextDistances;   // the same of this frame
  uint32_t width;           // of the small image [pixels]
  uint32_t height;          // [pixels]
  uint32_t flags;           // enum UpscaleFlag
  float share;              // of the image at full size, where both are shown
};
