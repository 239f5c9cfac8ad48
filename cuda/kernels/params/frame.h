// The frame: all that its kernels read. With the headers beside it, every struct that crosses between Go and the kernels.
//
// cuda/tools/gen reads all of these line by line and writes params_gen.go (the Go twins) and layout_gen.h (sizeof and offsetof
// of each field as the C++ compiler lays them out, which a test compares with Go). So: one field a line, `type name;  // what
// [unit]`; fixed-width types only; no bool; a float3 is followed by a scalar; a device pointer is a uint64_t. What kernels read
// one by one is alignas(16) and as long as a multiple of it, so that it is fetched by whole vectors.
// Enumerations are `enum Name : uint32_t`, one value a line.
#pragma once

#include "params/bvh.h"
#include "params/denoise.h"
#include "params/display.h"
#include "params/film.h"
#include "params/light.h"
#include "params/motion.h"
#include "params/net.h"
#include "params/replay.h"
#include "params/restir.h"
#include "params/scene.h"
#include "params/upscale.h"
#include "params/wavefront.h"

// How a ray leaves its pixel: a thin lens, or parallel rays when orthoHalfHeight > 0.
struct Camera {
  float3 eye;              // centre of the lens [m]
  float apertureRadius;    // 0 is a pinhole [m]
  float3 right;            // unit
  float focusDistance;     // along forward, to the plane of sharp focus [m]
  float3 up;               // unit
  float tanHalfFovY;       // of the vertical field of view
  float3 forward;          // unit
  float aspect;            // width / height
  float orthoHalfHeight;   // half of the height seen, 0 for perspective [m]
  uint32_t blades;         // of the aperture, which is a polygon then; 0: it is round
  uint32_t pad0;           //
  uint32_t pad1;           //
};

enum Sampling : uint32_t {
  SAMPLING_BSDF = 0,    // emitters are found by chance; only lights without area are sampled
  SAMPLING_LIGHT = 1,   // emitters are sampled; chance hits count only behind delta lobes
  SAMPLING_MIS = 2,     // both, weighted by the power heuristic
  SAMPLING_NAIVE = 3,   // no shadow ray ever
};

enum FrameFlag : uint32_t {
  FRAME_ROULETTE = 1,              // Russian roulette
  FRAME_ANTIALIAS = 2,             // jitter inside the pixel
  FRAME_ENERGY_COMPENSATION = 4,   // multiple scattering between microfacets
  FRAME_STATISTICS = 8,            // count rays and living paths
  FRAME_FLIP_Y = 16,               // resolve writes row 0 at the bottom, as OpenGL reads it
  FRAME_REPLACE = 32,              // samples replace what was accumulated
  FRAME_NO_DIRECT = 64,            // leave out emission and direct light
  FRAME_NO_INDIRECT = 128,         // leave out light that finite lobes scattered twice or more
  FRAME_CULL = 256,                // camera rays pass the backs of single-sided surfaces
  FRAME_FIRST_HITS = 512,          // first hits are stored: camera rays are not traced
  FRAME_KEEP_SKY = 1024,           // guides of pixels that show the sky are of one sample
  FRAME_SCHLICK = 2048,            // dielectrics by Schlick's approximation
  FRAME_KEEP_GUIDES = 4096,        // this sample adds nothing to guides that have many already
  FRAME_REFLECTIONS = 8192,        // guides tell where rough surfaces' reflections seem to be
  FRAME_HIDE_BACKGROUND = 16384,   // the environment lights the scene, but the camera does not see it
};

// How paths are sampled.
struct SamplingParams {
  uint64_t cameraMedia;     // MediumStack: the volumes that the camera is in
  uint64_t pad0;            //
  uint32_t sampleIndex;     // of this frame, from 0 after each restart
  uint32_t seed;            //
  uint32_t flags;           // enum FrameFlag
  uint32_t strategy;        // enum Sampling
  uint32_t bounces;         // scattering events at most; 1 is direct light only
  uint32_t rouletteDepth;   // first scattering event after which roulette may end a path
  uint32_t panes;           // that a path may pass straight, which counts as no scattering event
  uint32_t pad1;            //
};

// Everything a frame's kernels read, copied once before its launches: a struct for each subject, which the code of that
// subject alone fills. Each is a multiple of 16 bytes long.
struct Frame {
  Camera camera;               //
  Camera previous;             // of the previous frame
  SamplingParams sampling;     //
  SceneParams scene;           //
  FilmParams film;             //
  FirstHitParams firstHits;    //
  WavefrontParams wavefront;   //
  RestirParams restir;         //
  GuideParams guides;          //
  DenoiseParams denoise;       //
  LearnedParams learned;       //
  ErrorMapParams errorMap;     //
  NetParams net;               //
  UpscaleParams upscale;       //
  DisplayParams display;       //
  RayParams rays;              //
  ReplayParams replay;         //
  BuildParams build;           //
};
