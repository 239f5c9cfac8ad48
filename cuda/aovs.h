// aovs.h: what is kept of each pixel besides its light, and what denoisers make of it, as far as that crosses between Go and
// the kernels. What params.h says of its lines is true of these.
#pragma once

// Planes of Frame.aovs, float4 per pixel each. The first few serve denoisers, all of them views and layers.
enum AovPlane : uint32_t {
  AOV_ALBEDO = 0,            // sum over samples; w their number, by weight
  AOV_NORMAL = 1,            // the same
  AOV_DENOISER_PLANES = 2,   // what OIDN reads
  AOV_GLOW = 2,              // sum of the light that no finite lobe has scattered [nit]; w as above
  AOV_SEEN = 3,              // of the first sample: where what it shows seems to be [m]; w: enum Seen
  AOV_MOMENTS = 4,           // sums of luminance [nit] and of its square; w as above
  AOV_FILTER_PLANES = 5,     // what the built-in filter and history read
  AOV_PLACE = 5,             // of the first sample: position [m], depth along the camera's axis [m]
  AOV_IDS = 6,      // of the first sample: material, object, or −1; then how far it moved in the image [pixels]
  AOV_DIRECT = 7,   // sum over samples of direct light [nit]; w their number, by weight
  AOV_PLANES = 8,   //
};

// What a pixel shows, for the most part.
enum Seen : uint32_t {
  SEEN_NOTHING = 0,
  SEEN_SURFACE = 1,
  SEEN_LAMP = 2,   // a surface that glows and reflects nothing
};

// Planes of Frame.denoiser, float4 per pixel each.
enum DenoisePlane : uint32_t {
  DENOISE_COLOR = 0,    // mean radiance [nit]; of the built-in filter what it leaves alone: AOV_GLOW
  DENOISE_ALBEDO = 1,   //
  DENOISE_NORMAL = 2,   // of the built-in filter, once it fades, the light before it, and its error
  DENOISE_PLANES = 3,   //
};

// Where what a pixel shows is, for the next image to find it again.
struct alignas(16) SeenPlace {
  float3 position;   // as AOV_SEEN [m]
  uint32_t normal;   // octahedral 2 × 16 bits; 0 where there is none
};

// What the built-in filter reads and writes of a pixel: see atrous.cuh.
struct alignas(16) Signal {
  uint32_t redGreen;      // mantissas, 16 bits each
  uint32_t blueError;     // mantissa; standard error of the luminance, the upper half of a float, negative when unknown
  uint32_t normalScale;   // 3 × 8 bits; the mantissas' exponent
  float depth;            // along the camera's axis [m]
};

// Passes of the built-in filter.
enum AtrousPass : uint32_t {
  ATROUS_PASSES = 5,        // each twice as wide as the one before
  ATROUS_WIDE_PASSES = 1,   // the first has 5×5 taps, the others 3×3
};

// The argument of steady_picture.
enum Steadying : uint32_t {
  STEADY_SHARP = 0,   // pictures have smooth edges
  STEADY_SOFT = 1,    // edges are as jagged as the samples are few
};

// What film shows.
enum Shown : uint32_t {
  SHOWN_IMAGE = 0,
  SHOWN_DENOISED = 1,
  SHOWN_DIRECT = 2,
  SHOWN_INDIRECT = 3,   // up to here it is light, and developed like light
  SHOWN_ALBEDO = 4,
  SHOWN_NORMAL = 5,
  SHOWN_DEPTH = 6,
  SHOWN_POSITION = 7,
  SHOWN_MATERIAL = 8,
  SHOWN_OBJECT = 9,
  SHOWN_SAMPLES = 10,
  SHOWN_VARIANCE = 11,
  SHOWN_MOTION = 12,
  SHOWN_TRUST = 13,
};
