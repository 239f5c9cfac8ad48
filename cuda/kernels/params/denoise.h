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

// Planes of DenoiseParams.record, float per pixel each.
enum RecordPlane : uint32_t {
  RECORD_LIGHT = 0,      // three planes: mean irradiance of the image [nit, over albedo]
  RECORD_ERROR = 3,      // standard error of its luminance, as Tap.error
  RECORD_EMISSION = 4,   // three: what bypasses the filter [nit]
  RECORD_ALBEDO = 7,     // three: what light was divided by
  RECORD_GLOSS = 10,     // share of the albedo that glossy lobes have
  RECORD_POLISH = 11,    // the same, times 1 − roughness
  RECORD_NORMAL = 12,    // three: to the right, up and forward
  RECORD_DEPTH = 15,     // log2 of the depth along the camera's axis [m]
  RECORD_LIT = 16,       // 1 where there is a surface that could be lit
  RECORD_SURFACE = 17,   // two: how far away the surface was [pixels]; then a bit for each of four pixels that show it
  RECORD_SECOND = 20,    // the same three of the second part
  RECORD_SECOND_SHARE = 23,   // its share of the albedo
  RECORD_PLANES = 24,         //
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
  uint64_t record;       // float per pixel and plane (enum RecordPlane): what filters learn from; 0: it is not kept
  uint64_t pad1;         //
  float imageSamples;    // in the image that accumulates
  float historyCap;      // history counts for at most so many samples; 0: there is none
  uint32_t edgeRays;     // further camera rays of pixels around which others differ, so that edges are smooth
  uint32_t sceneMoved;   // 1: since the image before, so that its light may be gone
  float momentImages;    // independent samples that moments are of; a fraction where AOVs were asked for late
  uint32_t pad0;         //
};

// What the filter that has learned reads and writes. Light is in units of the exposure: 1 is white, more or less.
enum LearnedSize : uint32_t {
  LEARNED_INPUTS = 32,     // numbers that the net is given of a pixel
  LEARNED_HIDDEN = 32,     // numbers that it gives of a pixel, of which the heads are sums
  LEARNED_FEATURES = 12,   // by which pixels are compared
  LEARNED_PASSES = 5,      // each twice as wide as the one before
  LEARNED_HEADS = 22,      // features, a scale for each pass, and enum LearnedHead
};

// Halves of DenoiseParams.irradiance that this filter writes.
enum LearnedHalf : uint32_t {
  LEARNED_LIGHT = 1,   // what has been filtered
};

// The other numbers that the net gives of a pixel.
enum LearnedHead : uint32_t {
  HEAD_SCALE = 12,      // one for each pass: log of how strict it is
  HEAD_TRUST = 17,      // how much the pixel's light counts for others
  HEAD_LIGHT = 18,      // share of the past in the light that is filtered
  HEAD_FILTERED = 19,   // share of the past in what has been filtered
  HEAD_SECOND = 20,     // share of the second part in the past
  HEAD_PICTURE = 21,    // share of the past picture
};

// What is noted of a pixel, after how strict each pass is.
enum LearnedNote : uint32_t {
  NOTE_NEW = 5,    // share of this image in the light that is filtered
  NOTE_LEFT = 6,   // of the variance of that, so much is left after the passes so far
};

// Planes of what is reprojected, 8 halves per pixel each: of the surface, then of its second part.
enum LearnedPast : uint32_t {
  PAST_LIGHT = 0,      // light that was filtered, and of how many samples; −1: the surface was not seen
  PAST_FILTERED = 1,   // what came out; later the mixture of both parts, and the share that it has
  PAST_PICTURE = 2,    // what was shown; later the same
  PAST_PLANES = 3,     //
};

// A pixel as the passes of that filter read it: 16 halves.
struct alignas(16) LearnedTap {
  uint32_t halves[8];   // features; light, and how much that counts for others
};

struct LearnedParams {
  uint64_t input;          // halves, LEARNED_INPUTS per pixel, `pitch` pixels a row
  uint64_t output;         // halves, LEARNED_HIDDEN per pixel, as many a row
  uint64_t heads;          // float, LEARNED_HEADS times: as many as are hidden, and a bias
  uint64_t taps;           // LearnedTap per pixel, twice
  uint64_t past;           // 8 halves per pixel and plane: enum LearnedPast
  uint64_t scales;         // 8 halves per pixel: how strict each pass is, then enum LearnedNote
  uint64_t filtered;       // float4 per pixel: irradiance of the picture [nit]; 0: it is not kept
  uint64_t pastFiltered;   // the same of the previous image
  uint32_t pitch;          // [pixels]
  uint32_t shared;         // 1: pixels share samples
  float exposure;          // of the picture
  float samples;           // of the image, also those that err alike
};

// The two halves of the samples, and the error map that is made of them.
struct ErrorMapParams {
  uint64_t halves;       // float4 per pixel and plane: enum HalfPlane
  uint64_t halfImages;   // float4 per pixel, of one half and of the other: denoised radiance [nit]
  uint64_t errors;       // float per pixel: relative difference of the two
  uint64_t pad0;         //
};
