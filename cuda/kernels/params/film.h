// What is stored for each pixel, and the counters of all.
#pragma once

enum Counter : uint32_t {
  COUNTER_NONFINITE = 0,        // samples dropped
  COUNTER_EXTENSION_RAYS = 1,   // closest-hit rays
  COUNTER_SHADOW_RAYS = 2,      // any-hit rays
  COUNTER_PATHS = 3,            // camera paths
  COUNTER_GUIDES_WAIT = 4,      // not a count: 1 + the last sample's index of which a pixel waits for follow_guides
  COUNTER_NONFINITE_AT = 5,     // not a count: pixel of the last sample dropped; in the upper half its index
  COUNTER_ALIVE = 8,            // + b: paths that scattered b times and continue, b < 56
  COUNTER_CLASS = 64,           // + enum MaterialClass: hits shaded, with SORT_CLASS
  COUNTER_COUNT = 72,
};

// Planes of Frame.film.aovs, float4 per pixel each. The first few serve denoisers, all of them views and layers.
enum AovPlane : uint32_t {
  AOV_ALBEDO = 0,            // sum over guides; w their number, by weight
  AOV_NORMAL = 1,            // the same sum
  AOV_DENOISER_PLANES = 2,   // what OIDN reads
  AOV_EMISSIVE = 2,          // the same sum, of light that no finite lobe scattered [nit]; w: of hidden background
  AOV_GLOSS = 3,             // sums over guides: x glossy albedo, y that × (1 − roughness); z, w: luminance, squared
  AOV_VIRTUAL_HIT = 4,       // of the first sample: virtual hit [m]; w: Sight, packed (film.cuh)
  AOV_FILTER_PLANES = 5,     // what the built-in filter and history read
  AOV_POSITION = 5,          // of the first sample: position [m], depth along the camera's axis [m]
  AOV_IDS = 6,      // of the first sample: material, object, or −1; then how far it moved in the image [pixels]
  AOV_DIRECT = 7,   // sum over samples of direct light [nit]; w their number, by weight
  AOV_PLANES = 8,   //
  AOV_NONE = 255,   // no plane
};

// The AOVs: what is kept of each pixel besides its light, a view of the window and a layer of an EXR file. An AOV is a row,
// and the line in a kernel that writes its plane:
//   X(NAME, Source, PLANE, first channel, "channels", "help")                         what is shown as light is
//   X(NAME, Source, PLANE, first channel, View, "channels", "scale", "help")          all else
// Source: how the values come from what is kept, aov… in film/film.cuh and in cuda/aov.go:
//   Mean of the samples; Guide, mean of the guides; First sample's; Rest, light without that mean; Moments, the variance of
//   the mean; Samples, their number; Own, something in a buffer of its own, which its View reads
// View: in which colours it is shown, show… in display/views.cuh; "scale" is what their low end, middle and high end mean.
// gen makes the table cuda.AOVs and the constants Shown… of these rows.
#define LIGHT_AOVS(X)                                                                     \
  X(DIRECT, Mean, AOV_DIRECT, 0, "R G B",                                                 \
    "light that was scattered once at most, not counting mirrors and smooth glass [nit]") \
  X(INDIRECT, Rest, AOV_DIRECT, 0, "R G B", "the rest of the light [nit]: with direct it is the image")

#define VIEW_AOVS(X)                                                                                               \
  X(ALBEDO, Guide, AOV_ALBEDO, 0, Color, "R G B", "", "colour without light")                                      \
  X(NORMAL, Guide, AOV_NORMAL, 0, Direction, "X Y Z", "", "shading normal: 0 at −1, full at 1")                    \
  X(DEPTH, First, AOV_POSITION, 3, Depth, "Z", "", "along the camera's axis, dark near and bright far [m]")        \
  X(POSITION, First, AOV_POSITION, 0, Position, "X Y Z", "", "a wave per axis, as long as the scene's radius [m]") \
  X(MATERIAL, First, AOV_IDS, 0, Number, "I", "", "number in the file; −1 for none")                               \
  X(OBJECT, First, AOV_IDS, 1, Number, "I", "", "number of what was placed in the scene; −1 for none")             \
  X(MOTION, First, AOV_IDS, 2, Motion, "X Y", "",                                                                  \
    "in the image since the frame before [pixels]: red to the right, green down, 16 at full")                      \
  X(SAMPLES, Samples, AOV_NONE, 0, Count, "N", "", "in the pixel, logarithmic up to 65536")                        \
  X(VARIANCE, Moments, AOV_GLOSS, 2, RelativeError, "V", "1/1024 | 1/32 | 1",                                      \
    "of the pixel's mean luminance [nit²]; shown as relative standard error, logarithmic from 1/1024 to 1")        \
  X(TRUST, Own, AOV_NONE, 0, ErrorMap, "T", "1/256: agreed | 1/16 | 1: not to be trusted",                         \
    "how far two halves of the samples are apart once each is denoised, relative: about the error that is left; "  \
    "logarithmic from 1/256 to 1")

// What the largest part of a pixel shows.
enum Seen : uint32_t {
  SEEN_NOTHING = 0,
  SEEN_SURFACE = 1,
  SEEN_EMITTER = 2,   // a surface that emits light and reflects none
  SEEN_BEYOND = 3,    // nothing, through glass or in a mirror
  SEEN_LOST = 4,      // what more mirrors and glass show than are followed
};

// How samples are added up.
enum SampleBlock : uint32_t {
  BLOCK_SAMPLES = 16,   // that are added up before they are added to others
};

// Blocks are sums over successive samples. The samples of one sequence are spread evenly, so that their mean errs less than that of as many
// independent ones; samples that share history err alike, so that it errs more. How much the sums of blocks vary tells both. The block
// that is under way is what they lack of the moments.
struct Blocks {
  float sum;       // of the luminance in blocks that are whole [nit]
  float squares;   // of each such block the square of its sum over its weight [nit²]
};

// The image that accumulates, and what is kept of each pixel besides its light.
struct FilmParams {
  uint64_t accumulation;    // float4 per pixel: sum of radiance, number of samples
  uint64_t preview;         // float4 per preview pixel: a smaller image, as sums or means
  uint64_t previewAovs;     // its planes, as aovs are; 0: none
  uint64_t aovs;            // float4 per pixel and plane: enum AovPlane
  uint64_t counters;        // uint64_t × COUNTER_COUNT
  uint64_t momentsImage;    // the accumulation whose samples moments are of, also where a half of it is denoised
  uint64_t movement;        // float4 per pixel: to where its virtual hit was before [m]; 0: nothing moves
  uint64_t blocks;          // Blocks of the luminance per pixel (film.cuh); 0: they are not kept
  float momentsSince;       // samples of the image that moments of its light leave out
  uint32_t width;           // [pixels]
  uint32_t height;          // [pixels]
  uint32_t previewWidth;    // [pixels]
  uint32_t previewHeight;   // [pixels]
  uint32_t tiledPixels;     // launch indices of one image, in whole 8×4 tiles
  uint32_t aovPlanes;       // that are stored; 0: none
  float sampleWeight;       // of this frame in the accumulation
  uint32_t previewMeans;    // 1: preview holds means; 0: sums, with the number of samples
  float clamp;              // largest channel that a sample keeps, which biases the mean [nit]; 0: no bound
  uint32_t pad0;            //
  uint32_t pad1;            //
};

// The first hits of camera rays, which a resting view may keep.
struct FirstHitParams {
  uint64_t hits;     // Hit per launch index of the image, of camera rays; 0: they are not stored
  uint32_t sample;   // whose point in pixel and lens the stored camera rays go through
  uint32_t seed;     // of that point
};

// The objects that guides number.
struct GuideParams {
  uint64_t objects;       // uint32_t per object: its first face
  uint32_t objectCount;   //
  uint32_t pad0;          //
};
