// What denoisers read and write of a pixel.
#pragma once

// Planes of Frame.denoise.inputs, float4 per pixel each.
enum DenoisePlane : uint32_t {
  DENOISE_COLOR = 0,     // mean radiance [nit]; of the built-in filter what bypasses it: AOV_EMISSIVE
  DENOISE_ALBEDO = 1,    // what light is divided by; w: luminance of what is shown
  DENOISE_NORMAL = 2,    // for OIDN
  DENOISE_SAMPLES = 2,   // of the built-in filter: its input and the error of that; balance.cuh reuses it
  DENOISE_PLANES = 3,    //
};

// What stands for normals where there are none.
enum NoNormal : uint32_t {
  NORMAL_NONE = 0,     // nothing is seen, or many that cancel out
  NORMAL_BEYOND = 1,   // nothing is seen through glass or in a mirror
};

// The point that a pixel shows, as far along the camera ray as the path through mirrors is long: what reprojection follows.
struct alignas(16) VirtualHit {
  float3 position;   // as AOV_VIRTUAL_HIT [m]
  uint32_t normal;   // octahedral 2 × 16 bits, or enum NoNormal
};

// Demodulated light of a pixel, which the built-in filter reads and writes: see denoise/atrous.cuh.
struct alignas(16) Irradiance {
  uint32_t redGreen;      // mantissas, 16 bits each
  uint32_t blueError;     // mantissa; standard error of the luminance, the upper half of a float, negative when unknown
  uint32_t normalScale;   // 3 × 8 bits; the mantissas' exponent
  float depth;            // along the camera's axis [m]; in its last bits curvature and gloss
};

// Passes of the built-in filter.
enum AtrousPass : uint32_t {
  ATROUS_PASSES = 5,        // each twice as wide as the one before
  ATROUS_WIDE_PASSES = 1,   // the first has 5×5 taps, the others 3×3
};

// How much the built-in filter trusts an image's samples: of as many, it may do more harm than good; of fewer, errors are too uncertain
// to tell.
enum AtrousTrust : uint32_t {
  CONVERGED_SAMPLES = 64,   //
};

// Blocks of pixels over which the error of the built-in filter is measured.
enum Balance : uint32_t {
  BALANCE_SIDE = 4,   // [pixels]
};

// How a live view's edges are smoothed.
enum EdgeLimit : uint32_t {
  EDGE_RAYS = 2,   // DenoiseParams.edgeRays at most: there is room for so many
};

// Planes of Frame.errorMap.halves, float4 per pixel each.
enum HalfPlane : uint32_t {
  HALF_EVEN = 0,     // sum over samples with even numbers; w their number, by weight
  HALF_ODD = 1,      // over the others
  HALF_BEFORE = 2,   // the accumulation one sample ago
  HALF_PLANES = 3,   //
};

// What denoisers read and write, and what they carry over from image to image.
struct DenoiseParams {
  uint64_t inputs;             // float4 per pixel and plane: enum DenoisePlane
  uint64_t denoised;           // float4 per pixel: radiance [nit]
  uint64_t irradiance;         // Irradiance per pixel, twice
  uint64_t virtualHits;        // VirtualHit per pixel, of this image; 0: there is no history
  uint64_t pastVirtualHits;    // VirtualHit per pixel, of the image that the previous camera saw
  uint64_t stabilized;         // float4 per pixel: what is shown [nit], and of how many samples it is (withShare)
  uint64_t pastStabilized;     // the same of the previous image
  uint64_t light;              // float4 per pixel: mean irradiance, and mean squared luminance
  uint64_t pastLight;          // the same of the previous image
  uint64_t lightSamples;       // float per pixel: the number of samples that `light` stands for
  uint64_t pastLightSamples;   // the same of the previous image
  float imageSamples;          // in the image that accumulates
  float historyCap;            // history counts for at most so many samples; 0: there is none
  uint32_t edgeRays;           // further camera rays of pixels around which others differ, so that edges are smooth
  uint32_t sceneMoved;         // 1: since the image before, so that its light may be gone
  float momentImages;          // independent samples that moments are of; a fraction where AOVs were asked for late
  uint32_t pad0;               //
};

// The two halves of the samples, and the error map that is made of them.
struct ErrorMapParams {
  uint64_t halves;       // float4 per pixel and plane: enum HalfPlane
  uint64_t halfImages;   // float4 per pixel, of one half and of the other: denoised radiance [nit]
  uint64_t errors;       // float per pixel: relative difference of the two
  uint64_t pad0;         //
};
