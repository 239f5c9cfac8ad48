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
  uint32_t pad2;           //
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
  FRAME_FLIP_Y = 16,               // film writes row 0 at the bottom, as OpenGL reads it
  FRAME_REPLACE = 32,              // samples replace what was accumulated
  FRAME_NO_DIRECT = 64,            // leave out emission and direct light
  FRAME_FIRST_HITS = 512,          // firstHits are known: camera rays are not traced
  FRAME_NO_INDIRECT = 128,         // leave out what was scattered twice or more by finite lobes
  FRAME_SCHLICK = 2048,            // dielectrics by Schlick's approximation
};

// Everything a frame's kernels read, copied once before its launches.
struct Frame {
  Camera camera;              //
  Environment environment;    //
  uint64_t nodes;             // BvhNode
  uint64_t wideNodes;         // WideNode, over the same triangles
  uint64_t spreadNodes;       // SpreadNode for each WideNode; on the CPU alone
  uint64_t triangles;         // Triangle, leaf order
  uint64_t instances;         // Instance, by rising ids
  uint64_t upperNodes;        // BvhNode over instances
  uint64_t upperWideNodes;    // WideNode over instances
  uint64_t upperOrder;        // uint32_t per place in their leaves: an instance, or BAKED
  uint32_t instanceCount;     // 0: there is one level of trees alone
  uint32_t instancePad;       //
  uint64_t faces;             // Face
  uint64_t vertices;          // Vertex
  uint64_t materials;         // Material
  uint64_t textures;          // Texture
  uint64_t lights;            // Light
  uint64_t lightAlias;        // AliasEntry per light
  uint64_t tables;            // float, see core/tables.cuh
  uint64_t accumulation;      // float4 per pixel: sum of radiance, number of samples
  uint64_t preview;           // float4 per preview pixel: a smaller image, shown where accumulation has no sample yet
  uint64_t target;            // RGBA8 per pixel
  uint64_t counters;          // uint64_t × COUNTER_COUNT
  uint64_t rays;              // Ray, for the ray kernels
  uint64_t hits;              // Hit, for the ray kernels and for picking
  uint32_t width;             // of accumulation and target [pixels]
  uint32_t height;            // of accumulation and target [pixels]
  uint32_t previewWidth;      // [pixels]
  uint32_t previewHeight;     // [pixels]
  uint32_t rayCount;          // of the ray kernels
  uint32_t lightCount;        //
  uint32_t nodeCount;         // 0 when the scene has no triangles
  uint32_t sampleIndex;       // of this frame, from 0 after each restart
  uint32_t seed;              //
  uint32_t flags;             // enum FrameFlag
  uint32_t sampling;          // enum Sampling
  uint32_t bounces;           // scattering events at most; 1 is direct light only
  uint32_t rouletteDepth;     // first scattering event after which roulette may end a path
  uint32_t toneMap;           // enum ToneMap
  uint64_t gbuffer;           // GBuffer per pixel
  uint64_t previousGBuffer;   // GBuffer per pixel, of the frame before
  uint64_t reservoirs;        // Reservoir per pixel: initial samples, then with history
  uint64_t history;           // Reservoir per pixel: the spatial pass's output, read by the next frame
  uint64_t shade;             // Shade per pixel
  uint64_t partners;          // uint32_t per pixel and plane: enum Partner
  uint64_t paths;             // float4 per path of the pool and plane
  uint64_t pathHits;          // Hit per place of the extension queue
  uint64_t queues;            // uint32_t per place, two by turns: paths that go on
  uint64_t shadowRays;        // float4 per place of the shadow queue and plane
  uint64_t queueLengths;      // uint32_t × LENGTH_COUNT × waves
  uint32_t poolSize;          // paths under way at once
  uint32_t waves;             // of the frame, and one
  uint32_t compaction;        // enum Compaction
  uint32_t sorting;           // enum Sorting
  uint64_t pathIndices;       // uint32_t per path: its launch index; 0 where that is the number of the path
  uint64_t endedPaths;        // uint32_t per place: paths that ended in the wave before; with pathIndices
  uint64_t survivors;         // uint32_t per place of the extension queue: the path when it goes on; COMPACTION_SCAN
  uint64_t scanSums;          // uint32_t per block of places
  uint64_t shadingOrder;      // uint32_t per place of the extension queue: unless SORT_NONE
  uint64_t sortTable;         // uint32_t × 3 × SORT_KEYS: hits of each key, where they begin, and where the next goes
  uint32_t lacks;             // enum Feature: what the scene has none of
  float copyPower;            // by how much copies of a sample lower its confidence; see restir/filters.cuh
  Camera previousCamera;      // of the frame before
  uint32_t frameIndex;        // counts frames, never restarts: seeds the resampling passes
  uint32_t restir;            // enum RestirFlag
  uint32_t misMode;           // enum MisMode
  uint32_t confidenceCap;     // history counts for at most so many fresh samples
  uint32_t neighbours;        // of the spatial pass
  uint32_t partnerPlanes;     // words a pixel in partners; at least neighbours
  uint32_t tiledPixels;       // launch indices of one image: whole 8×4 tiles
  float minNormalDot;         // of the normals of two pixels that may share
  float maxDepthChange;       // between them, relative
  float minDistance;          // from x1 to a sample that is shared, relative to x1's depth
  float maxMaterialChange;    // between them: reflectance, colour, half the relative roughness
  float boiling;              // samples brighter than so many times the mean of their block are dropped
  float radius;               // of the spatial pass [pixels]
  float sceneRadius;          // [m]
  uint64_t build;             // TreeBuild, while a tree is built
  uint64_t view;              // RGBA8 per pixel: what reuseView shows; 0 where there is nothing yet
  uint32_t reuseView;         // enum ReuseView
  float sampleWeight;         // of this frame in the accumulation
  float exposure;             // multiplies radiance before the tone curve
  float lightScale;           // multiplies every emitter
  float3 balanceRed;          // rows of the matrix that balances white: DISPLAY_BALANCE
  float bloom;                // share of light that strays in eye and lens
  float3 balanceGreen;        //
  uint32_t bloomLevels;       // of the pyramid; 0: no bloom
  float3 balanceBlue;         //
  uint32_t display;           // enum DisplayFlag
  uint64_t bloomed;           // float4 per pixel of the pyramid, level after level, the finest first: radiance [nit]
  uint64_t meter;             // Meter
  uint64_t histogram;         // uint32_t × METER_BINS: shares of pixels by luminance
  float adaptDarker;          // how much of its way exposure goes in this frame where it is too high, 0…1
  float adaptBrighter;        // where it is too low
  uint64_t halves;            // float4 per pixel and plane: enum HalfPlane
  uint64_t halfImages;        // float4 per pixel, of one half and of the other: denoised radiance [nit]
  uint64_t trust;             // float per pixel: how far these are apart, relative
  uint64_t firstHits;         // Hit per launch index of the image, of camera rays; 0: none are kept
  uint32_t eyeSample;         // which point of pixel and lens the kept camera rays go through
  uint32_t eyeSeed;           // of those points
  uint64_t aovs;              // float4 per pixel and plane: enum AovPlane
  uint64_t denoiser;          // float4 per pixel and plane: enum DenoisePlane
  uint64_t denoised;          // float4 per pixel: radiance [nit]
  uint64_t objects;           // uint32_t per object: its first face
  uint32_t objectCount;       //
  uint32_t aovPlanes;         // that are kept; 0: none
  uint32_t shown;             // enum Shown
  uint32_t aovPad;            //
  uint64_t places;            // SeenPlace per pixel, of this image; 0: there is no history
  uint64_t pastPlaces;        // SeenPlace per pixel, of the image that previousCamera saw
  uint64_t picture;           // float4 per pixel: what is shown [nit], and how many samples it stands for
  uint64_t pastPicture;       // the same of the image before
  uint64_t light;             // float4 per pixel: mean of the light to be filtered, and of its squared luminance
  uint64_t pastLight;         // the same of the image before
  uint64_t lightSamples;      // float per pixel: how many samples `light` stands for
  uint64_t pastLightSamples;   // the same of the image before
  uint64_t signals;            // Signal per pixel, twice
  float imageSamples;          // in the image that accumulates
  float historyCap;            // history counts for at most so many samples; 0: there is none
  Upscaling upscaling;         // of a small image
};
